/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live_ranges.c - finds the live ranges of registers; see live_ranges.h */

#include "vgtool/vexopt/live_ranges.h"

/* Whether the host has allocatable real registers of class @class. */
static Bool has_allocatable_register_of_class(const struct ps_universe *u,
					      UInt class)
{
	return class <= PS_MAX_CLASS && u->first[class] < u->n_allocatable;
}

static Bool extend_virtual_range_if_valid(struct ps_live *l, struct ps_reg r,
					  enum ps_mode mode, Short instr_no)
{
	struct ps_virtual *v;

	if (ps_reg_number(r) >= l->n_virtual)
		return False;
	v = &l->virtual[ps_reg_number(r)];
	if (v->begin == PS_NEVER) {
		v->begin = instr_no;
		v->class = ps_reg_class(r);
		if (mode != PS_WRITTEN || !has_allocatable_register_of_class(
						  l->host->universe, v->class))
			return False;
	}
	v->end = instr_no + 1;
	return v->class == ps_reg_class(r);
}

static void append_new_range_of_one_instr(struct ps_ranges *r, Short instr_no)
{
	struct ps_range *old = r->range;

	if (r->n == r->size) {
		r->size = r->size ? 2 * r->size : 4;
		r->range = PS_NEW(r->size, struct ps_range);
		for (UInt k = 0; k < r->n; k++)
			r->range[k] = old[k];
	}
	r->range[r->n++] = (struct ps_range){instr_no, instr_no + 1};
}

static Bool extend_real_ranges_if_valid(struct ps_live *l,
					const struct ps_usage *u,
					Short instr_no)
{
	UInt n_given = l->host->universe->n_allocatable;
	ULong given = n_given < 64 ? (1ULL << n_given) - 1 : ~0ULL;

	for (ULong rest = (u->read | u->written) & given; rest;
	     rest &= rest - 1) {
		UInt r = __builtin_ctzll(rest);
		struct ps_ranges *ranges = &l->real[r];

		if (!(u->read >> r & 1)) {
			l->mentioned |= 1ULL << r;
			append_new_range_of_one_instr(ranges, instr_no);
		} else if (ranges->n == 0) {
			return False;
		} else {
			ranges->range[ranges->n - 1].end = instr_no + 1;
		}
	}
	return True;
}

static Bool record_instr_usage_if_valid(struct ps_live *l, const void *instr,
					Short instr_no)
{
	struct ps_usage *u = &l->usage[instr_no];

	l->host->usage(u, instr, l->host->is_64);
	for (UInt k = 0; k < u->n; k++)
		if (!extend_virtual_range_if_valid(l, u->reg[k], u->mode[k],
						   instr_no))
			return False;
	return !(u->read | u->written) ||
	       extend_real_ranges_if_valid(l, u, instr_no);
}

static Bool is_move_between_virtuals(const struct ps_usage *u)
{
	return u->is_move && ps_reg_is_virtual(u->from) &&
	       ps_reg_is_virtual(u->to);
}

/* Join source and target of the copy with number @instr_no and usage @u into a
   chain, if they have the same class and the target begins to live at the copy,
   where the source dies. Set is_move of @u to whether they are joined. */
static void join_copied_virtuals_or_clear_is_move(struct ps_live *l,
						  struct ps_usage *u,
						  Short instr_no)
{
	UInt from = ps_reg_number(u->from), to = ps_reg_number(u->to);
	struct ps_virtual *a = &l->virtual[from], *b = &l->virtual[to];

	u->is_move = from != to && a->class == b->class &&
		     a->end == instr_no + 1 && b->begin == instr_no;
	if (!u->is_move)
		return;
	a->next = (Int)to;
	a->is_head = a->head < 0;
	b->head = a->is_head ? (Int)from : a->head;
	l->virtual[b->head].joined_end = b->end;
}

/* Copy joined_end from @head to the other registers of its chain. */
static void copy_live_end_to_joined_virtuals(struct ps_live *l,
					     const struct ps_virtual *head)
{
	for (Int next = head->next; next >= 0; next = l->virtual[next].next)
		l->virtual[next].joined_end = head->joined_end;
}

