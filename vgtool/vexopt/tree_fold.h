/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_treefold.h - what a tree shows that flat code does not
 *
 * The rules are those of VEX's tree builder. None drops an operand other than a
 * constant.
 */
#ifndef PS_TREEFOLD_H
#define PS_TREEFOLD_H

#include "vgtool/vexopt/vex_prelude.h"

/* An expression that means as much as @op of its operands. */
IRExpr *ps_treefold_unop(IROp, IRExpr *);
IRExpr *ps_treefold_binop(IROp, IRExpr *, IRExpr *);

#endif
