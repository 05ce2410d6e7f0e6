/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_same.h - whether two blocks are the same
 */
#ifndef PS_SAME_H
#define PS_SAME_H

#include "vgtool/vexopt/vex_prelude.h"

/* To the last bit of each constant, but for statements that do nothing, for
   copies of temporaries and constants, and for the numbers of temporaries. */
Bool ps_same(const IRSB *, const IRSB *);

#endif
