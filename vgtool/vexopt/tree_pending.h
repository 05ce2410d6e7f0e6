/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_pending.h - values of temporaries that are not emitted yet
 */
#ifndef VGTOOL_VEXOPT_TREE_PENDING_H
#define VGTOOL_VEXOPT_TREE_PENDING_H

#include "vgtool/vexopt/atom.h"
#include "vgtool/vexopt/passes.h"

enum {
	PS_MAX_PENDING = 10,
	PS_PENDING_SLOTS = 16, /* a power of 2; more than PS_MAX_PENDING */
	PS_NO_LOW = 0x7fffffff,
	PS_NO_HIGH = -1
};

/* State that an expression reads, in addition to temporaries. */
struct ps_reads {
	Bool memory;
	Int low, high; /* first and last byte of a range of the guest's state
			  that contains all bytes that it reads; PS_NO_LOW,
			  PS_NO_HIGH: it reads none */
};

/* A pending write of a temporary. */
struct ps_pending {
	IRStmt *st;    /* the statement of the block that writes the
			  temporary */
	IRExpr *value; /* its value, a tree; NULL: moved to its use, or
			  emitted */
	struct ps_reads reads;
};

/* State of a block that is turned into trees. */
struct ps_trees {
	const IRType *types; /* types of temporaries */
	/* by temporary: use count of tree_use.h, or
	   ps_encode_pending_index_as_uses_entry() while its value is pending */
	UChar *uses;
	UInt dummy_temp; /* number of an extra entry of `uses`, for operands
				that are no temporaries */
	UInt oldest, end, n_moved; /* index of the oldest entry; index after the
				      newest one; of the entries in this range,
				      the number with `value` NULL */
	struct ps_reads
		moved_reads; /* state that the present expression reads, with
				the values moved into it */
	struct ps_pending pending[PS_PENDING_SLOTS];
	IRStmt **out;
	ps_precise_fn precise;
	VexRegisterUpdates reg_updates;
};

static const struct ps_reads ps_no_reads = {False, PS_NO_LOW, PS_NO_HIGH};

static inline struct ps_pending *ps_pending_entry_of_index(struct ps_trees *t,
							   UInt pending_index)
{
	return &t->pending[pending_index % PS_PENDING_SLOTS];
}

/* Return the number that ps_trees.uses has for a temporary while its value is
   pending with index @pending_index. */
static inline UChar ps_encode_pending_index_as_uses_entry(UInt pending_index)
{
	return PS_PENDING_SLOTS + pending_index % PS_PENDING_SLOTS;
}

static inline void ps_reads_extend_state_range(struct ps_reads *r, Int low,
					       Int high)
{
	r->low = low < r->low ? low : r->low;
	r->high = high > r->high ? high : r->high;
}

/* Return the value of @atom if it is a temporary whose value is pending, which
   it then is no longer; else @atom. Add the state that the value reads to
   moved_reads. */
static inline IRExpr *ps_pending_pop_value_or_atom(struct ps_trees *t,
						   IRExpr *atom)
{
	Bool is_tmp = atom->tag == Iex_RdTmp;
	UInt tmp = atom->Iex.RdTmp.tmp; /* valid only if is_tmp */
	UInt mark = t->uses[is_tmp ? tmp : t->dummy_temp];
	struct ps_pending *p;
	IRExpr *value;

	if (mark < PS_PENDING_SLOTS)
		return atom;
	p = ps_pending_entry_of_index(t, mark);
	ps_reads_extend_state_range(&t->moved_reads, p->reads.low,
				    p->reads.high);
	t->moved_reads.memory |= p->reads.memory;
	value = p->value;
	p->value = NULL;
	t->n_moved++;
	return value;
}

#endif
