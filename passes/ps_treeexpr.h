/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_treeexpr.h - what is pending moves into an expression
 *
 * Room:    passes.
 * Used by: ps_tree.c, ps_treestmt.c.
 */
#ifndef PS_TREEEXPR_H
#define PS_TREEEXPR_H

#include "passes/ps_pending.h"

/* As ps_move(), in each operand; what else it reads is added, too. */
IRExpr *ps_treeexpr(struct ps_trees *, IRExpr *);

/* In each of a vector. Return: @args, or a copy. */
IRExpr **ps_treeexpr_args(struct ps_trees *, IRExpr **args);

#endif
