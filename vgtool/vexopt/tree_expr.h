/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_expr.h - what is pending moves into an expression
 */
#ifndef VGTOOL_VEXOPT_TREE_EXPR_H
#define VGTOOL_VEXOPT_TREE_EXPR_H

#include "vgtool/vexopt/map_operands.h"
#include "vgtool/vexopt/tree_pending.h"

/* As ps_move(), in each operand; what else it reads is added, too. */
IRExpr *ps_treeexpr(struct ps_trees *, IRExpr *);

/* For map_operands.h. */
static inline IRExpr *ps_treeexpr_operand(void *trees, IRExpr *e)
{
	return ps_move(trees, e);
}

#endif
