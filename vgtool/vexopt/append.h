/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append.h - appends a block to another one, and inverts the branch that ends
 *            a block
 */
#ifndef VGTOOL_VEXOPT_APPEND_H
#define VGTOOL_VEXOPT_APPEND_H

#include "vgtool/vexopt/vex_prelude.h"

/**
 * ps_try_append_block() - Append flat block @appended to flat block @sb.
 *
 * Afterwards @sb has the jump and next address of @appended. The statements and
 * expressions of both blocks must not be shared with other blocks yet.
 *
 * Return: False if @appended has an unknown kind of statement or expression;
 *         then @sb is not changed.
 */
Bool ps_try_append_block(IRSB *sb, const IRSB *appended);

/* Exchange the two destinations of the conditional branch that ends a block,
   and invert its guard. The last statement must be the exit, and the block's
   next address a constant. */
void ps_invert_final_branch(IRSB *sb);

#endif
