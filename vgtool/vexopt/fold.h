/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.h - expressions that are simpler than they are written
 *
 * Valgrind 3.19's rules, for whole numbers; but for those of Iop_PopCount64.
 */
#ifndef VGTOOL_VEXOPT_FOLD_H
#define VGTOOL_VEXOPT_FOLD_H

#include "vgtool/vexopt/vex_prelude.h"

/*
 * ps_fold() - simplifies a flat expression
 * @known:     of temporaries
 *
 * Return: it, or a simpler one.
 */
IRExpr *ps_fold(IRExpr *const *known, IRExpr *);

#endif
