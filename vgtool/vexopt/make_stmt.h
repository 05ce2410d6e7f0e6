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
	IRExpr **known;		  /* by temporary: its known value, or
				     NULL; PS_MAX_TEMPS entries */
	struct ps_slices *slices; /* slices of the guest's state with known
				     values; NULL: not used */
	Bool failed;		  /* the pass has failed, and the block is left
				     to VEX */
};

/* Start a pass with room for @capacity statements, and no known values. Only
   one struct ps_stmt_list can be in use at a time, since all share static
   memory. */
void ps_make_init_stmt_list(struct ps_stmt_list *, IRTypeEnv *, Int capacity);

/* Return a copy of block @in with the statements of this pass, and @next as its
   next address. */
IRSB *ps_make_block_from_list(const struct ps_stmt_list *, const IRSB *in,
			      IRExpr *next);

void ps_make_double_list_capacity(struct ps_stmt_list *);

static inline void ps_stmt_list_add(struct ps_stmt_list *m, IRStmt *st)
{
	if (m->n == m->size)
		ps_make_double_list_capacity(m);
	m->stmts[m->n++] = st;
}

/* Return an atom (temporary or constant) that has the value of @e. If @e is an
   atom other than a constant F64i, this is its known atom, or else @e. If not,
   add a statement that writes @e to a new temporary; a GET whose value is known
   is not added. */
IRExpr *ps_flatten_to_atom(struct ps_stmt_list *, IRExpr *e);

/* Return @e with atoms as operands, and add the statements that compute these.
   Set failed if the kind of @e is not supported. */
IRExpr *ps_flatten_expr_operands(struct ps_stmt_list *, IRExpr *e);

/* Add the statement with atoms as operands, after the statements that compute
   these. Record the value of a PUT in the slices. Set failed for other kinds
   than NoOp, IMark, AbiHint, Put, Store and Exit. */
void ps_flatten_and_add_stmt(struct ps_stmt_list *, IRStmt *);

/* Return the known value of the slice that @get (a read of the guest's state)
   reads. If the slice is not known, record temporary @tmp as its value and
   return NULL. Also NULL if the value has another type, or on failure (failed
   is set). Defined in redundant_get.c. */
IRExpr *ps_make_known_get_value_or_note_temp(struct ps_stmt_list *,
					     const IRExpr *get, IRTemp tmp);

/* Record that the slice of the guest's state that begins at byte
   @first_state_byte and has the size of @atom has the value of @atom, and
   forget the slices that overlap it; if that is impossible, set failed. Adds no
   statement. Defined in redundant_get.c. */
void ps_stmt_list_set_value_of_state_slice(struct ps_stmt_list *,
					   Int first_state_byte, IRExpr *atom);

#endif
