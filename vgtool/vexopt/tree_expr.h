/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_expr.h - moves pending values into an expression or a statement
 */
#ifndef VGTOOL_VEXOPT_TREE_EXPR_H
#define VGTOOL_VEXOPT_TREE_EXPR_H

#include "vgtool/vexopt/map_operands.h"
#include "vgtool/vexopt/tree_pending.h"

/* Apply ps_pending_pop() to each operand, and add what the expression itself reads to
   taken. */
IRExpr *ps_tree_move_expr(struct ps_trees *, IRExpr *);

/* ps_pending_pop() with the type of map_operands.h */
static inline IRExpr *ps_tree_move_operand(void *trees, IRExpr *e)
{
	return ps_pending_pop(trees, e);
}

/* Apply ps_pending_pop() to each operand of a statement. */
IRStmt *ps_tree_move_stmt(struct ps_trees *, IRStmt *);

#endif
