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
 * A virtual register. If one is copied to another and dies at the copy, and the
 * other begins to live there, they are joined into a chain and share one real
 * register or memory slot.
 */
struct ps_virtual {
	Short begin;	  /* number of the instruction that first writes it;
			     PS_NEVER: no instruction mentions it */
	Short end;	  /* number of the last instruction that mentions it,
			     plus 1 */
	Short joined_end; /* `end` of the last register of its chain; PS_NEVER:
			     it is in no chain */
	UShort memory;	  /* offset [bytes] at which it is spilled, see
			   ps_live_spill_offset() */
	Int next;	  /* number of the next register of the chain, or -1 */
	Int head;	  /* number of the first register of its chain; -1: it
			     is the first, or in no chain */
	UChar class;
	UChar location;
	UChar real; /* number of its real register, if PS_IN_REGISTER */
	Bool is_head;
};

/* Instructions, @begin inclusive to @end exclusive, in which a real register
   must not be allocated to a virtual one, because the code itself uses it
   there. */
struct ps_range {
	Short begin;
	Short end;
};

struct ps_ranges {
	struct ps_range *range;
	UInt size;
	UInt n;
	UInt current; /* index of the range that contains the current
			 instruction; if none does, of the next range; if
			 there is no next one, of the last range */
};

struct ps_live {
	const struct ps_host *host;
	struct ps_usage *usage; /* by instruction: the registers that it
				   mentions */
	UInt n;
	struct ps_virtual *virtual;
	UInt n_virtual;
	ULong mentioned; /* bit r: an instruction of the code, before registers
			    are allocated, names allocatable real register r */
	struct ps_ranges real[PS_MAX_REAL];
	Bool has_memory;
};

/* Find the live ranges of the virtual and real registers of a code, and join
   the virtual registers of its copies. Return: False if the code is invalid or
   has more than PS_MAX_INSTRS instructions; it is then left to VEX, which
   reports errors. */
Bool ps_live_try_find_ranges_join_copies(struct ps_live *,
					 const struct ps_code *,
					 const struct ps_host *);

/* Return the offset of the slot to which @v is spilled, in bytes from the start
   of the guest's state; the slots follow the state and its two shadows. The
   first call assigns slots to all virtual registers. */
UShort ps_live_spill_offset(struct ps_live *, const struct ps_virtual *v);

/* Return `end` of the last register of the chain of @v; if @v is in no chain,
   its own. */
static inline Short
ps_live_range_end_of_register_chain(const struct ps_virtual *v)
{
	return v->joined_end > v->end ? v->joined_end : v->end;
}

/* Return the range of real register @real that contains the current
   instruction; if none does, the next range, or the last one if there is no
   next. @real must have a range. */
static inline struct ps_range
ps_live_register_current_or_next_range(const struct ps_live *l, UInt real)
{
	return l->real[real].range[l->real[real].current];
}

#endif
