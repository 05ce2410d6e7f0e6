/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_slices.h - sets of slices of the guest's state, with what they hold
 *
 * A slice is the bytes that a GET reads or a PUT writes, from byte low to byte
 * high of the guest's state. Slices of a set may overlap. They are grouped by
 * 32 bytes of the state, which are four registers or one vector; no slice of
 * this guest crosses the border of a group.
 */
#ifndef VGTOOL_VEXOPT_STATE_SLICES_H
#define VGTOOL_VEXOPT_STATE_SLICES_H

#include "vgtool/vexopt/vex_prelude.h"

enum {
	PS_LOG_GROUP = 5,
	PS_N_GROUPS = 32,     /* the guest's state is less than 1 KiB */
	PS_MAX_IN_GROUP = 24, /* greatest number of slices of the guest's state
				 in a group */
};

struct ps_slice {
	UShort low;
	UShort high;
	IRTemp tmp;   /* temporary with its value, if `atom` is NULL; 0 if the
			 set has no values */
	IRExpr *atom; /* atom with its value, or NULL */
};

struct ps_slices {
	UInt used_groups; /* bit mask of the groups whose `n` is valid; the
			     others have no slices */
	UChar n[PS_N_GROUPS];
	struct ps_slice slice[PS_N_GROUPS][PS_MAX_IN_GROUP];
};

static inline void ps_slices_clear(struct ps_slices *s)
{
	s->used_groups = 0;
}

static inline UInt ps_slice_group_of_byte(Int state_byte)
{
	return (UInt)state_byte >> PS_LOG_GROUP;
}

/* Whether bytes @first_byte to @last_byte (inclusive) of the guest's state lie
   in one group, whether it has slices or not. Only such bytes can be a slice.
   */
static inline Bool ps_is_range_in_one_slice_group(Int first_byte, Int last_byte)
{
	return first_byte >= 0 &&
	       ps_slice_group_of_byte(first_byte) ==
		       ps_slice_group_of_byte(last_byte) &&
	       ps_slice_group_of_byte(first_byte) < PS_N_GROUPS;
}

/* Return the slice of @s with exactly the bytes @first_byte to @last_byte
   (inclusive); NULL if there is none. */
static inline struct ps_slice *
ps_slice_find_exact_or_null(struct ps_slices *s, Int first_byte, Int last_byte)
{
	UInt g = ps_slice_group_of_byte(first_byte);

	if (!(s->used_groups >> g & 1))
		return NULL;
	for (UInt i = 0; i < s->n[g]; i++)
		if (s->slice[g][i].low == first_byte &&
		    s->slice[g][i].high == last_byte)
			return &s->slice[g][i];
	return NULL;
}

/* Add the slice from byte @first_byte to byte @last_byte (inclusive), which @s
   does not contain, with the value @atom or, if that is NULL, @tmp. Return:
   False if its group is full; then nothing is added. */
static inline Bool ps_slice_add_if_room(struct ps_slices *s, Int first_byte,
					Int last_byte, IRTemp tmp, IRExpr *atom)
{
	UInt g = ps_slice_group_of_byte(first_byte);

	if (!(s->used_groups >> g & 1))
		s->n[g] = 0;
	if (s->n[g] == PS_MAX_IN_GROUP)
		return False;
	s->used_groups |= 1U << g;
	s->slice[g][s->n[g]++] = (struct ps_slice){
		(UShort)first_byte, (UShort)last_byte, tmp, atom};
	return True;
}

/* Remove from @s the slices that overlap bytes @first_byte to @last_byte
   (inclusive), which lie in one group. */
static inline void ps_slices_remove_overlapping(struct ps_slices *s,
						Int first_byte, Int last_byte)
{
	UInt g = ps_slice_group_of_byte(first_byte);
	UInt kept = 0;

	if (!(s->used_groups >> g & 1))
		return;
	for (UInt i = 0; i < s->n[g]; i++)
		if (s->slice[g][i].high < first_byte ||
		    s->slice[g][i].low > last_byte)
			s->slice[g][kept++] = s->slice[g][i];
	s->n[g] = (UChar)kept;
}

#endif
