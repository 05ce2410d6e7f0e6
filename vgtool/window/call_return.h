/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_return.h - calls and returns of functions that somebody waits for
 *
 * A block that begins a function looks before its first instruction. What it
 * finds there, stack pointer and return address, is kept as an activation until
 * the block at that address is about to run with the stack as it was before
 * the call. A jump back to the function's first instruction is no call, and a
 * tail call is one. A block that takes the stack pointer from somewhere else
 * (longjmp(), exceptions) looks at its end, and calls whose frames lie below it
 * are over.
 */
#ifndef VGTOOL_WINDOW_CALL_RETURN_H
#define VGTOOL_WINDOW_CALL_RETURN_H

#include "vgtool/core/prelude.h"
#include "vgtool/instrument/emit.h"

void vt_trigger_begin(void);

/* Whether calls or returns are waited for at all. */
Bool vt_trigger_is_used(void);

/* Whether a block that begins at @pc looks for a call or a return. */
Bool vt_trigger_looks_at(Addr pc);

/* Emits the look of a block that begins at @pc, if it needs one. @here: where
   it may leave to the scheduler; 0: it cannot. */
void vt_trigger_top(struct vt_emitter *, Addr pc, Addr here);

/* Emits the look at the end of block @in, if it needs one. */
void vt_trigger_end_of(struct vt_emitter *, const IRSB *in, Int offset_sp);

/* Of a thread: what it has left, without a look; it ends. */
void vt_trigger_unwind(ThreadId tid);
void vt_trigger_end(ThreadId tid);

/* Forgets code that has to look from now on, and did not yet. Return: whether
   there was any. */
Bool vt_trigger_settle(void);

#endif
