/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regalloc.c - virtual registers of a block's code get real ones
 *
 * One instruction after the other. Which real registers are free is known bit
 * by bit, and only what an instruction mentions is looked at; VEX's goes
 * through all registers behind each instruction, and checks itself.
 */
#include "vgtool/vexopt/live_ranges.h"
#include "vgtool/vexopt/passes.h"

enum { AHEAD = 20 }; /* instructions */

static struct {
	struct ps_live live;
	const struct ps_host *host;
	struct ps_code *out;
	ULong free;		      /* real ones, bit by bit; the rest is */
	ULong bound;		      /* to a virtual one, or */
	ULong kept;		      /* for the instruction itself */
	UInt holds[PS_MOST_REAL];     /* the virtual one */
	Bool is_stored[PS_MOST_REAL]; /* as in memory */
} s;

static void emit(void *instr)
{
	struct ps_code *out = s.out;
	void **before = out->instr;

	if (out->n == out->size) {
		out->size *= 2;
		out->instr = PS_NEW(out->size, void *);
		for (Int i = 0; i < out->n; i++)
			out->instr[i] = before[i];
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
	return &s.live.virtual[s.holds[real]];
}

static void release(UInt real)
{
	s.bound &= ~(1ULL << real);
	s.kept &= ~(1ULL << real);
	s.free |= 1ULL << real;
	s.is_stored[real] = False;
}

static void bind(UInt real, UInt number, Bool is_stored)
{
	s.free &= ~(1ULL << real);
	s.bound |= 1ULL << real;
	s.holds[real] = number;
	s.is_stored[real] = is_stored;
	s.live.virtual[number].where = PS_IN_REGISTER;
	s.live.virtual[number].real = real;
}

static void forget(struct ps_virtual *v)
{
	if (v->where == PS_IN_REGISTER)
		release(v->real);
	v->where = PS_NOWHERE;
}

static void store(UInt real)
{
	struct ps_virtual *v = virtual_of(real);
	void *first = NULL, *second = NULL;

	s.host->store(&first, &second, s.host->universe->reg[real],
		      ps_live_memory(&s.live, v), s.host->is_64);
	emit_two(first, second);
	v->where = PS_IN_MEMORY;
	release(real);
}

static void load(UInt real, const struct ps_virtual *v)
{
	void *first = NULL, *second = NULL;

	s.host->load(&first, &second, s.host->universe->reg[real],
		     ps_live_memory(&s.live, v), s.host->is_64);
	emit_two(first, second);
}

static Bool mentions(const struct ps_usage *u, UInt number)
{
	for (UInt k = 0; k < u->n; k++)
		if (ps_reg_number(u->reg[k]) == number)
			return True;
	return False;
}

/* Real ones of a class, bit by bit. */
static ULong of_class(UInt class)
{
	const struct ps_universe *u = s.host->universe;

	return (2ULL << u->last[class]) - (1ULL << u->first[class]);
}

/*
 * A free one for @v: from the last on, whose values calls do not keep, one that
 * is not wanted as long as @v lives, or else the one wanted last; -1: none.
 */
static Int find_free(const struct ps_virtual *v, Short i)
{
	Short end = ps_live_end(v);
	Int best = -1, latest = 0;

	for (ULong left = s.free & of_class(v->class); left;) {
		Int r = 63 - __builtin_clzll(left);
		struct ps_range range;

		left &= ~(1ULL << r);
		if (!(s.live.mentioned >> r & 1))
			return r;
		range = ps_live_range(&s.live, (UInt)r);
		if (i >= range.end || (range.begin > i && end <= range.begin))
			return r;
		if (range.begin - i > latest) {
			latest = range.begin - i;
			best = r;
		}
	}
	return best;
}

/* The instruction from @i on that mentions a register, up to @last, or the one
   behind. */
static UInt next_mention(UInt number, UInt i, UInt last)
{
	while (i <= last && !mentions(&s.live.usage[i], number))
		i++;
	return i;
}

/* One to be emptied: which is not mentioned by instruction @i, nor soon. */
static UInt find_least_wanted(UInt class, UInt i)
{
	UInt last = s.live.n - 1, latest = 0;
	Int best = -1;

	if (last > i + 1 + AHEAD)
		last = i + 1 + AHEAD;
	for (ULong left = s.bound & of_class(class); left; left &= left - 1) {
		UInt r = __builtin_ctzll(left), next;

		if (mentions(&s.live.usage[i], s.holds[r]))
			continue;
		next = next_mention(s.holds[r], i + 1, last);
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
		r = (Int)find_least_wanted(v->class, (UInt)i);
		store((UInt)r);
	}
	return (UInt)r;
}

/* An instruction mentions what is held by real register @r, which it wants for
   itself, too. */
static void move_away(UInt r, Short i)
{
	UInt number = s.holds[r], to = make_free(virtual_of(r), i);
	const struct ps_reg *reg = s.host->universe->reg;
	Bool is_stored = s.is_stored[r];

	emit(s.host->move(reg[r], reg[to], s.host->is_64));
	release(r);
	bind(to, number, is_stored);
}

static void empty(UInt r, const struct ps_usage *u, Short i)
{
	if (mentions(u, s.holds[r])) {
		move_away(r, i);
	} else if (s.is_stored[r]) {
		virtual_of(r)->where = PS_IN_MEMORY;
		release(r);
	} else {
		store(r);
	}
}

/* The real ones that an instruction wants. */
static void keep(const struct ps_usage *u, Short i)
{
	ULong wanted = (u->read | u->written) & s.live.mentioned & ~s.kept;

	for (; wanted; wanted &= wanted - 1) {
		UInt r = __builtin_ctzll(wanted);
		struct ps_range range = ps_live_range(&s.live, r);

		if (i < range.begin || i >= range.end)
			continue;
		if (s.bound >> r & 1)
			empty(r, u, i);
		s.free &= ~(1ULL << r);
		s.kept |= 1ULL << r;
	}
}

/* The instruction with what it reads last from memory, if it can be. */
static void *read_memory(void *instr, struct ps_usage *u, Short i)
{
	const struct ps_virtual *found = NULL;
	UInt reads = 0, at = 0;
	void *direct;

	for (UInt k = 0; k < u->n; k++) {
		const struct ps_virtual
			*v = &s.live.virtual[ps_reg_number(u->reg[k])];

		if (u->mode[k] != PS_READ)
			continue;
		reads++;
		if (v->where == PS_IN_MEMORY && v->end == i + 1 && !found) {
			found = v;
			at = k;
		}
	}
	if (!found || reads != 1)
		return instr;
	direct = s.host->direct(instr, u->reg[at],
				(Short)ps_live_memory(&s.live, found));
	if (!direct)
		return instr;
	s.host->usage(u, direct, s.host->is_64);
	return direct;
}

/* A real register for one that is mentioned. */
static void find_place(struct ps_reg virtual, enum ps_mode mode, Short i)
{
	UInt number = ps_reg_number(virtual);
	struct ps_virtual *v = &s.live.virtual[number];

	if (v->where != PS_IN_REGISTER) {
		UInt r = make_free(v, i);

		if (v->where == PS_IN_MEMORY && mode != PS_WRITTEN)
			load(r, v);
		bind(r, number, True);
	}
	if (mode != PS_READ)
		s.is_stored[v->real] = False;
}

static void place_all(void *instr, const struct ps_usage *u, Short i)
{
	struct ps_places places;

	places.n = (Int)u->n;
	for (UInt k = 0; k < u->n; k++) {
		UInt number = ps_reg_number(u->reg[k]);

		find_place(u->reg[k], u->mode[k], i);
		places.virt[k] = u->reg[k];
		places.real[k] =
			s.host->universe->reg[s.live.virtual[number].real];
	}
	s.host->place(&places, instr, s.host->is_64);
	emit(instr);
}

/* What ends with an instruction: only what it mentions, or was kept for it. */
static void end_all(const struct ps_usage *u, Short i)
{
	for (UInt k = 0; k < u->n; k++) {
		struct ps_virtual
			*v = &s.live.virtual[ps_reg_number(u->reg[k])];

		if (v->end <= i + 1)
			forget(v);
	}
	for (ULong left = s.kept; left; left &= left - 1) {
		UInt r = __builtin_ctzll(left);
		struct ps_ranges *ranges = &s.live.real[r];

		if (ps_live_range(&s.live, r).end > i + 1)
			continue;
		release(r);
		if (ranges->now + 1 < ranges->n)
			ranges->now++;
	}
}

/* The move of a register to one that it is joined to is none. */
static void hand_over(const struct ps_usage *u, Short i)
{
	UInt number = ps_reg_number(u->to);
	struct ps_virtual *a = &s.live.virtual[ps_reg_number(u->from)];
	struct ps_virtual *b = &s.live.virtual[number];

	tl_assert(a->where != PS_NOWHERE);
	if (a->where == PS_IN_REGISTER)
		bind(a->real, number, s.is_stored[a->real]);
	b->where = a->where;
	a->where = PS_NOWHERE;
	if (b->end <= i + 1)
		forget(b);
}

static void take_instr(void *instr, Short i)
{
	struct ps_usage *u = &s.live.usage[i];

	if (u->is_move) {
		hand_over(u, i);
		return;
	}
	keep(u, i);
	if (u->n <= 2 && s.host->direct)
		instr = read_memory(instr, u, i);
	place_all(instr, u, i);
	end_all(u, i);
}

static void start(const struct ps_code *in, const struct ps_host *host)
{
	UInt n = host->universe->n_given;

	s.host = host;
	s.out = PS_NEW(1, struct ps_code);
	s.out->size = in->n + in->n / 4 + 16;
	s.out->instr = PS_NEW(s.out->size, void *);
	s.out->n = s.out->n_virtual = 0;
	s.free = n < 64 ? (1ULL << n) - 1 : ~0ULL;
	s.bound = s.kept = 0;
	VG_(memset)(s.is_stored, False, sizeof(s.is_stored));
}

struct ps_code *ps_registers(const struct ps_code *in,
			     const struct ps_host *host)
{
	if (!ps_live_find(&s.live, in, host))
		return NULL;
	start(in, host);
	for (Int i = 0; i < in->n; i++)
		take_instr(in->instr[i], (Short)i);
	return s.out;
}
