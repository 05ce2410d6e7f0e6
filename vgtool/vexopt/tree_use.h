/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_use.h - how often each temporary of a flat block is used
 */
#ifndef VGTOOL_VEXOPT_TREE_USE_H
#define VGTOOL_VEXOPT_TREE_USE_H

#include "vgtool/vexopt/vex_prelude.h"

enum { PS_UNUSED = 0, PS_USED_ONCE = 1, PS_USED_OFTEN = 3 };

/*
 * @uses: of each temporary, and one more that means nothing: one of these; all
 *        PS_UNUSED before
 * @last: the highest byte of an instruction; all ones: there is none
 *
 * Return: False: there is what tree_build.c leaves to VEX.
 */
Bool ps_treeuse(const IRSB *, UChar *uses, Addr *last);

#endif
