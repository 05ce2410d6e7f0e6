/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_slices.h - what is known of slices of the guest's state
 *
 * A slice is what one GET reads or one PUT writes, from byte low to byte high.
 * Those of a set may overlap. They are kept by groups of 32 bytes, four
 * registers or one vector, which no slice of this guest crosses.
 */
#ifndef VGTOOL_VEXOPT_STATE_SLICES_H
#define VGTOOL_VEXOPT_STATE_SLICES_H

#include "vgtool/vexopt/vex_prelude.h"

enum {
	PS_LOG_GROUP = 5,
	PS_N_GROUPS = 32, /* the guest's state is shorter */
	PS_IN_GROUP = 24, /* at most; more in none */
};

struct ps_slice {
	UShort low;
	UShort high;
	IRTemp tmp;   /* what it holds, */
	IRExpr *atom; /* unless it is this one */
};

struct ps_slices {
	UInt used; /* groups, by bits */
	UChar n[PS_N_GROUPS];
	struct ps_slice in[PS_N_GROUPS][PS_IN_GROUP];
};

static inline void ps_slices_empty(struct ps_slices *s)
{
	s->used = 0;
}

static inline UInt ps_group(Int low)
{
	return (UInt)low >> PS_LOG_GROUP;
}

/* Whether bytes @low to @high may be a slice. */
static inline Bool ps_is_slice(Int low, Int high)
{
	return low >= 0 && ps_group(low) == ps_group(high) &&
	       ps_group(low) < PS_N_GROUPS;
}

/* Return: the one from @low to @high; NULL: there is none. */
static inline struct ps_slice *ps_slice_find(struct ps_slices *s, Int low,
					     Int high)
{
	UInt g = ps_group(low);

	if (!(s->used >> g & 1))
		return NULL;
	for (UInt i = 0; i < s->n[g]; i++)
		if (s->in[g][i].low == low && s->in[g][i].high == high)
			return &s->in[g][i];
	return NULL;
}

/* Return: whether there was room. @low to @high is not there. */
static inline Bool ps_slice_add(struct ps_slices *s, Int low, Int high,
				IRTemp tmp, IRExpr *atom)
{
	UInt g = ps_group(low);

	if (!(s->used >> g & 1))
		s->n[g] = 0;
	if (s->n[g] == PS_IN_GROUP)
		return False;
	s->used |= 1U << g;
	s->in[g][s->n[g]++] =
		(struct ps_slice){(UShort)low, (UShort)high, tmp, atom};
	return True;
}

/* Removes what has a byte of @low to @high. */
static inline void ps_slices_remove(struct ps_slices *s, Int low, Int high)
{
	UInt g = ps_group(low);
	UInt left = 0;

	if (!(s->used >> g & 1))
		return;
	for (UInt i = 0; i < s->n[g]; i++)
		if (s->in[g][i].high < low || s->in[g][i].low > high)
			s->in[g][left++] = s->in[g][i];
	s->n[g] = (UChar)left;
}

#endif
