/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nested_calls.h - stores the allocations inside a call of an allocator
 *
 * Of nested calls only the outermost counts, if it returns. An operator new
 * that throws does not return, but has allocated the exception, by a call of
 * malloc() that has returned. This block is born, at the next call of an
 * allocator function or return from one.
 *
 * An allocation that is the only one inside the outermost call, or the
 * innermost of several that call each other, is not stored, since this is the
 * usual case: operator new calls malloc().
 */
#ifndef VGTOOL_HEAP_NESTED_CALLS_H
#define VGTOOL_HEAP_NESTED_CALLS_H

#include "vgtool/heap/running_calls.h"

/* Record that @inner, a call of the function at @entry, begins inside call
   @outer of thread @tid. Its site is not set. Writes a PT_SITE unit if the call
   is stored and its site is new, and may end the time slice. */
void vt_nested_calls_begin(ThreadId tid, struct vt_heap_call *outer,
			   const struct vt_heap_call *inner, Addr entry);

/* If the last stored call inside @outer has returned to @pc with the stack
   pointer @sp, store its result @result. */
void vt_nested_calls_end_if_returned(struct vt_heap_call *outer, Addr pc,
				     Addr sp, UWord result);

/* Move the calls that have returned to the list of those that thread @tid has
   left: the call around them was left without a return. @nested may be NULL. */
void vt_nested_calls_move_to_left(ThreadId tid, struct vt_nested_calls *nested);

/* Record the effects of the calls that thread @tid has left, and empty the
   list. Writes units as vt_ring_write_or_skip_control_unit() does. */
void vt_nested_calls_record_left(ThreadId tid);

/* Empty the list of thread @tid without an effect. */
void vt_nested_calls_discard_left(ThreadId tid);

/* Free the memory; @nested may be NULL. */
void vt_nested_calls_free(struct vt_nested_calls *nested);

#endif
