/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_pending.h - what temporaries are set to, until it is used
 */
#ifndef VGTOOL_VEXOPT_TREE_PENDING_H
#define VGTOOL_VEXOPT_TREE_PENDING_H

#include "vgtool/vexopt/atom.h"
#include "vgtool/vexopt/passes.h"

enum {
	PS_MOST_PENDING = 10,
	PS_PLACES = 16, /* a power of 2 */
	PS_NO_LOW = 0x7fffffff,
	PS_NO_HIGH = -1
};

/* What an expression depends on besides temporaries. */
struct ps_reads {
	Bool memory;
	Int low, high; /* all it reads of the guest's state lies there */
};

/* What a temporary is set to, not written out. */
struct ps_pending {
	IRStmt *st;    /* which did that */
	IRExpr *value; /* in trees; NULL: gone to where it is used */
	struct ps_reads reads;
};

/* A block that is being put in trees. */
struct ps_trees {
	const IRType *types; /* of temporaries */
	UChar *uses;	     /* of tree_use.h, or ps_pending_mark() */
	UInt none;	     /* a temporary that is never pending */
	UInt from, to, n_gone;
	struct ps_reads taken; /* by what has moved */
	struct ps_pending pending[PS_PLACES];
	IRStmt **out;
	ps_precise precise;
	VexRegisterUpdates when;
};

static const struct ps_reads ps_no_reads = {False, PS_NO_LOW, PS_NO_HIGH};

static inline struct ps_pending *ps_pending_at(struct ps_trees *t, UInt i)
{
	return &t->pending[i % PS_PLACES];
}

/* In the place of how often it is used: where the temporary's value is. */
static inline UChar ps_pending_mark(UInt i)
{
	return PS_PLACES + i % PS_PLACES;
}

static inline void ps_reads(struct ps_reads *r, Int low, Int high)
{
	r->low = low < r->low ? low : r->low;
	r->high = high > r->high ? high : r->high;
}

/* What @atom is set to, if that is pending, and it is not any more; or @atom.
   What it reads is added to taken. */
static inline IRExpr *ps_move(struct ps_trees *t, IRExpr *atom)
{
	Bool is_tmp = atom->tag == Iex_RdTmp;
	UInt tmp = atom->Iex.RdTmp.tmp; /* if so */
	UInt mark = t->uses[is_tmp ? tmp : t->none];
	struct ps_pending *p;
	IRExpr *value;

	if (mark < PS_PLACES)
		return atom;
	p = ps_pending_at(t, mark);
	ps_reads(&t->taken, p->reads.low, p->reads.high);
	t->taken.memory |= p->reads.memory;
	value = p->value;
	p->value = NULL;
	t->n_gone++;
	return value;
}

#endif
