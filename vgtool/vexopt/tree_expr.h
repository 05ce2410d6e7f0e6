/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_treeexpr.h - what is pending moves into an expression
 */
#ifndef PS_TREEEXPR_H
#define PS_TREEEXPR_H

#include "vgtool/vexopt/map_operands.h"
#include "vgtool/vexopt/tree_pending.h"

/* As ps_move(), in each operand; what else it reads is added, too. */
IRExpr *ps_treeexpr(struct ps_trees *, IRExpr *);

/* For ps_map.h. */
static inline IRExpr *ps_treeexpr_operand(void *trees, IRExpr *e)
{
	return ps_move(trees, e);
}

#endif
