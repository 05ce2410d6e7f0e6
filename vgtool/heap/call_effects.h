/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_effects.h - records the blocks that calls of allocator functions
 * allocate, resize and free
 *
 * The functions that record write units as vt_ring_write_or_skip_control_unit()
 * does.
 */
#ifndef VGTOOL_HEAP_CALL_EFFECTS_H
#define VGTOOL_HEAP_CALL_EFFECTS_H

#include "vgtool/heap/running_calls.h"

/* Record that @c, a call of the function at @entry, frees a block. Record
   nothing if no live block is known there and the caller is in the same object
   file of the system: an allocator can free memory internally that the program
   has freed before, as glibc does with the cache of a thread that ends. */
void vt_call_record_death_of_freed_block(const struct vt_heap_call *c,
					 Addr entry);

/* Whether @addr is the argument with the block of @c, a call that frees or
   resizes, or the wrapper of that block (block_events.h). */
Bool vt_call_has_block_as_argument(const struct vt_heap_call *c, Addr addr);

/* Record that @c, a call inside @outer, frees a live block that was allocated
   before @outer began. Record nothing if no live block is known there, or if
   @outer itself frees or resizes it. */
void vt_call_record_nested_free(const struct vt_heap_call *outer,
				const struct vt_heap_call *c);

/* Return the address of the block that call @c, which has returned @result, has
   allocated or resized; 0 if there is none. @bytes receives its size. */
Addr vt_call_find_block(const struct vt_heap_call *c, UWord result,
			SizeT *bytes);

/* Record that call @c has allocated or resized the block of @bytes at @addr. If
   @addr is 0, record that the block to resize was freed, if it was. Calls that
   free are recorded when they begin. */
void vt_call_record_allocation_or_resize(ThreadId tid,
					 const struct vt_heap_call *c,
					 Addr addr, SizeT bytes);

#endif
