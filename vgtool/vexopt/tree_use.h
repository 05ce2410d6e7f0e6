/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_use.h - counts the uses of each temporary of a flat block
 */
#ifndef VGTOOL_VEXOPT_TREE_USE_H
#define VGTOOL_VEXOPT_TREE_USE_H

#include "vgtool/vexopt/vex_prelude.h"

enum { PS_UNUSED = 0, PS_USED_ONCE = 1, PS_USED_OFTEN = 3 };

/*
 * ps_tree_count_uses_if_supported() - Count the uses of temporaries.
 * @uses: by temporary: set to PS_UNUSED, PS_USED_ONCE or PS_USED_OFTEN. All
 *        must be PS_UNUSED before the call. One more entry, after the last
 *        temporary's, serves as scratch memory.
 * @last_code_byte: set to the highest address of a byte of the block's guest
 *                  code, by its IMarks; all ones if it has none.
 *
 * Return: False if the block has something that tree_build.c leaves to VEX.
 */
Bool ps_tree_count_uses_if_supported(const IRSB *, UChar *uses,
				     Addr *last_code_byte);

#endif
