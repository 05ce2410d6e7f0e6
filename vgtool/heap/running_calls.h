/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running_calls.h - stores the allocator calls that each thread is in
 *
 * Only the outermost of nested calls is stored. A signal handler that
 * interrupts a call is stored above it, and the outermost calls of the handler
 * above that.
 */
#ifndef VGTOOL_HEAP_RUNNING_CALLS_H
#define VGTOOL_HEAP_RUNNING_CALLS_H

#include "vgtool/core/prelude.h"
#include "vgtool/heap/allocators.h"

struct vt_nested_calls;

/* A call of an allocator function, or a signal handler. */
struct vt_heap_call {
	const struct vt_allocator *function; /* NULL: a signal handler */
	Addr sp; /* stack pointer at the function's first instruction, which
		    points to the return address; of a signal handler: when its
		    signal was delivered */
	Addr return_addr;
	Addr entry;	/* address of the function's first instruction */
	UInt site;	/* number of the call's site; 0 in a call that frees,
			   until it maps memory */
	Bool is_reused; /* in a call that resizes a block: another thread was
			   given a new block at the old address already */
	UWord pointer, size, count;	    /* the function's arguments */
	Addr nested_sp, nested_return_addr; /* as `sp` and `return_addr`, of the
					       allocation inside this call that
					       began last; 0: there was none */
	Addr nested_entry;		    /* as `entry`, of that allocation */
	Addr wrapped_block; /* block of malloc() that has the call's own block
			       as its only content; 0: none */
	struct vt_nested_calls *nested; /* calls inside this one, or NULL; see
					   nested_calls.h */
};

/* Whether @c is a call of a function that resizes a block. */
Bool vt_running_calls_is_resize(const struct vt_heap_call *c);

/* Push a copy of @c, which owns its `nested` from then on, on the stack of
   calls of thread @tid. */
void vt_running_calls_push(ThreadId tid, const struct vt_heap_call *c);

/* Remove the top entry of thread @tid's stack: a call or a signal handler that
   has returned. */
void vt_running_calls_remove_top(ThreadId tid);

/* Remove all allocator calls and signal handlers from the stack of thread @tid;
   no effect of these calls is recorded. */
void vt_running_calls_remove_allocator_calls(ThreadId tid);

/* Remove, from the stack of calls of thread @tid, the outermost call or handler
   whose frame lies below @sp on the same stack, and all that it has called.
   They have no effect, but the calls inside them that have returned do: see
   vt_nested_calls_record_allocated_blocks(). */
void vt_running_calls_remove_below_sp(ThreadId tid, Addr sp);

/* Store the lowest stack pointer of the calls of thread @tid, or a number
   greater than all if there is none, in its shadow register VT_SHADOW_HEAP_SP:
   only a jump that sets a higher stack pointer can leave a call. */
void vt_running_calls_store_lowest_sp(ThreadId tid);

/* Return the allocator call that thread @tid is in; NULL if it is in none, or
   in a signal handler that has interrupted a call and makes none itself. Valid
   until the stack changes. */
struct vt_heap_call *vt_running_calls_current_or_null(ThreadId tid);

/* Whether the top entry of thread @tid is a signal handler. */
Bool vt_running_calls_is_handler_on_top(ThreadId tid);

/* Set `is_reused` in each running allocator call of another thread than
   @allocating_tid that is resizing the block at @addr: the call has freed that
   address, because thread @allocating_tid was given a new block there. */
void vt_running_calls_flag_resize_addr_reused(ThreadId allocating_tid,
					      Addr addr);

#endif