/* Join source and target of each copy between virtual registers where that is
   possible. Afterwards is_move is set only for copies between joined registers.
   */
static void join_virtuals_of_all_copies(struct ps_live *l)
{
	Bool any = False;

	for (UInt i = 0; i < l->n; i++)
		if (is_move_between_virtuals(&l->usage[i])) {
			join_copied_virtuals_or_clear_is_move(l, &l->usage[i],
							      (Short)i);
			any |= l->usage[i].is_move;
		} else {
			l->usage[i].is_move = False;
		}
	for (UInt v = 0; any && v < l->n_virtual; v++)
		if (l->virtual[v].is_head)
			copy_live_end_to_joined_virtuals(l, &l->virtual[v]);
}

Bool ps_live_try_find_ranges_join_copies(struct ps_live *l,
					 const struct ps_code *code,
					 const struct ps_host *host)
{
	static const struct ps_virtual unknown = {
		PS_NEVER, PS_NEVER, PS_NEVER, 0, -1, -1, 0, 0, 0, 0};

	if (code->n > PS_MAX_INSTRS)
		return False;
	l->host = host;
	l->n = (UInt)code->n;
	l->n_virtual = (UInt)code->n_virtual;
	l->usage = PS_NEW(l->n, struct ps_usage);
	l->virtual = PS_NEW(l->n_virtual, struct ps_virtual);
	l->mentioned = 0;
	l->has_memory = False;
	for (UInt v = 0; v < l->n_virtual; v++)
		l->virtual[v] = unknown;
	for (UInt r = 0; r < host->universe->n_allocatable; r++)
		l->real[r] = (struct ps_ranges){NULL, 0, 0, 0};
	for (UInt i = 0; i < l->n; i++)
		if (!record_instr_usage_if_valid(l, code->instr[i], (Short)i))
			return False;
	join_virtuals_of_all_copies(l);
	return True;
}

enum { SLOT = 8, SLOTS = LibVEX_N_SPILL_BYTES / SLOT };

/* By memory slot (8 bytes of the spill area): number of the first instruction
   at which the slot is free. */
static Short slot_free_at[SLOTS];

/* Allocate @slot_count (1 or 2) consecutive slots from the begin of @v to the
   end of its chain; the number of the first is a multiple of @slot_count.
   Return that number. If none are free, end Valgrind with a message. */
static UInt allocate_spill_slots_get_first_or_panic(const struct ps_virtual *v,
						    UInt slot_count)
{
	UInt slot = 0;

	while (slot_free_at[slot] > v->begin ||
	       slot_free_at[slot + slot_count - 1] > v->begin) {
		slot += slot_count;
		if (slot >= SLOTS)
			VG_(tool_panic)("no memory for registers left");
	}
	slot_free_at[slot] = slot_free_at[slot + slot_count - 1] =
		ps_live_range_end_of_register_chain(v);
	return slot;
}

/* Assign memory (1 or 2 slots) to each virtual register that an instruction
   mentions, so that the register can be spilled there. Registers are processed
   in the order of their numbers, and those joined in a chain share their
   memory. Few blocks spill, so this is done when the first register is
   spilled. */
static void allocate_spill_memory_of_all_virtuals(struct ps_live *l)
{
	VG_(memset)(slot_free_at, 0, sizeof(slot_free_at));
	for (UInt i = 0; i < l->n_virtual; i++) {
		struct ps_virtual *v = &l->virtual[i];
		Bool is_wide =
			v->class == PS_CLASS_F64 || v->class == PS_CLASS_V128;

		/* The spill area follows the guest's state and its two
		   shadows. */
		if (v->begin != PS_NEVER && v->head < 0)
			v->memory = l->host->guest_size * 3 +
				    allocate_spill_slots_get_first_or_panic(
					    v, is_wide ? 2 : 1) *
					    SLOT;
	}
	l->has_memory = True;
}

UShort ps_live_spill_offset(struct ps_live *l, const struct ps_virtual *v)
{
	if (!l->has_memory)
		allocate_spill_memory_of_all_virtuals(l);
	return v->head < 0 ? v->memory : l->virtual[v->head].memory;
}
