/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * superblock.h - a block goes on where its last branch mostly leads
 *
 * What a unit costs is cursor, header and a jump into the next block, in the
 * program and again in the daemon, rather than what the block does. VEX ends a
 * block at a conditional branch. Where vgtool/instrument/branch_profile.h knows
 * which side of it is executed mostly, the block there follows: one unit then
 * tells of both.
 *
 * What follows is the block that VEX makes at that address, whole, and
 * optimised by itself: VEX leaves out loads that it finds nobody needs, and
 * would find more if it knew what came before. So each load is counted, or
 * not, as without superblocks.
 */
#ifndef VGTOOL_TRANSLATE_SUPERBLOCK_H
#define VGTOOL_TRANSLATE_SUPERBLOCK_H

#include <libvex_ir.h>

#include "vgtool/core/prelude.h"

/**
 * vt_superblock_next() - What is to follow the block that is being translated.
 * @sb: the block as it is now, optimised.
 * @at: out: where the next one begins.
 *
 * Return: the next one, to be optimised; NULL: nothing follows.
 */
IRSB *vt_superblock_next(const IRSB *sb, Addr *at);

/* Has it follow. False: it cannot, and the block is at its end; the two exits
   there may have changed places. */
Bool vt_superblock_append(IRSB *sb, const IRSB *next);

#endif
