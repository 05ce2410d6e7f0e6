/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocator_calls.h - detects calls of allocator functions, and records their
 * effect
 *
 * The block at the entry of an allocator function calls a helper before its
 * first instruction, and so does the block at each address that such a call
 * returns to. Of nested calls only the outermost is recorded (operator new
 * calls malloc()), with exceptions: see nested_calls.h. A call that is left by
 * a jump such as longjmp() has no effect, but calls inside it may have one.
 * While a signal handler runs, the calls that it interrupts do not count as
 * outer ones.
 *
 * A call of a function that frees (PT_FREES) is recorded before the function's
 * first instruction; any other call at its return, before the next instruction
 * of the caller.
 */
#ifndef VGTOOL_HEAP_ALLOCATOR_CALLS_H
#define VGTOOL_HEAP_ALLOCATOR_CALLS_H

#include "vgtool/core/prelude.h"
#include "vgtool/instrument/block_hook.h"

/* Return the helper that a block at @block_addr must call: to begin a call, if
   an allocator function starts there; to end a call, if an allocator call
   returns there; to do both, if both hold. NULL: neither holds. */
vt_block_helper vt_heap_find_helper_of_code_block(Addr block_addr);

/* Remove the calls of the running thread that a jump with the new stack pointer
   @sp has left; they have no effect. Helper for generated code. */
VG_REGPARM(1) void vt_heap_end_calls_left_by_sp_jump(Addr sp);

/* If thread @tid is in an allocator call, push an entry for a signal handler
   that begins; remove that entry when the handler returns. */
void vt_heap_push_handler_if_in_allocator(ThreadId tid);
void vt_heap_pop_handler_if_on_top(ThreadId tid);

/* Remove all allocator calls of thread @tid, which ends, without recording any
   effect of them. */
void vt_heap_remove_calls_of_thread(ThreadId tid);

/* Remove all allocator calls of all threads except @remaining_tid. Call in a
   forked child, in which only that thread runs. */
void vt_heap_remove_allocator_calls_of_others(ThreadId remaining_tid);

/* Whether thread @tid is in a call of an allocator function; @site receives the
   number of the call's site, which is written if it is new, or 0 if there are
   too many sites. */
Bool vt_heap_find_or_add_site_of_running_call(ThreadId tid, UInt *site);

#endif
