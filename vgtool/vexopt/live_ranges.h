/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_ranges.h - live ranges of the registers of a block's code
 *
 * Instructions are counted from 0. A register lives from the instruction that
 * first writes it (exclusively) to the last one that mentions it (inclusively).
 */
#ifndef VGTOOL_VEXOPT_LIVE_RANGES_H
#define VGTOOL_VEXOPT_LIVE_RANGES_H

#include "vgtool/vexopt/host_instr.h"

enum {
	PS_MAX_INSTRS = 15000, /* instruction numbers fit into a Short */
	PS_NEVER = -2,
};

enum ps_location { PS_NOWHERE, PS_IN_REGISTER, PS_IN_MEMORY };

/*
 * A virtual register. If one is copied to another and dies there, and the other
 * begins to live there, they are joined into a chain and share one register or
 * memory slot.
 */
struct ps_virtual {
	Short begin;	  /* lives after this instruction; PS_NEVER: unused */
	Short end;	  /* dead before this instruction */
	Short joined_end; /* end of the chain's last register; PS_NEVER: not
			     joined */
	UShort memory;	  /* offset; see ps_live_spill_offset() */
	Int next;	  /* number of the next register of the chain, or -1 */
	Int head;	  /* number of the chain's first register; -1: it is
			     the first or alone */
	UChar class;
	UChar location;
	UChar real; /* its register, if PS_IN_REGISTER */
	Bool is_head;
};

/* A range of instructions in which a real register must not be allocated. */
struct ps_range {
	Short begin;
	Short end;
};

struct ps_ranges {
	struct ps_range *range;
	UInt size;
	UInt n;
	UInt current; /* index of the range that is current or comes next; the
		     last one when all are past */
};

struct ps_live {
	const struct ps_host *host;
	struct ps_usage *usage; /* by instruction */
	UInt n;
	struct ps_virtual *virtual;
	UInt n_virtual;
	ULong mentioned; /* allocatable real registers that instructions
			    mention; bit by number */
	struct ps_ranges real[PS_MAX_REAL];
	Bool has_memory;
};

/* Find the live ranges of @code. Return: False: the code is invalid or too
   long, and VEX reports it. */
Bool ps_live_find_ranges(struct ps_live *, const struct ps_code *,
			 const struct ps_host *);

/* Return the memory in which @v is spilled: offset from the guest's state in
   bytes. */
UShort ps_live_spill_offset(struct ps_live *, const struct ps_virtual *v);

/* Return the end of the chain of @v, or of @v if it is not joined. */
static inline Short ps_live_chain_end(const struct ps_virtual *v)
{
	return v->joined_end > v->end ? v->joined_end : v->end;
}

/* Return the current or next range of real register @real, which some
   instruction must mention. */
static inline struct ps_range ps_live_current_range(const struct ps_live *l,
						    UInt real)
{
	return l->real[real].range[l->real[real].current];
}

#endif
