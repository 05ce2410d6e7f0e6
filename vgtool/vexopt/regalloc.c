/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regalloc.c - assigns real registers to the virtual registers of a block's
 * code
 *
 * Processes one instruction after the other. Sets of real registers are bit
 * masks, and only the registers that an instruction mentions are examined.
 * VEX's allocator goes through all registers after each instruction, and checks
 * itself.
 */
#include "vgtool/vexopt/live_ranges.h"
#include "vgtool/vexopt/passes.h"

/* Instructions that are searched for the next mention of a register. */
enum { AHEAD = 20 };

static struct {
	struct ps_live live;
	const struct ps_host *host;
	struct ps_code *out;
	/* Sets of real registers, bit by number. Each allocatable register is
	   in one of the three: free, assigned to a virtual register (bound), or
	   reserved for instructions that mention the real register. */
	ULong free;
	ULong bound;
	ULong reserved;
	UInt virtual_number[PS_MAX_REAL]; /* if bound */
	Bool is_stored[PS_MAX_REAL];	  /* memory has the same value */
} s;

static void emit(void *instr)
{
	struct ps_code *out = s.out;
	void **old = out->instr;

	if (out->n == out->size) {
		out->size *= 2;
		out->instr = PS_NEW(out->size, void *);
		for (Int i = 0; i < out->n; i++)
			out->instr[i] = old[i];
	}
	out->instr[out->n++] = instr;
}

static void emit_two(void *first, void *second)
{
	if (first)
		emit(first);
	if (second)
		emit(second);
}

static struct ps_virtual *virtual_of(UInt real)
{
	return &s.live.virtual[s.virtual_number[real]];
}

static void release(UInt real)
{
	s.bound &= ~(1ULL << real);
	s.reserved &= ~(1ULL << real);
	s.free |= 1ULL << real;
	s.is_stored[real] = False;
}

static void bind(UInt real, UInt number, Bool is_stored)
{
	s.free &= ~(1ULL << real);
	s.bound |= 1ULL << real;
	s.virtual_number[real] = number;
	s.is_stored[real] = is_stored;
	s.live.virtual[number].location = PS_IN_REGISTER;
	s.live.virtual[number].real = real;
}

static void end_virtual(struct ps_virtual *v)
{
	if (v->location == PS_IN_REGISTER)
		release(v->real);
	v->location = PS_NOWHERE;
}

static void store(UInt real)
{
	struct ps_virtual *v = virtual_of(real);
	void *first = NULL, *second = NULL;

	s.host->spill(&first, &second, s.host->universe->reg[real],
		      ps_live_spill_offset(&s.live, v), s.host->is_64);
	emit_two(first, second);
	v->location = PS_IN_MEMORY;
	release(real);
}

static void load(UInt real, const struct ps_virtual *v)
{
	void *first = NULL, *second = NULL;

	s.host->reload(&first, &second, s.host->universe->reg[real],
		       ps_live_spill_offset(&s.live, v), s.host->is_64);
	emit_two(first, second);
}

static Bool mentions(const struct ps_usage *u, UInt number)
{
	for (UInt k = 0; k < u->n; k++)
		if (ps_reg_number(u->reg[k]) == number)
			return True;
	return False;
}

/* Return the real registers of a class; bit by number. */
static ULong regs_of_class(UInt class)
{
	const struct ps_universe *u = s.host->universe;

	return (2ULL << u->last[class]) - (1ULL << u->first[class]);
}

/*
 * Return a free real register for @v at instruction @i, or -1. Registers are
 * tried from the last one on, which calls do not preserve. The first one that
 * no instruction reserves during the life of @v is chosen, or else the one that
 * is reserved latest.
 */
