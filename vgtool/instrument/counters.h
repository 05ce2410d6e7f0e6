/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - counts instructions and accesses while a window waits for a
 * number of them
 *
 * Translated code counts down in shadow registers (emit.h). They are set to the
 * remaining counts of the thread that is about to run. A block that would pass
 * zero yields to the scheduler instead. After such a yield, until no counter is
 * near zero, blocks are translated with one instruction each, so that the event
 * happens at the exact instruction. The accesses of one instruction are not
 * divided: if the event lies between them, it happens after the instruction. If
 * an instruction faults, none of its accesses counts.
 */
#ifndef VGTOOL_INSTRUMENT_COUNTERS_H
#define VGTOOL_INSTRUMENT_COUNTERS_H

#include "vgtool/core/prelude.h"
#include "vgtool/instrument/emit.h"

enum vt_counter_kind {
	VT_INSTRUCTIONS,
	VT_ACCESSES, /* loads and stores; a modify counts as 2 */
	VT_READS,
	VT_WRITES,
	VT_N_COUNTERS
};

#define VT_COUNT_UNLIMITED                                                     \
	(1ULL << 62) /* remaining count of a kind for which no event is waited
			for */

/* Set all totals to 0 and stop counting. */
void vt_counters_reset_totals_and_stop(void);

/* Set the kinds that code translated from now on counts: bit 1 << enum
   vt_counter_kind each. */
void vt_counters_set_counted_kinds(UInt kind_mask);

/* Return the kinds that are counted. */
UInt vt_counters_get_counted_kinds(void);

/* Whether events of @event_kind (enum pt_event_kind) depend on a count; if so,
   set @counter_kind to the kind that is counted. */
Bool vt_counters_try_map_event_kind(UInt event_kind,
				    enum vt_counter_kind *counter_kind);

/* Return the total so far of a kind (instructions, accesses, reads or writes)
   for thread number @thread_or_0_for_all; for all threads together if that is
   0. */
ULong vt_counters_total(enum vt_counter_kind, UInt thread_or_0_for_all);

/* Return a limit of thread numbers: all threads that have counted anything have
   smaller numbers. */
UInt vt_counters_thread_number_limit(void);

/* Set the counters of a thread that is about to run. @thread_number: its
   number. @remaining_by_kind: [VT_N_COUNTERS] counts that remain until an
   event. */
void vt_counters_start_thread_countdown(ThreadId tid, UInt thread_number,
					const ULong *remaining_by_kind);

/* Add to the totals what the thread has counted since
   vt_counters_start_thread_countdown(). Call when it has stopped running. */
void vt_counters_stop_thread_add_to_totals(ThreadId tid);

/* Emit code that computes the number of instructions that the process has
   retired before the current statement. Call while instructions are counted. */
IRExpr *vt_counters_emit_retired_instrs(struct vt_emitter *);

/* Subtract from the counters of thread @tid the instructions and accesses from
   the beginning of the running segment (fault_count.h) to a fault at @fault_pc:
   the code subtracts them only at the segment's end, which it did not reach. */
void vt_counters_count_segment_before_fault(ThreadId tid, Addr fault_pc);

/* Whether a counter of the thread started last is so near to zero that some
   block might pass zero, and may have to be one instruction long. */
Bool vt_counters_is_any_near_zero(void);

/* Whether the thread that was stopped last has counted nothing since its
   start. */
Bool vt_counters_has_last_run_counted_nothing(void);

/* List the accesses of block @in and reserve its steps (fault_count.h), before
   code that counts them is emitted. Unless @yield_addr is 0, emit checks that
   yield to the scheduler at @yield_addr if a counter is too low for the
   block. */
void vt_counters_emit_block_start(struct vt_emitter *, const IRSB *in,
				  Addr yield_addr);

/* Emit code before statement @stmt_index_or_end of block @in. Before a side
   exit and at the end of the block, the code subtracts the instructions and
   accesses since the last such place from the counters. At the start of the
   block and after each side exit, the code stores the start of the segment,
   from which the instructions before a fault are counted (fault_count.h). Call
   for each statement, and for @stmt_index_or_end = stmts_used at the end. */
void vt_counters_emit_subtraction_at_exits(struct vt_emitter *, const IRSB *in,
					   Int stmt_index_or_end);

#endif
