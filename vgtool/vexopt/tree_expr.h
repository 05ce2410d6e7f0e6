/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_expr.h - moves pending values into an expression
 */
#ifndef VGTOOL_VEXOPT_TREE_EXPR_H
#define VGTOOL_VEXOPT_TREE_EXPR_H

#include "vgtool/vexopt/map_operands.h"
#include "vgtool/vexopt/tree_pending.h"

/* Apply ps_move() to each operand, and add what the expression itself reads to
   taken. */
IRExpr *ps_treeexpr(struct ps_trees *, IRExpr *);

/* ps_move() with the type of map_operands.h */
static inline IRExpr *ps_treeexpr_operand(void *trees, IRExpr *e)
{
	return ps_move(trees, e);
}

#endif
