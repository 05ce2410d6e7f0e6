/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_ranges.c - makes a descriptor of the instructions that lanes, the
 * thread filters of windows, select; see blocks.h
 */
#include <stdlib.h>
#include <string.h>

#include "lib/recover/blocks.h"
#include "proto/unit.h"

/* Arrays of a new descriptor, each allocated with as many elements as the array
   of the whole block. */
struct arrays {
	struct pt_instr *instr;
	struct pt_access *access;
	struct pt_exit *exit;
	uint64_t *lanes;
	struct pt_value *value;
	uint8_t *code;
};

/* Return the size [bytes] of the instructions' code; 0 if it is not known. */
static size_t total_code_bytes_or_0(const struct al_desc *d)
{
	size_t bytes = 0;

	for (unsigned i = 0; d->code && i < d->n_instrs; i++)
		bytes += d->instr[i].len;
	return bytes;
}

/* Return pointers to the arrays of a new descriptor in @memory: they lie there
   one after the other, each as long as the array of @d. */
static struct arrays lay_out_arrays_in_memory(void *memory,
					      const struct al_desc *d)
{
	struct arrays a;

	a.instr = memory;
	a.access = (void *)(a.instr + d->n_instrs);
	a.exit = (void *)(a.access + d->n_accesses);
	a.lanes = (void *)(a.exit + d->n_exits);
	a.value = (void *)(a.lanes + d->n_instrs);
	a.code = (void *)(a.value + d->n_accesses);
	return a;
}

enum al_selection
al_desc_selected_instrs_none_some_or_all(const struct al_desc *d,
					 uint64_t lane_bits)
{
	unsigned n = 0;

	if (d->instr_lanes == NULL)
		return d->lanes & lane_bits ? AL_SELECTS_ALL : AL_SELECTS_NONE;
	for (unsigned i = 0; i < d->n_instrs; i++)
		n += (d->instr_lanes[i] & lane_bits) != 0;
	return n == d->n_instrs ? AL_SELECTS_ALL
	       : n > 0		? AL_SELECTS_SOME
				: AL_SELECTS_NONE;
}

/* Copy the instructions of @d that at least one of @lanes selects, with their
   code and lanes, to the arrays @a, and set n_instrs and lanes of @to.
   @selected_instrs_before: [d->n_instrs + 1] receives for each instruction of
   @d, and for the end, the number of selected instructions before it. */
static void copy_selected_instrs_not_their_accesses(
	struct al_desc *to, const struct al_desc *d, uint64_t lanes,
	struct arrays *a, uint16_t *selected_instrs_before)
{
	const uint8_t *from = d->code;
	uint8_t *code = a->code;
	uint16_t n = 0;

	to->lanes = 0;
	for (unsigned i = 0; i < d->n_instrs; i++) {
		uint64_t selected = al_desc_lanes_of_instr(d, i) & lanes;

		selected_instrs_before[i] = n;
		if (selected != 0) {
			a->instr[n] = d->instr[i];
			a->lanes[n++] = selected;
			to->lanes |= selected;
			if (from)
				code = mempcpy(code, from, d->instr[i].len);
		}
		if (from)
			from += d->instr[i].len;
	}
	selected_instrs_before[d->n_instrs] = n;
	to->n_instrs = n;
}

/* Copy the accesses of the selected instructions to the arrays @a, and set
   n_accesses of @to and of each exit to the number of copied accesses before
   it. @selected_instrs_before: as set by
   copy_selected_instrs_not_their_accesses(). */
static void
copy_selected_accesses_fix_exits(struct al_desc *to, const struct al_desc *d,
				 struct arrays *a,
				 const uint16_t *selected_instrs_before)
{
	uint16_t n = 0;
	unsigned e = 0;

	for (unsigned i = 0; i <= d->n_accesses; i++) {
		const struct pt_access *from = &d->access[i];

		for (; e < d->n_exits && d->exit[e].n_accesses == i; e++)
			a->exit[e].n_accesses = n;
		if (i == d->n_accesses ||
		    selected_instrs_before[from->instr] ==
			    selected_instrs_before[from->instr + 1])
			continue;
		a->access[n] = *from;
		if (d->value)
			a->value[n] = d->value[i];
		a->access[n++].instr = selected_instrs_before[from->instr];
	}
	to->n_accesses = n;
}

struct al_desc *al_desc_new_of_selected_instrs(const struct al_desc *d,
					       uint64_t lanes)
{
	uint16_t index[PT_MAX_INSTRS + 1];
	struct al_desc *to = malloc(
		sizeof(*to) +
		d->n_instrs * (sizeof(*to->instr) + sizeof(lanes)) +
		d->n_accesses * (sizeof(*to->access) + sizeof(*to->value)) +
		d->n_exits * sizeof(*to->exit) + total_code_bytes_or_0(d));
	struct arrays a;

	if (to == NULL)
		return NULL;
	a = lay_out_arrays_in_memory(to + 1, d);
	*to = *d;
	to->n_passed_exits = 0; /* the branches of passed exits may
				   not be selected */
	memcpy(a.exit, d->exit, d->n_exits * sizeof(*a.exit));
	copy_selected_instrs_not_their_accesses(to, d, lanes, &a, index);
	copy_selected_accesses_fix_exits(to, d, &a, index);
	for (unsigned e = 0; e < d->n_exits; e++)
		a.exit[e].n_instrs = index[d->exit[e].n_instrs];
	to->instr = a.instr;
	to->access = a.access;
	to->exit = a.exit;
	to->instr_lanes = a.lanes;
	to->value = d->value ? a.value : NULL;
	to->code = d->code ? a.code : NULL;
	return to;
}
