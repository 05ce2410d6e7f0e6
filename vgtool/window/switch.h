/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * switch.h - switches recording on and off by discarding translations
 *
 * While no lane (filter of a window for a thread) records, code is translated
 * without instrumentation, except for the counts, calls and returns that
 * windows wait for. When the lanes that record change, all translations are
 * discarded, and code is translated again when it runs. This happens between
 * blocks, so a window opens, or closes, before the first instruction after its
 * event.
 *
 * Translating again costs tens of milliseconds. So if no lane records any more
 * and some window is not over, the translations are retained: for 200 ms at
 * first, twice as long each time that they were discarded too early, up to
 * 12.8 s. Retained code still writes units (records of executed blocks), but
 * into the sink, which nobody reads. If the same lanes record again meanwhile,
 * nothing is discarded.
 */
#ifndef VGTOOL_WINDOW_SWITCH_H
#define VGTOOL_WINDOW_SWITCH_H

#include "proto/window.h"
#include "vgtool/core/prelude.h"

/* Replace the recording plan by @plan, which this file frees later; NULL:
   record everything. If there was a plan before, discard all translations. */
void vt_switch_replace_plan_and_reset(struct pt_plan *plan);

/**
 * vt_switch_prepare_thread_is_code_kept() - Adapt to messages,
 * events and open windows before a thread runs, and set its counters.
 * @thread_number: its number.
 *
 * Return: False if translations were discarded; the scheduler must then look up
 *         the thread's code again.
 */
Bool vt_switch_prepare_thread_is_code_kept(ThreadId tid, UInt thread_number);

/* Count the instructions and accesses that thread @tid has executed, up to and
   including the instruction at its program counter, which has faulted, but
   without the accesses of that one. The program counter must be exact. No-op
   without a plan. */
void vt_switch_count_executed_before_fault(ThreadId tid);

/* Add what thread @tid, which has stopped running, has executed since it began
   to run (instructions, accesses and so on) to the totals of the thread and of
   the process. No-op without a plan. */
void vt_switch_stop_counters_add_to_totals(ThreadId tid);

/* Whether VEX may continue a block at @target, the target of a jump. False if
   the tool checks for a call or a return there, which it does only at the
   beginning of a block. */
Bool vt_switch_may_vex_continue_block_at(Addr target);

/* Whether some window records thread number @thread_number now; without
   windows, whether recording is not paused. */
Bool vt_switch_is_thread_recorded(UInt thread_number);

#endif
