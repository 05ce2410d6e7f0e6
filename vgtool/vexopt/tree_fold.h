/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_fold.h - folds operations whose operands are trees
 *
 * The rules are those of VEX's tree builder. They drop no operands except
 * constants.
 */
#ifndef VGTOOL_VEXOPT_TREE_FOLD_H
#define VGTOOL_VEXOPT_TREE_FOLD_H

#include "vgtool/vexopt/vex_prelude.h"

/* Return the operation with these operands, simplified if a rule applies. */
IRExpr *ps_tree_make_folded_unop(IROp, IRExpr *);
IRExpr *ps_tree_make_binop_or_fold_known_pattern(IROp, IRExpr *, IRExpr *);

#endif
