/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * switch.h - from recording nothing to recording what windows want, and back
 *
 * Code in which no window is open is made as if there were no tool. When a
 * window opens or closes, all code is discarded and made anew as it runs. That
 * happens between blocks, so a window opens before the first instruction after
 * its event, and closes likewise.
 *
 * Making code anew costs tens of milliseconds. So when all windows have closed
 * and some may open again, their code is kept for a while, 200 ms at first, and
 * twice as long each time it was discarded too early: it goes on to write
 * units, into the tool's own memory instead of the ring. A window that opens
 * meanwhile discards nothing.
 */
#ifndef VGTOOL_WINDOW_SWITCH_H
#define VGTOOL_WINDOW_SWITCH_H

#include "proto/window.h"
#include "vgtool/core/prelude.h"

/* The plan that came with the welcome; NULL: everything is recorded. It becomes
   ours. Takes effect at once: code made before is forgotten. */
void vt_flip_take(struct pt_plan *);

/**
 * vt_flip_enter() - A thread is about to run.
 *
 * Return: False when the code that it is about to run has been forgotten: let
 *         it come again.
 */
Bool vt_flip_enter(ThreadId tid, UInt thread);

/* What it ran has faulted, its program counter is exact. */
void vt_flip_fault(ThreadId tid);

/* It has run. */
void vt_flip_leave(ThreadId tid);

/* Whether VEX may continue a block across a jump to @to. False where the tool
   looks for calls or returns, since it does so at the beginning of a block. */
Bool vt_flip_may_chase(Addr to);

/* Whether what the thread runs is recorded. */
Bool vt_flip_records(UInt thread);

#endif
