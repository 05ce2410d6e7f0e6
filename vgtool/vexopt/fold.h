/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.h - folds constants and simplifies expressions
 *
 * The rules are those of Valgrind 3.19 for integers, except for those of
 * Iop_PopCount64.
 */
#ifndef VGTOOL_VEXOPT_FOLD_H
#define VGTOOL_VEXOPT_FOLD_H

#include "vgtool/vexopt/vex_prelude.h"

/*
 * ps_fold() - Simplify a flat expression.
 * @known: known values of temporaries
 *
 * Return: the expression, or a simpler one.
 */
IRExpr *ps_fold(IRExpr *const *known, IRExpr *);

#endif
