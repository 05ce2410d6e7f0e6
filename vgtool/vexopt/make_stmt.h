/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_stmt.h - collects the statements that a pass makes
 *
 * Statements and expressions in which nothing has changed are reused.
 */
#ifndef VGTOOL_VEXOPT_MAKE_STMT_H
#define VGTOOL_VEXOPT_MAKE_STMT_H

#include "vgtool/vexopt/atom.h"
#include "vgtool/vexopt/state_slices.h"

struct ps_stmt_list {
	IRStmt **stmts;
	Int n;
	Int size;
	IRTypeEnv *types;	  /* types of the temporaries */
	IRExpr **known;		  /* known values of temporaries;
				     PS_MAX_TEMPS entries */
	struct ps_slices *slices; /* known slices of the guest's state; NULL:
				     not used */
	Bool failed;		  /* the block is left to VEX */
};

/* Start a pass with room for @size statements, and no known values. Only one
   struct ps_stmt_list can be in use at a time, since they share static
   memory. */
void ps_make_begin(struct ps_stmt_list *, IRTypeEnv *, Int size);

/* Return a copy of block @in with the statements of this pass, and @next as its
   next address. */
IRSB *ps_make_block(const struct ps_stmt_list *, const IRSB *in, IRExpr *next);

void ps_make_enlarge_list(struct ps_stmt_list *);

static inline void ps_make_add_stmt(struct ps_stmt_list *m, IRStmt *st)
{
	if (m->n == m->size)
		ps_make_enlarge_list(m);
	m->stmts[m->n++] = st;
}

/* Return an atom for operand @e; make a statement that computes @e unless it is
   one. */
IRExpr *ps_make_operand(struct ps_stmt_list *, IRExpr *e);

/* Return @e with atoms as operands. */
IRExpr *ps_make_flat_expr(struct ps_stmt_list *, IRExpr *e);

/* Add the statement with atoms as operands. Not for statements that write
   temporaries. */
void ps_make_flat_stmt(struct ps_stmt_list *, IRStmt *);

/* Look up a GET among the slices of the guest's state (redundant_get.c).
   Return: the known value; NULL: none, and the slice has the value of temporary
   @tmp from now on. */
IRExpr *ps_make_find_get(struct ps_stmt_list *, const IRExpr *get, IRTemp tmp);

/* Record that the slice at @offset has the value @atom (redundant_get.c). */
void ps_make_set_slice(struct ps_stmt_list *, Int offset, IRExpr *atom);

#endif
