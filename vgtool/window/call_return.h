/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_return.h - detects calls and returns of the functions that windows name
 *
 * A block at the entry of such a function calls a helper before its first
 * instruction. The helper pushes an activation (a call that has not returned),
 * with the stack pointer and the return address, on the thread's stack of
 * calls. The activation ends when the block at the return address is about to
 * run with the stack pointer that it had before the call. A jump back to the
 * function's first instruction is no call; a tail call is one. A block that
 * sets the stack pointer to an unrelated value, as in longjmp() and exceptions,
 * calls a helper at its end, which ends the calls whose frames lie below the
 * new stack pointer.
 */
#ifndef VGTOOL_WINDOW_CALL_RETURN_H
#define VGTOOL_WINDOW_CALL_RETURN_H

#include "vgtool/core/prelude.h"
#include "vgtool/instrument/emit.h"

/* Start with the present plan (vt_recording_plan). In a forked child the
   activations (running calls) of the thread that forked remain, without
   recorded arguments, if the plan needs calls; all others are deleted. */
void vt_callstack_reset_for_plan(void);

/* Whether the call @call_serial (0: none) has neither returned nor been
   unwound. */
Bool vt_callstack_is_call_running(ULong call_serial);

/* Whether a block that begins at @pc must check for a call or a return: @pc is
   a known return address, or the entry of a function that an event of the plan
   or an interceptor of an active lane (filter.h) names. */
Bool vt_callstack_is_watched_entry_or_return(Addr pc);

/* Emit the check for a call or a return in a block that begins at @block_addr,
   if it needs one. @yield_addr_or_0: address at which the block may yield to
   the scheduler; 0: it cannot. */
void vt_callstack_emit_call_and_return_checks(struct vt_emitter *,
					      Addr block_addr,
					      Addr yield_addr_or_0);

/* Emit the check at the end of block @block, if it sets the stack pointer to an
   unrelated value. @sp_offset: offset of the stack pointer in the guest
   state. */
void vt_callstack_emit_check_if_sp_jumps(struct vt_emitter *, const IRSB *block,
					 Int sp_offset);

/* End those calls of thread @tid whose frames lie below its stack pointer: they
   have returned or were unwound. */
void vt_callstack_end_calls_below_sp(ThreadId tid);

/* End all calls of thread @tid, which ends; no results are recorded. */
void vt_callstack_end_calls_of_thread(ThreadId tid);

/* Discard the translations at each return address that was added since the last
   call of this function and whose code does not check for a return. Return:
   whether there was such an address. Context: no translated code is running. */
Bool vt_callstack_discard_new_return_sites(void);

#endif
