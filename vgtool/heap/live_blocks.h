/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_blocks.h - stores the heap blocks that live
 *
 * A forked child records those that it inherits.
 *
 * A block takes 16 bytes in a table of which up to three quarters are used.
 */
#ifndef VGTOOL_HEAP_LIVE_BLOCKS_H
#define VGTOOL_HEAP_LIVE_BLOCKS_H

#include "vgtool/core/prelude.h"

/* Add a live block, or replace the one at @addr; no-op if @addr is 0. @bytes:
   [bytes]. @site: number of the site that allocated the block. */
void vt_live_add_or_replace_block(Addr addr, SizeT bytes, UInt site);

/* Whether a live block begins at @addr. */
Bool vt_live_has_block(Addr addr);

/* Find the live block that begins at @addr or last before it. Return: whether
   there is one; then [@start, @last], both inclusive, is its range. Takes time
   in proportion to the number of blocks. */
Bool vt_live_find_last_block_up_to(Addr addr, Addr *start, Addr *last);

struct vt_live_block {
	SizeT bytes;
	UInt site; /* number of the site that allocated the block */
};

/* Remove the live block at @addr. Return: whether there was one; then *@removed
   describes it. */
Bool vt_live_remove_block(Addr addr, struct vt_live_block *removed);

/* Write a PT_BORN unit for each live heap block, in no particular order. Waits
   for room in the ring. */
void vt_live_write_births_of_all_blocks(void);

#endif
