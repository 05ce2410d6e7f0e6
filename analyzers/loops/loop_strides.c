/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_strides.c - differences of addresses between iterations; see loops.h */

#include "analyzers/loops/loops.h"

/* Return an_loop_run.number of the last run of loop @loop_index in the thread's
   top frame; 0: there is none. */
static uint64_t
last_run_number_in_top_frame_or_0(const struct an_loop_thread *t,
				  uint32_t loop_index)
{
	size_t first = t->frame[t->n_frames - 1].first_run;

	for (size_t i = t->n_runs; i > first; i--)
		if (t->run[i - 1].loop == loop_index)
			return t->run[i - 1].number;
	return 0;
}

static void count_one_of_first_strides_or_others(struct an_strides *s,
						 uint64_t stride_bytes)
{
	for (int i = 0; i < AN_STRIDES; i++) {
		if (s->count[i] == 0)
			s->stride[i] = stride_bytes;
		if (s->stride[i] == stride_bytes) {
			s->count[i]++;
			return;
		}
	}
	s->others++;
}

static void count_stride_if_same_run_store_address(struct an_strides *s,
						   uint64_t address,
						   uint64_t run_number)
{
	if (s->run == run_number)
		count_one_of_first_strides_or_others(s, address - s->address);
	s->run = run_number;
	s->address = address;
}

void an_loops_count_strides_of_instrs(struct an_loop_state *l,
				      const struct an_loop_thread *t,
				      const struct an_batch *batch,
				      struct an_exec exec, unsigned first_instr,
				      unsigned end_instr)
{
	const struct an_loop_block *b = &l->block[exec.block];
	unsigned n = b->block->exit[an_exec_exit_number(exec)].n_accesses;
	unsigned before = UINT32_MAX, ordinal = 0;
	uint64_t run = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct pt_access *a = &b->block->access[i];
		const struct an_loop_node *node = &l->node[b->node[a->instr]];
		uint64_t base = 0;

		ordinal = a->instr == before ? ordinal + 1 : 0;
		if (a->instr != before && a->instr >= first_instr && node->loop)
			run = last_run_number_in_top_frame_or_0(t,
								node->loop - 1);
		before = a->instr;
		if (a->instr >= end_instr)
			return;
		if (a->instr < first_instr || !node->loop || run == 0 ||
		    ordinal >= node->n_accesses)
			continue;
		if (a->slot != PT_NO_SLOT)
			base = an_exec_slot_value(batch, exec, a->slot);
		if (!(a->flags & PT_GUARDED) || base != PT_NOT_DONE)
			count_stride_if_same_run_store_address(
				&l->strides[node->accesses + ordinal],
				base + a->delta, run);
	}
}
