/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append.h - appends a block to another one
 */
#ifndef VGTOOL_VEXOPT_APPEND_H
#define VGTOOL_VEXOPT_APPEND_H

#include "vgtool/vexopt/vex_prelude.h"

/**
 * ps_append_block() - Append flat block @more to flat block @sb.
 *
 * Afterwards @sb has the jump and next address of @more. The statements and
 * expressions of both blocks must not be shared with other blocks yet.
 *
 * Return: False if @more has an unknown kind of statement or expression; then
 *         @sb is not changed.
 */
Bool ps_append_block(IRSB *sb, const IRSB *more);

/* Exchange the two destinations of the conditional branch that ends a block,
   and invert its guard. The last statement must be the exit, and the block's
   next address a constant. */
void ps_swap_exits(IRSB *sb);

#endif
