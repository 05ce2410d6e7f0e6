/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_fold.h - what a tree shows that flat code does not
 *
 * The rules are those of VEX's tree builder. None drops an operand other than a
 * constant.
 */
#ifndef VGTOOL_VEXOPT_TREE_FOLD_H
#define VGTOOL_VEXOPT_TREE_FOLD_H

#include "vgtool/vexopt/vex_prelude.h"

/* An expression that means as much as @op of its operands. */
IRExpr *ps_treefold_unop(IROp, IRExpr *);
IRExpr *ps_treefold_binop(IROp, IRExpr *, IRExpr *);

#endif
