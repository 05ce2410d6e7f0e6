/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append.h - a block behind another one
 */
#ifndef VGTOOL_VEXOPT_APPEND_H
#define VGTOOL_VEXOPT_APPEND_H

#include "vgtool/vexopt/vex_prelude.h"

/**
 * ps_append() - Where a flat block goes on, another one follows, which says
 * where they both go on. Neither is shared with anything yet.
 *
 * Return: False: @more has what is not known, and nothing is changed.
 */
Bool ps_append(IRSB *sb, const IRSB *more);

/* Has a block that ends with an exit leave where it went on, and go on where it
   left. */
void ps_turn(IRSB *sb);

#endif
