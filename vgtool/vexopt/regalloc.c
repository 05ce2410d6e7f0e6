/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regalloc.c - assigns real registers to the virtual registers of a block's
 * code
 *
 * Processes one instruction after the other. Sets of real registers are bit
 * masks, and after an instruction only the registers that it mentions and the
 * reserved ones are examined. VEX's allocator goes through all registers after
 * each instruction, and checks itself.
 */
#include "vgtool/vexopt/live_ranges.h"
#include "vgtool/vexopt/passes.h"

/* Number of instructions, after the one that follows the current one, up to
   which the next mention of a register is searched for. */
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
	UInt virtual_number[PS_MAX_REAL]; /* by real register: the virtual
					     register that it is bound to */
	Bool is_stored[PS_MAX_REAL];	  /* by real register: the memory of its
					 virtual register has the same
					 value */
} s;

static void append_output_instr(void *instr)
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

static void append_output_instrs_that_are_not_null(void *first, void *second)
{
	if (first)
		append_output_instr(first);
	if (second)
		append_output_instr(second);
}

static struct ps_virtual *virtual_in_bound_real(UInt real)
{
	return &s.live.virtual[s.virtual_number[real]];
}

static void release_real(UInt real)
{
	s.bound &= ~(1ULL << real);
	s.reserved &= ~(1ULL << real);
	s.free |= 1ULL << real;
	s.is_stored[real] = False;
}

static void bind_real_to_virtual(UInt real, UInt virt_number, Bool is_stored)
{
	s.free &= ~(1ULL << real);
	s.bound |= 1ULL << real;
	s.virtual_number[real] = virt_number;
	s.is_stored[real] = is_stored;
	s.live.virtual[virt_number].location = PS_IN_REGISTER;
	s.live.virtual[virt_number].real = real;
}

static void end_virtual_and_release_real(struct ps_virtual *v)
{
	if (v->location == PS_IN_REGISTER)
		release_real(v->real);
	v->location = PS_NOWHERE;
}

static void append_spill_and_release_real(UInt real)
{
	struct ps_virtual *v = virtual_in_bound_real(real);
	void *first = NULL, *second = NULL;

	s.host->spill(&first, &second, s.host->universe->reg[real],
		      ps_live_spill_offset(&s.live, v), s.host->is_64);
	append_output_instrs_that_are_not_null(first, second);
	v->location = PS_IN_MEMORY;
	release_real(real);
}

static void append_reload_of_virtual(UInt real, const struct ps_virtual *v)
{
	void *first = NULL, *second = NULL;

	s.host->reload(&first, &second, s.host->universe->reg[real],
		       ps_live_spill_offset(&s.live, v), s.host->is_64);
	append_output_instrs_that_are_not_null(first, second);
}

static Bool mentions_virtual(const struct ps_usage *u, UInt virtual_number)
{
	for (UInt k = 0; k < u->n; k++)
		if (ps_reg_number(u->reg[k]) == virtual_number)
			return True;
	return False;
}

/* Return the mask of the allocatable real registers of class @class: bit r for
   the register with number r. */
static ULong allocatable_real_mask_of_class(UInt class)
{
	const struct ps_universe *u = s.host->universe;

	return (2ULL << u->last[class]) - (1ULL << u->first[class]);
}

/*
 * Return the number of a free real register of the class of @v for virtual
 * register @v at instruction @instr_no; -1 if there is none. Registers are
 * tried from the highest number down, because calls do not preserve the highest
 * ones. The first one that no instruction reserves until the chain of @v ends
 * is chosen, or else the one that is reserved latest.
 */
static Int find_longest_free_real_or_minus_1(const struct ps_virtual *v,
					     Short instr_no)
{
	Short end = ps_live_range_end_of_register_chain(v);
	Int best = -1, latest = 0;

	for (ULong rest = s.free & allocatable_real_mask_of_class(v->class);
	     rest;) {
		Int r = 63 - __builtin_clzll(rest);
		struct ps_range range;

		rest &= ~(1ULL << r);
		if (!(s.live.mentioned >> r & 1))
			return r;
		range = ps_live_register_current_or_next_range(&s.live,
							       (UInt)r);
		if (instr_no >= range.end ||
		    (range.begin > instr_no && end <= range.begin))
			return r;
		if (range.begin - instr_no > latest) {
			latest = range.begin - instr_no;
			best = r;
		}
	}
	return best;
}

