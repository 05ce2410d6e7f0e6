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

/* Add a block, or replace the one at @addr. @size: [bytes]. @site: number of
   the site that allocated it. */
void vt_live_add(Addr addr, SizeT size, UInt site);

Bool vt_live_has(Addr addr);

/* Remove the block at @addr. Return: whether there is one. @site: receives its
   site; may be NULL. */
Bool vt_live_remove(Addr addr, UInt *site);

/* Write a PT_BORN unit for each block, in no particular order. Waits for room
   in the ring. */
void vt_live_write_all_births(void);

#endif
