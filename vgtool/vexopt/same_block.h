/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * same_block.h - whether two blocks are the same
 */
#ifndef VGTOOL_VEXOPT_SAME_BLOCK_H
#define VGTOOL_VEXOPT_SAME_BLOCK_H

#include "vgtool/vexopt/vex_prelude.h"

/* To the last bit of each constant, but for statements that do nothing, for
   copies of temporaries and constants, and for the numbers of temporaries. */
Bool ps_same(const IRSB *, const IRSB *);

#endif
