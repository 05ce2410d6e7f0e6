/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nested_calls.h - stores the allocations inside a call of an allocator
 *
 * Only the outermost of nested calls is recorded: when it begins, if it frees a
 * block, else when it returns. There are three exceptions. An operator new that
 * throws does not return; but the call of malloc() inside it, which allocated
 * the exception, has returned. The block of the exception is recorded at the
 * next call of an allocator function or return from one. A function that the
 * user names can allocate other blocks than its result, such as the chunks of
 * an arena. These are recorded when it returns, before its result. If a block
 * that malloc() returned has the result as its only content, the function wraps
 * malloc(), and the block is not recorded. A call inside another one is
 * recorded if it frees or resizes a block that was allocated before the
 * outermost call began.
 *
 * In a function that the user names, all allocations are stored but those
 * inside a running function of the malloc family. In another function, an
 * allocation is stored if it begins after another one inside the outermost call
 * has ended, or if other code makes it than that of the function and of the
 * allocation inside it that began last. So nothing is stored in the usual case,
 * in which operator new calls malloc() once.
 */
#ifndef VGTOOL_HEAP_NESTED_CALLS_H
#define VGTOOL_HEAP_NESTED_CALLS_H

#include "vgtool/heap/running_calls.h"

/* Record that @inner, a call of an allocator function, begins inside the call
   @outer of thread @tid. Its site is not set. Writes a PT_SITE unit if the call
   is stored and its site is new, and may end the time slice. If @inner frees a
   block that was allocated before @outer began, as a new_handler can, record
   that. */
void vt_nested_calls_begin_call(ThreadId tid, struct vt_heap_call *outer,
				const struct vt_heap_call *inner);

/* If the last stored call inside @outer has returned to @pc with the stack
   pointer @sp, store its block; if it has resized or freed one that was
   allocated before @outer began, record that instead. @result: the value that
   it returned. */
void vt_nested_calls_store_inner_call_result(ThreadId tid,
					     struct vt_heap_call *outer,
					     Addr pc, Addr sp, UWord result);

/* Record the blocks that were returned by the allocator calls made during the
   call @outer, except by functions that the user has named. Do nothing unless
   the user has named the function of @outer. If such a block contains only the
   block that @outer returned (@bytes at @addr; @addr 0: none), set
   `wrapped_block` of @outer to its address instead. Writes units as
   vt_ring_write_or_skip_control_unit() does. */
void vt_nested_calls_record_nonwrapper_blocks(ThreadId tid,
					      struct vt_heap_call *outer,
					      Addr addr, SizeT bytes);

/* Append the calls stored in @nested that have returned to thread @tid's list
   of calls whose outermost call was left without a return. @nested may be
   NULL. */
void vt_nested_calls_move_returned_to_thread(ThreadId tid,
					     struct vt_nested_calls *nested);

/* Record the blocks that were allocated or resized by calls of thread @tid that
   have returned, but whose outermost call was left without a return (as by
   longjmp()). Forget these calls. Writes units as
   vt_ring_write_or_skip_control_unit() does. */
void vt_nested_calls_record_allocated_blocks(ThreadId tid);

/* Forget the calls of thread @tid that have returned, but whose outermost call
   was left without a return; record no effects. */
void vt_nested_calls_discard_returned(ThreadId tid);

/* Remove all calls of @nested, and keep its memory for another outermost call;
   the caller must not use it afterwards. Do nothing if @nested is NULL. */
void vt_nested_calls_free(struct vt_nested_calls *nested);

#endif
