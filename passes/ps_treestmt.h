/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_treestmt.h - what is pending moves into a statement
 *
 * Room:    passes.
 * Used by: ps_tree.c.
 */
#ifndef PS_TREESTMT_H
#define PS_TREESTMT_H

#include "passes/ps_passes.h"

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
	UChar *uses;	     /* of ps_treeuse.h, or ps_pending_mark() */
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

/* What @atom is set to, if that is pending, and it is not any more; or @atom. */
IRExpr *ps_treestmt_atom(struct ps_trees *, IRExpr *atom);

/* As above, in each operand; what it then reads is added to taken. */
IRExpr *ps_treestmt_expr(struct ps_trees *, IRExpr *);

/* As above, in a statement; taken means nothing. */
IRStmt *ps_treestmt(struct ps_trees *, IRStmt *);

/* Bytes of an atom. */
Int ps_treestmt_size(const struct ps_trees *, const IRExpr *atom);

#endif
