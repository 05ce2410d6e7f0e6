/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_expr.h - moves pending values into an expression or a statement
 */
#ifndef VGTOOL_VEXOPT_TREE_EXPR_H
#define VGTOOL_VEXOPT_TREE_EXPR_H

#include "vgtool/vexopt/map_operands.h"
#include "vgtool/vexopt/tree_pending.h"

/* Return the expression with each operand whose value is pending replaced by
   that value, which is then no longer pending. Add the state that the
   expression reads to moved_reads. */
IRExpr *ps_tree_move_pending_into_expr(struct ps_trees *, IRExpr *);

/* Call ps_pending_pop_value_or_atom(), with the type ps_operand_mapper. */
static inline IRExpr *ps_tree_pop_operand_value_or_atom(void *trees, IRExpr *e)
{
	return ps_pending_pop_value_or_atom(trees, e);
}

/* Return the statement with each operand whose value is pending replaced by
   that value, which is then no longer pending. */
IRStmt *ps_tree_move_pending_into_stmt(struct ps_trees *, IRStmt *);

#endif
