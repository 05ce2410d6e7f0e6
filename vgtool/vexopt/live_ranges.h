/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_ranges.h - from where to where each register of a block's code lives
 *
 * Instructions are counted from 0. A register lives behind the one that writes
 * it first, and is dead before the one behind the last that mentions it.
 */
#ifndef VGTOOL_VEXOPT_LIVE_RANGES_H
#define VGTOOL_VEXOPT_LIVE_RANGES_H

#include "vgtool/vexopt/host_instr.h"

enum {
	PS_MOST_INSTRS = 15000, /* numbers are Shorts */
	PS_NEVER = -2,
};

enum ps_where { PS_NOWHERE, PS_IN_REGISTER, PS_IN_MEMORY };

/*
 * A virtual register. Where one is moved to another, and dies as that begins to
 * live, they are joined: they have one place.
 */
struct ps_virtual {
	Short begin;	  /* behind this instruction, or PS_NEVER */
	Short end;	  /* before this one */
	Short joined_end; /* of the last that it is joined to, or PS_NEVER */
	UShort memory;	  /* bytes, see ps_live_memory() */
	Int next;	  /* that it is joined to, or -1 */
	Int head;	  /* of those that are joined to it, or -1 */
	UChar class;
	UChar where;
	UChar real; /* where it is */
	Bool is_head;
};

/* When a real register is not to be given out. */
struct ps_range {
	Short begin;
	Short end;
};

struct ps_ranges {
	struct ps_range *at;
	UInt size;
	UInt n;
	UInt now; /* the one that is or comes next; past all of them the last */
};

struct ps_live {
	const struct ps_host *host;
	struct ps_usage *usage; /* by instruction */
	UInt n;
	struct ps_virtual *virtual;
	UInt n_virtual;
	ULong mentioned; /* real ones, of those that are given out */
	struct ps_ranges real[PS_MOST_REAL];
	Bool has_memory;
};

/* Return: False: VEX would complain. */
Bool ps_live_find(struct ps_live *, const struct ps_code *,
		  const struct ps_host *);

/* Where in memory @v is kept: bytes from the guest's state. */
UShort ps_live_memory(struct ps_live *, const struct ps_virtual *v);

/* When it and all that it is joined to is dead. */
static inline Short ps_live_end(const struct ps_virtual *v)
{
	return v->joined_end > v->end ? v->joined_end : v->end;
}

/* Of a real one that is mentioned. */
static inline struct ps_range ps_live_range(const struct ps_live *l, UInt real)
{
	return l->real[real].at[l->real[real].now];
}

#endif