/* Return the first instruction in [@first_instr, @last_instr] that mentions
   virtual register @virtual_number, or @last_instr + 1. */
static UInt find_instr_mentioning_virtual(UInt virtual_number, UInt first_instr,
					  UInt last_instr)
{
	while (first_instr <= last_instr &&
	       !mentions_virtual(&s.live.usage[first_instr], virtual_number))
		first_instr++;
	return first_instr;
}

/* Return the number of the real register of class @class to spill: among those
   bound to virtual registers that instruction @instr_no does not mention, one
   whose next mention lies furthest ahead, or the first one whose next mention
   is the last instruction searched. If there is none, end Valgrind with a
   message. */
static UInt find_real_to_spill_or_panic(UInt class, UInt instr_no)
{
	UInt last = s.live.n - 1, latest = 0;
	Int best = -1;

	if (last > instr_no + 1 + AHEAD)
		last = instr_no + 1 + AHEAD;
	for (ULong rest = s.bound & allocatable_real_mask_of_class(class); rest;
	     rest &= rest - 1) {
		UInt r = __builtin_ctzll(rest), next;

		if (mentions_virtual(&s.live.usage[instr_no],
				     s.virtual_number[r]))
			continue;
		next = find_instr_mentioning_virtual(s.virtual_number[r],
						     instr_no + 1, last);
		if (next >= latest) {
			latest = next;
			best = (Int)r;
		}
		if (latest == last)
			break;
	}
	if (best < 0)
		VG_(tool_panic)("an instruction needs too many registers");
	return (UInt)best;
}

static UInt find_or_spill_free_real(const struct ps_virtual *v, Short instr_no)
{
	Int r = find_longest_free_real_or_minus_1(v, instr_no);

	if (r < 0) {
		r = (Int)find_real_to_spill_or_panic(v->class, (UInt)instr_no);
		append_spill_and_release_real((UInt)r);
	}
	return (UInt)r;
}

/* Move the virtual register that is in real register @real to another real
   register, because instruction @instr_no mentions the virtual register and
   also @real itself. */
static void move_virtual_to_other_real(UInt real, Short instr_no)
{
	UInt number = s.virtual_number[real],
	     to = find_or_spill_free_real(virtual_in_bound_real(real),
					  instr_no);
	const struct ps_reg *reg = s.host->universe->reg;
	Bool is_stored = s.is_stored[real];

	append_output_instr(s.host->move(reg[real], reg[to], s.host->is_64));
	release_real(real);
	bind_real_to_virtual(to, number, is_stored);
}

static void vacate_real_by_move_or_spill(UInt real, const struct ps_usage *u,
					 Short instr_no)
{
	if (mentions_virtual(u, s.virtual_number[real])) {
		move_virtual_to_other_real(real, instr_no);
	} else if (s.is_stored[real]) {
		virtual_in_bound_real(real)->location = PS_IN_MEMORY;
		release_real(real);
	} else {
		append_spill_and_release_real(real);
	}
}

/* Reserve the real registers that instruction @instr_no with usage @u mentions.
   Virtual registers in them are moved to other real registers or to memory. */
static void vacate_and_reserve_mentioned_reals(const struct ps_usage *u,
					       Short instr_no)
{
	ULong regs = (u->read | u->written) & s.live.mentioned & ~s.reserved;

	for (; regs; regs &= regs - 1) {
		UInt r = __builtin_ctzll(regs);
		struct ps_range range =
			ps_live_register_current_or_next_range(&s.live, r);

		if (instr_no < range.begin || instr_no >= range.end)
			continue;
		if (s.bound >> r & 1)
			vacate_real_by_move_or_spill(r, u, instr_no);
		s.free &= ~(1ULL << r);
		s.reserved |= 1ULL << r;
	}
}

/* Return an instruction that reads memory in place of a spilled register, and
   set @u to its usage. The register must be the only virtual one that @instr
   reads and does not modify, @instr must be the last to mention this register,
   and the host must have such an instruction; otherwise return @instr. */
