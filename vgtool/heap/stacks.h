/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - records where the stacks of threads are
 *
 * Valgrind estimates the range of a stack when its thread starts: from the
 * start of the segment that contains the stack pointer, in which adjacent
 * mappings are merged. The recorded range is the part of it that can be stack:
 * in one mapping, or in one heap block, between the other stacks. For the main
 * thread, or if the stack pointer is outside the estimate, the whole estimate
 * is recorded.
 */
#ifndef VGTOOL_HEAP_STACKS_H
#define VGTOOL_HEAP_STACKS_H

#include "vgtool/core/prelude.h"

/* Write a PT_STACK unit with the range that the stack of thread @tid can have,
   unless that was done before. The range of a stack of another thread that
   contains it is shortened to the part above, and written again. Waits for room
   in the ring. */
void vt_stacks_write_range_unit_once(ThreadId tid);

/* Write a PT_STACK unit that ends the stack of thread @tid, which ends, unless
   it is the main thread's; forget the stack. Waits for room in the ring. */
void vt_stacks_write_end_of_thread_to_ring(ThreadId tid);

/* Forget all stacks, so that they are written again: in a forked child, whose
   only thread is @remaining_tid. */
void vt_stacks_clear_all_note_if_main_ended(ThreadId remaining_tid);

#endif
