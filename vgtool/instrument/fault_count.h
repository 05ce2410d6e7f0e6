/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault_count.h - counts the part of a block that was executed before a fault,
 * and completes its unit
 *
 * Code that counts (counters.h) subtracts its instructions and accesses from
 * the counters only where it may be left. A segment is the code between two
 * such places. At its beginning, code stores the address of its first step in
 * the shadow register VT_SHADOW_SEGMENT. After a fault, that and the program
 * counter show how much of the segment was executed.
 */
#ifndef VGTOOL_INSTRUMENT_FAULT_COUNT_H
#define VGTOOL_INSTRUMENT_FAULT_COUNT_H

#include "vgtool/core/prelude.h"

/* An instruction of a segment, or the rest of an instruction after a side exit
   inside it. */
struct vt_step {
	Addr pc;
	UShort begins_instr; /* 1: the instruction begins in the segment */
	UShort reads, writes;
	UShort is_last; /* 1: last step of the segment */
};

/* Delete all steps (instructions of segments); their memory is reused for new
   ones. Call after all translations were discarded, because translated code
   refers to steps. */
void vt_segment_delete_steps_of_all_segments(void);

/* Whether the steps have used up the memory meant for them, so that the caller
   should discard all translations and call
   vt_segment_delete_steps_of_all_segments(). */
Bool vt_segment_is_memory_of_steps_used_up(void);

/* Return an array of @max_steps steps (instructions of segments) for a block,
   filled with zeros. Panics if there are more than 16,384. Call
   vt_segment_commit_first_reserved_steps() before the next call, or the next
   one returns the same steps. */
struct vt_step *vt_segment_reserve_steps(UInt max_steps);

/* Allocate the first @used_step_count of the steps (instructions of segments)
   that vt_segment_reserve_steps() returned last; the others are free again. */
void vt_segment_commit_first_reserved_steps(UInt used_step_count);

/* Add to *@instrs, *@reads and *@writes the numbers of instructions, loads and
   stores that a segment (the code between two subtractions from the counters)
   has before a fault at @pc. @first_step: the segment's first step. The
   instruction at @pc counts, its accesses do not. No-op if no step of the
   segment has the address @pc. */
void vt_segment_add_counts_until_pc(const struct vt_step *first_step, Addr pc,
				    UInt *instrs, UInt *reads, UInt *writes);

/**
 * vt_fault_set_pc_cut_unit_return_signal() - Replace the open unit by a PT_CUT
 * with the exact number of accesses before the one that faulted, and of
 * instructions begun. Set the thread's program counter to the instruction that
 * faulted.
 *
 * Return: the signal that the fault raises; 0 if no unit of a block is open.
 */
Int vt_fault_set_pc_cut_unit_return_signal(ThreadId tid);

/* Set the program counter of a thread that is not recorded to the instruction
   that faulted, by the unit that it has begun in @page, the sink's. Call only
   without a recording plan: with one, VEX keeps the program counter exact. */
void vt_fault_locate_and_set_guest_pc(ThreadId tid, struct pt_tool_page *page);

#endif