static void *fold_reload_into_instr_or_return_same(void *instr,
						   struct ps_usage *u,
						   Short instr_no)
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
		if (v->location == PS_IN_MEMORY && v->end == instr_no + 1 &&
		    !found) {
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

/* Assign a real register to @virtual, which instruction @instr_no mentions,
   unless it has one; load its value from memory if it was spilled and the
   instruction reads it (@mode). */
static void assign_real_and_reload_if_read(struct ps_reg virtual,
					   enum ps_mode mode, Short instr_no)
{
	UInt number = ps_reg_number(virtual);
	struct ps_virtual *v = &s.live.virtual[number];

	if (v->location != PS_IN_REGISTER) {
		UInt r = find_or_spill_free_real(v, instr_no);

		if (v->location == PS_IN_MEMORY && mode != PS_WRITTEN)
			append_reload_of_virtual(r, v);
		bind_real_to_virtual(r, number, True);
	}
	if (mode != PS_READ)
		s.is_stored[v->real] = False;
}

static void append_instr_with_assigned_reals(void *instr,
					     const struct ps_usage *u,
					     Short instr_no)
{
	struct ps_reg_remap places;

	places.n = (Int)u->n;
	for (UInt k = 0; k < u->n; k++) {
		UInt number = ps_reg_number(u->reg[k]);

		assign_real_and_reload_if_read(u->reg[k], u->mode[k], instr_no);
		places.virt[k] = u->reg[k];
		places.real[k] =
			s.host->universe->reg[s.live.virtual[number].real];
	}
	s.host->map_regs(&places, instr, s.host->is_64);
	append_output_instr(instr);
}

/* Release the real registers that are not used after instruction @instr_no:
   those of virtual registers that die there, which must be in @u, and reserved
   ones whose range ends there. */
static void release_reals_dead_after_instr(const struct ps_usage *u,
					   Short instr_no)
{
	for (UInt k = 0; k < u->n; k++) {
		struct ps_virtual
			*v = &s.live.virtual[ps_reg_number(u->reg[k])];

		if (v->end <= instr_no + 1)
			end_virtual_and_release_real(v);
	}
	for (ULong rest = s.reserved; rest; rest &= rest - 1) {
		UInt r = __builtin_ctzll(rest);
		struct ps_ranges *ranges = &s.live.real[r];

		if (ps_live_register_current_or_next_range(&s.live, r).end >
		    instr_no + 1)
			continue;
		release_real(r);
		if (ranges->current + 1 < ranges->n)
			ranges->current++;
	}
}

/* Transfer the real register or memory slot of the copy's source to its target.
   They are joined, so no instruction is emitted. If the target dies here,
   release its real register. */
static void transfer_register_or_slot_to_copy_target(const struct ps_usage *u,
						     Short instr_no)
{
	UInt number = ps_reg_number(u->to);
	struct ps_virtual *a = &s.live.virtual[ps_reg_number(u->from)];
	struct ps_virtual *b = &s.live.virtual[number];

	tl_assert(a->location != PS_NOWHERE);
	if (a->location == PS_IN_REGISTER)
		bind_real_to_virtual(a->real, number, s.is_stored[a->real]);
	b->location = a->location;
	a->location = PS_NOWHERE;
	if (b->end <= instr_no + 1)
		end_virtual_and_release_real(b);
}

/* Append @instr with real registers. A copy between joined registers is not
   appended; its location is transferred instead. */
static void append_allocated_instr(void *instr, Short instr_no)
{
	struct ps_usage *u = &s.live.usage[instr_no];

	if (u->is_move) {
		transfer_register_or_slot_to_copy_target(u, instr_no);
		return;
	}
	vacate_and_reserve_mentioned_reals(u, instr_no);
	if (u->n <= 2 && s.host->direct_reload)
		instr = fold_reload_into_instr_or_return_same(instr, u,
							      instr_no);
	append_instr_with_assigned_reals(instr, u, instr_no);
	release_reals_dead_after_instr(u, instr_no);
}

static void init_allocation_and_output_code(const struct ps_code *in,
					    const struct ps_host *host)
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

struct ps_code *ps_allocate_registers_or_null(const struct ps_code *in,
					      const struct ps_host *host)
{
	if (!ps_live_try_find_ranges_join_copies(&s.live, in, host))
		return NULL;
	init_allocation_and_output_code(in, host);
	for (Int i = 0; i < in->n; i++)
		append_allocated_instr(in->instr[i], (Short)i);
	return s.out;
}
