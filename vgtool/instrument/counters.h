/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - instructions and accesses, counted while somebody waits for a
 * number of them
 *
 * Code counts down in a shadow register. What is left is set for the thread that
 * is about to run; a block that would go below zero is not begun but leaves to
 * the scheduler. Near the end blocks are made of one instruction each, so that
 * it is met exactly. An instruction's accesses are not torn apart; of one that
 * faults, none counts.
 */
#ifndef VGTOOL_INSTRUMENT_COUNTERS_H
#define VGTOOL_INSTRUMENT_COUNTERS_H

#include "vgtool/core/prelude.h"
#include "vgtool/instrument/emit.h"

enum vt_metered {
	VT_INSTRUCTIONS,
	VT_ACCESSES, /* loads and stores; a modify is both */
	VT_READS,
	VT_WRITES,
	VT_METERED
};

#define VT_MUCH (1ULL << 62) /* left, where nobody waits */

/* Starts anew: nothing is counted, nor has been. */
void vt_meter_begin(void);

/* From now on, and in code made from now on, these count: a bit each. */
void vt_meter_want(UInt kinds);
UInt vt_meter_wanted(void);

/* What an event counts (enum pt_event_kind), if it counts. */
Bool vt_meter_counts(UInt kind, enum vt_metered *what);

/* Counted up to now, of a thread (by its number) or, by 0, of all. */
ULong vt_meter_total(enum vt_metered, UInt thread);

/* Threads with a lower number may have counted. */
UInt vt_meter_threads(void);

/* A thread is about to run, this much being left of each; or has run. */
void vt_meter_start(ThreadId tid, UInt thread, const ULong *left);
void vt_meter_stop(ThreadId tid);

/* How many instructions the process has executed, of those that count, when a
   block begins: emits that. */
IRExpr *vt_meter_far(struct vt_emitter *);

/* A fault has stopped the code there. */
void vt_meter_fault(ThreadId tid, Addr pc);

/* Whether blocks must be short for what was left at the last start. */
Bool vt_meter_is_near(void);

/* Whether the last one that ran got nowhere. */
Bool vt_meter_is_stuck(void);

/* Reads a block, and emits a look at what is left at its top. */
void vt_meter_top(struct vt_emitter *, const IRSB *, Addr here);

/* Before statement @i of the block, the end included: counts what came before
   when code may leave here. */
void vt_meter_statement(struct vt_emitter *, const IRSB *, Int i);

#endif
