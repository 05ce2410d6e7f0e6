/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_events.h - records births, deaths and resizings of blocks
 *
 * A block is a heap block or an element. Elements of a heap block end with it.
 * The functions store the block (live_blocks.h, elements.h) and write its unit;
 * if the ring has no room, the unit is counted as skipped.
 */
#ifndef VGTOOL_HEAP_BLOCK_EVENTS_H
#define VGTOOL_HEAP_BLOCK_EVENTS_H

#include "vgtool/heap/elements.h"

/* Remove the elements that begin in the @bytes bytes at @addr, and cut these
   bytes out of the regions: a heap block or a mapping begins or ends there.
   Writes no unit. */
void vt_blocks_remove_elements_and_regions(Addr addr, SizeT bytes);

/* Record that a heap block was allocated. @array_element_bytes: [bytes] of an
   element of the array that the block is; 0: the block is no array. */
void vt_blocks_record_heap_birth(Addr addr, SizeT bytes, UInt site,
				 SizeT array_element_bytes);

/* Record that element @e (a block of a pool or of an allocator that the user
   names) was allocated; no-op if its address is 0. */
void vt_blocks_record_element_birth(const struct vt_element *e,
				    SizeT array_element_bytes);

/* Whether a heap block, or an element (a block of a pool or of an allocator
   that the user names), begins at @addr, or a wrapper: a block of malloc() that
   has an element as its only content and is not recorded. */
Bool vt_blocks_has_any_starting_at(Addr addr);

/* Return the address of the element in the wrapper at @wrapper_start; 0 if
   there is no wrapper, or if a heap block or an element begins there. */
Addr vt_blocks_element_of_wrapper_at_or_0(Addr wrapper_start);

/* Record that the block at @addr was freed; no-op if @addr is 0. If no block is
   known there, but an element that lies in that block as its only content,
   record that the element was freed.
   @prefers_element: if a heap block and an element begin there, the element was
   freed, else the heap block with its elements. */
void vt_blocks_record_death_unless_null(Addr addr, Bool prefers_element);

/* Record that the block at @old, which must not be 0, was resized: now it has
   the size and the address of @e, which may equal @old, and the wrapper of @e
   if that is not 0 or the block has moved. If a heap block or an element is
   known at @old, the new block is of the same kind and has the same site.
   Otherwise the new block has the site of @e, and is an element if
   @prefers_element, else a heap block; if @old is a wrapper, the end of its
   element and the allocation of a new block are recorded. */
void vt_blocks_record_resizing(Addr old, const struct vt_element *e,
			       Bool prefers_element);

#endif