static Int find_free(const struct ps_virtual *v, Short i)
{
	Short end = ps_live_end(v);
	Int best = -1, latest = 0;

	for (ULong rest = s.free & regs_of_class(v->class); rest;) {
		Int r = 63 - __builtin_clzll(rest);
		struct ps_range range;

		rest &= ~(1ULL << r);
		if (!(s.live.mentioned >> r & 1))
			return r;
		range = ps_live_current_range(&s.live, (UInt)r);
		if (i >= range.end || (range.begin > i && end <= range.begin))
			return r;
		if (range.begin - i > latest) {
			latest = range.begin - i;
			best = r;
		}
	}
	return best;
}

/* Return the first instruction in [@i, @last] that mentions virtual register
   @number, or @last + 1. */
static UInt find_next_mention(UInt number, UInt i, UInt last)
{
	while (i <= last && !mentions(&s.live.usage[i], number))
		i++;
	return i;
}

/* Return the real register of a class to spill: one that instruction @i does
   not mention, and whose next mention is farthest. */
static UInt find_spill(UInt class, UInt i)
{
	UInt last = s.live.n - 1, latest = 0;
	Int best = -1;

	if (last > i + 1 + AHEAD)
		last = i + 1 + AHEAD;
	for (ULong rest = s.bound & regs_of_class(class); rest;
	     rest &= rest - 1) {
		UInt r = __builtin_ctzll(rest), next;

		if (mentions(&s.live.usage[i], s.virtual_number[r]))
			continue;
		next = find_next_mention(s.virtual_number[r], i + 1, last);
		if (next >= latest) {
			latest = next;
			best = (Int)r;
		}
		if (latest == last)
			break;
	}
	if (best < 0)
		VG_(tool_panic)("an instruction wants too many registers");
	return (UInt)best;
}

static UInt make_free(const struct ps_virtual *v, Short i)
{
	Int r = find_free(v, i);

	if (r < 0) {
		r = (Int)find_spill(v->class, (UInt)i);
		store((UInt)r);
	}
	return (UInt)r;
}

/* Move the virtual register in real register @r to another one, because
   instruction @i mentions it, and also @r itself. */
static void move_away(UInt r, Short i)
{
	UInt number = s.virtual_number[r], to = make_free(virtual_of(r), i);
	const struct ps_reg *reg = s.host->universe->reg;
	Bool is_stored = s.is_stored[r];

	emit(s.host->move(reg[r], reg[to], s.host->is_64));
	release(r);
	bind(to, number, is_stored);
}

static void vacate(UInt r, const struct ps_usage *u, Short i)
{
	if (mentions(u, s.virtual_number[r])) {
		move_away(r, i);
	} else if (s.is_stored[r]) {
		virtual_of(r)->location = PS_IN_MEMORY;
		release(r);
	} else {
		store(r);
	}
}

/* Reserve the real registers that instruction @i mentions. */
static void reserve_mentioned(const struct ps_usage *u, Short i)
{
	ULong regs = (u->read | u->written) & s.live.mentioned & ~s.reserved;

	for (; regs; regs &= regs - 1) {
		UInt r = __builtin_ctzll(regs);
		struct ps_range range = ps_live_current_range(&s.live, r);

		if (i < range.begin || i >= range.end)
			continue;
		if (s.bound >> r & 1)
			vacate(r, u, i);
		s.free &= ~(1ULL << r);
		s.reserved |= 1ULL << r;
	}
}

/* Return the instruction with a memory operand instead of a spilled register
   that it reads, if it reads no other virtual register, and that one for the
   last time. Otherwise return @instr. */
static void *fold_load(void *instr, struct ps_usage *u, Short i)
{
	const struct ps_virtual *found = NULL;
	UInt reads = 0, index = 0;
	void *direct;

	for (UInt k = 0; k < u->n; k++) {
		const struct ps_virtual
			*v = &s.live.virtual[ps_reg_number(u->reg[k])];

		if (u->mode[k] != PS_READ)
			continue;
		reads++;
		if (v->location == PS_IN_MEMORY && v->end == i + 1 && !found) {
			found = v;
			index = k;
		}
	}
	if (!found || reads != 1)
		return instr;
	direct = s.host->direct_reload(
		instr, u->reg[index],
		(Short)ps_live_spill_offset(&s.live, found));
	if (!direct)
		return instr;
	s.host->usage(u, direct, s.host->is_64);
	return direct;
}

