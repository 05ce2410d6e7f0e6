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
	struct ps_slices *slices; /* slices of the guest's state with known
				     values; NULL: not used */
	Bool failed;		  /* the pass has failed, and the block is left
				     to VEX */
};

/* Start a pass with room for @size statements, and no known values. Only one
   struct ps_stmt_list can be in use at a time, since all share static
   memory. */
void ps_make_init_stmt_list(struct ps_stmt_list *, IRTypeEnv *, Int size);

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

/* Return an atom (temporary or constant) that has the value of operand @e.
   Unless @e is one, add a statement that computes it. */
IRExpr *ps_flatten_to_atom(struct ps_stmt_list *, IRExpr *e);

/* Return @e with atoms as operands; add the statements that compute them. */
IRExpr *ps_flatten_expr_operands(struct ps_stmt_list *, IRExpr *e);

/* Add the statement with atoms as operands, and before it the statements that
   compute them. Not for statements that write temporaries. */
void ps_flatten_and_add_stmt(struct ps_stmt_list *, IRStmt *);

/* Look up a GET (read of the guest's state) among the known slices
   (redundant_get.c). Return: the known value; NULL if there is none, and then
   temporary @tmp is recorded as the slice's value. */
IRExpr *ps_make_find_get_value_or_record(struct ps_stmt_list *,
					 const IRExpr *get, IRTemp tmp);

/* Record that the slice of the guest's state at @offset has the value of atom
   @atom (redundant_get.c). */
void ps_make_set_slice_value(struct ps_stmt_list *, Int offset, IRExpr *atom);

#endif
