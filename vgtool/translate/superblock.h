/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * superblock.h - extends a block along its most frequent branch
 *
 * A unit records one execution of a block. Its cost is the cursor, the header
 * and a jump into the next block, in the program and again in the daemon; the
 * contents of the block cost less. VEX ends a block at a conditional branch. If
 * branch_profile.h knows which side is executed mostly, the block at that side
 * is appended. Then one unit records both.
 *
 * The appended block is all that VEX makes of the code at that address,
 * optimised separately. VEX removes loads that nothing needs, and would find
 * more of them if it knew the preceding code. Optimised separately, each load
 * is counted, or not, as without superblocks.
 */
#ifndef VGTOOL_TRANSLATE_SUPERBLOCK_H
#define VGTOOL_TRANSLATE_SUPERBLOCK_H

#include <libvex_ir.h>

#include "vgtool/core/prelude.h"

/**
 * vt_superblock_try_translate_likely_next() - Make the block that extends the
 * current translation.
 * @sb: the block so far, optimised.
 * @next_addr: receives the address of the next block.
 *
 * Return: the next block, not optimised; NULL: the block is not extended.
 */
IRSB *vt_superblock_try_translate_likely_next(const IRSB *sb, Addr *next_addr);

/* Append @next_block to @sb. @next_block: the block that
   vt_superblock_try_translate_likely_next() has returned last, optimised since.
   Return: False if that is impossible; then @sb remains a valid block without
   @next_block, though its last two exits may have been exchanged. */
Bool vt_superblock_try_append_likely_next(IRSB *sb, const IRSB *next_block);

#endif
