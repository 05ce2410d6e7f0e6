/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * same_block.h - compares two blocks
 */
#ifndef VGTOOL_VEXOPT_SAME_BLOCK_H
#define VGTOOL_VEXOPT_SAME_BLOCK_H

#include "vgtool/vexopt/vex_prelude.h"

/* Whether two blocks are equal, constants bit by bit. Ignored are no-ops,
   copies of temporaries and constants, and the numbers of temporaries. */
Bool ps_is_same_block(const IRSB *, const IRSB *);

#endif