/* Assign a real register to a virtual register that instruction @i mentions,
   and load its value if the instruction reads it. */
static void assign_register(struct ps_reg virtual, enum ps_mode mode, Short i)
{
	UInt number = ps_reg_number(virtual);
	struct ps_virtual *v = &s.live.virtual[number];

	if (v->location != PS_IN_REGISTER) {
		UInt r = make_free(v, i);

		if (v->location == PS_IN_MEMORY && mode != PS_WRITTEN)
			load(r, v);
		bind(r, number, True);
	}
	if (mode != PS_READ)
		s.is_stored[v->real] = False;
}

static void replace_all(void *instr, const struct ps_usage *u, Short i)
{
	struct ps_reg_remap places;

	places.n = (Int)u->n;
	for (UInt k = 0; k < u->n; k++) {
		UInt number = ps_reg_number(u->reg[k]);

		assign_register(u->reg[k], u->mode[k], i);
		places.virt[k] = u->reg[k];
		places.real[k] =
			s.host->universe->reg[s.live.virtual[number].real];
	}
	s.host->map_regs(&places, instr, s.host->is_64);
	emit(instr);
}

/* Release the registers whose life ends with instruction @i. Only registers
   that it mentions, and reserved ones, can end there. */
static void release_dead(const struct ps_usage *u, Short i)
{
	for (UInt k = 0; k < u->n; k++) {
		struct ps_virtual
			*v = &s.live.virtual[ps_reg_number(u->reg[k])];

		if (v->end <= i + 1)
			end_virtual(v);
	}
	for (ULong rest = s.reserved; rest; rest &= rest - 1) {
		UInt r = __builtin_ctzll(rest);
		struct ps_ranges *ranges = &s.live.real[r];

		if (ps_live_current_range(&s.live, r).end > i + 1)
			continue;
		release(r);
		if (ranges->current + 1 < ranges->n)
			ranges->current++;
	}
}

/* Let the target of a copy between joined registers have the place of the
   source; no instruction is needed. */
static void rename_joined(const struct ps_usage *u, Short i)
{
	UInt number = ps_reg_number(u->to);
	struct ps_virtual *a = &s.live.virtual[ps_reg_number(u->from)];
	struct ps_virtual *b = &s.live.virtual[number];

	tl_assert(a->location != PS_NOWHERE);
	if (a->location == PS_IN_REGISTER)
		bind(a->real, number, s.is_stored[a->real]);
	b->location = a->location;
	a->location = PS_NOWHERE;
	if (b->end <= i + 1)
		end_virtual(b);
}

static void allocate_for_instr(void *instr, Short i)
{
	struct ps_usage *u = &s.live.usage[i];

	if (u->is_move) {
		rename_joined(u, i);
		return;
	}
	reserve_mentioned(u, i);
	if (u->n <= 2 && s.host->direct_reload)
		instr = fold_load(instr, u, i);
	replace_all(instr, u, i);
	release_dead(u, i);
}

static void init(const struct ps_code *in, const struct ps_host *host)
{
	UInt n = host->universe->n_allocatable;

	s.host = host;
	s.out = PS_NEW(1, struct ps_code);
	s.out->size = in->n + in->n / 4 + 16;
	s.out->instr = PS_NEW(s.out->size, void *);
	s.out->n = s.out->n_virtual = 0;
	s.free = n < 64 ? (1ULL << n) - 1 : ~0ULL;
	s.bound = s.reserved = 0;
	VG_(memset)(s.is_stored, False, sizeof(s.is_stored));
}

struct ps_code *ps_allocate_registers(const struct ps_code *in,
				      const struct ps_host *host)
{
	if (!ps_live_find(&s.live, in, host))
		return NULL;
	init(in, host);
	for (Int i = 0; i < in->n; i++)
		allocate_for_instr(in->instr[i], (Short)i);
	return s.out;
}
