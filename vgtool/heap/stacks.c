/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stacks.c - records where the stacks of threads are; see stacks.h */

#include "vgtool/heap/stacks.h"

#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/threads.h"
#include "vgtool/heap/live_blocks.h"
#include "vgtool/heap/mappings.h"
#include "vgtool/transport/ring.h"

enum { MAIN_THREAD = 1 /* ThreadId; the kernel extends its stack */ };

/* The recorded stack of a thread. */
struct stack {
	UInt thread; /* number of the thread; 0: no stack is recorded */
	Addr start, last;
};

static struct stack *stacks; /* by ThreadId; NULL: none is recorded */
static Bool has_main_ended;  /* MAIN_THREAD is the ThreadId of no thread, or of
				one that started later */

static Bool is_main_thread(ThreadId tid)
{
	return tid == MAIN_THREAD && !has_main_ended;
}

/* Clip @s to the mapping that contains @sp, as one call has made it, and if it
   is heap memory, to the heap block that contains @sp, or to the memory after
   the last heap block below. */
static void clip_to_mapping_and_heap_block(struct stack *s, Addr sp)
{
	Addr start, last;

	if (!vt_mappings_find_range(sp, &start, &last))
		return;
	s->start = VG_MAX(s->start, start);
	s->last = VG_MIN(s->last, last);
	if (vt_mappings_is_of_heap(sp) &&
	    vt_live_find_last_block_up_to(sp, &start, &last)) {
		s->start = VG_MAX(s->start, last < sp ? last + 1 : start);
		s->last = last < sp ? s->last : VG_MIN(s->last, last);
	}
}

static void write_unit_when_room(const struct stack *s)
{
	ULong word[2] = {s->start, s->last - s->start + 1};

	vt_ring_write_control_unit_when_room(PT_STACK, s->thread, word, 2);
}

/* Clip @range, whose stack pointer is @sp, to the memory between the stacks
   that lie below and above it. Return: the stack that contains @sp; NULL if
   there is none. */
static struct stack *clip_between_stacks_find_around(struct stack *range,
						     Addr sp)
{
	struct stack *around = NULL, *s;
	ThreadId tid;

	for (tid = 1; tid < VG_N_THREADS; tid++) {
		s = &stacks[tid];
		if (s->thread == 0)
			continue;
		if (s->last < sp && s->last >= range->start)
			range->start = s->last + 1;
		if (s->start > sp && s->start <= range->last)
			range->last = s->start - 1;
		if (s->start <= sp && s->last >= sp)
			around = s;
	}
	return around;
}

/* Return the range that the stack of thread @tid can have, by Valgrind's
   estimate. */
static struct stack get_estimated_stack(ThreadId tid)
{
	Addr last = VG_(thread_get_stack_max)(tid);

	return (struct stack){.thread = vt_thread_number(tid),
			      .start = last + 1 -
				       VG_(thread_get_stack_size)(tid),
			      .last = last};
}

void vt_stacks_write_range_unit_once(ThreadId tid)
{
	Addr sp = VG_(get_SP)(tid);
	struct stack range, *around = NULL;

	if (stacks == NULL)
		stacks = VG_(calloc)("vt.heap.stacks", VG_N_THREADS,
				     sizeof(*stacks));
	if (stacks[tid].thread == vt_thread_number(tid))
		return;
	range = get_estimated_stack(tid);
	if (!is_main_thread(tid) && sp >= range.start && sp <= range.last) {
		clip_to_mapping_and_heap_block(&range, sp);
		around = clip_between_stacks_find_around(&range, sp);
	}
	stacks[tid] = range;
	write_unit_when_room(&range);
	if (around == NULL || around->last <= range.last)
		return;
	around->start = range.last + 1;
	write_unit_when_room(around);
}

void vt_stacks_write_end_of_thread_to_ring(ThreadId tid)
{
	ULong word[2] = {0, 0};
	Bool is_main = is_main_thread(tid);

	has_main_ended = has_main_ended || is_main;
	if (stacks == NULL || stacks[tid].thread == 0)
		return;
	word[0] = stacks[tid].start;
	if (!is_main)
		vt_ring_write_control_unit_when_room(
			PT_STACK, stacks[tid].thread, word, 2);
	stacks[tid].thread = 0;
}

void vt_stacks_clear_all_note_if_main_ended(ThreadId remaining_tid)
{
	has_main_ended = !is_main_thread(remaining_tid);
	if (stacks != NULL)
		VG_(memset)(stacks, 0, VG_N_THREADS * sizeof(*stacks));
}
