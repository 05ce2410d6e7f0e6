/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_strides.c - differences of addresses between iterations; see loops.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

/* Return the newest run of loop @loop_index in the thread's top frame; NULL:
   there is none. */
static const struct an_loop_run *
last_run_in_top_frame_or_null(const struct an_loop_thread *t,
			      uint32_t loop_index)
{
	size_t first = t->frame[t->n_frames - 1].first_run;

	for (size_t i = t->n_runs; i > first; i--)
		if (t->run[i - 1].loop == loop_index)
			return &t->run[i - 1];
	return NULL;
}

const struct an_strides *
an_loops_strides_of_access(const struct an_loop_state *l,
			   const struct an_loop_node *n, unsigned access_index)
{
	static const struct an_strides uncounted;

	return n->accesses == 0 ? &uncounted
				: &l->strides[n->accesses - 1 + access_index];
}

/* Add entries to l->strides for the accesses of a node, unless it has some.
   Return: 0 or -ENOMEM. */
static int add_strides_of_node_if_missing(struct an_loop_state *l,
					  struct an_loop_node *n)
{
	if (n->accesses != 0)
		return 0;
	n->accesses = (uint32_t)l->n_strides + 1;
	l->n_strides += n->n_accesses;
	return al_array_reserve_zeroed(l->strides, l->max_strides,
				       l->n_strides);
}

/* Count a stride that is not the first one in @s. */
static void count_other_stride(struct an_strides *s, uint64_t stride_bytes)
{
	for (int i = 0; i < AN_STRIDES; i++) {
		if (s->found[i].count == 0)
			s->found[i].stride = stride_bytes;
		if (s->found[i].stride == stride_bytes) {
			s->found[i].count++;
			return;
		}
	}
	s->others++;
}

/* Count the stride of an access if its previous execution was in the same run
   of the loop, and store its address. */
static inline void count_stride_in_run(struct an_strides *s, uint64_t address,
				       uint64_t run_number)
{
	uint64_t stride_bytes = address - s->address;

	s->address = address;
	if (s->run != run_number)
		s->run = run_number;
	else if (s->found[0].stride == stride_bytes)
		s->found[0].count++;
	else
		count_other_stride(s, stride_bytes);
}

int an_loops_count_strides_and_dependences(struct an_loop_state *l,
					   struct an_loop_thread *t,
					   const struct an_batch *batch,
					   struct an_exec exec,
					   unsigned first_instr,
					   unsigned end_instr)
{
	const struct an_loop_block *b = &l->block[exec.block];
	unsigned n = b->block->exit[an_exec_exit_number(exec)].n_accesses;
	const struct an_loop_run *run = NULL;
	unsigned before = UINT32_MAX, ordinal = 0;
	int err = 0;

	for (unsigned i = 0; i < n && !err; i++) {
		const struct pt_access *a = &b->block->access[i];
		uint32_t index = b->node[a->instr];
		struct an_loop_node *node = &l->node[index];
		struct an_strides *s;
		uint64_t base = 0;
		bool moved = false;

		ordinal = a->instr == before ? ordinal + 1 : 0;
		if (a->instr >= end_instr)
			break;
		if (a->instr < first_instr)
			continue;
		if (a->instr != before)
			run = node->loop == 0 ? NULL
					      : last_run_in_top_frame_or_null(
							t, node->loop - 1);
		before = a->instr;
		if (a->slot != PT_NO_SLOT)
			base = an_exec_slot_value(batch, exec, a->slot);
		if ((a->flags & PT_GUARDED) && base == PT_NOT_DONE)
			continue;
		if (run != NULL && ordinal < node->n_accesses) {
			err = add_strides_of_node_if_missing(l, node);
			if (err)
				break;
			s = &l->strides[node->accesses - 1 + ordinal];
			moved = s->run == 0 || s->address != base + a->delta;
			count_stride_in_run(s, base + a->delta, run->number);
		}
		if (t->n_chosen > 0)
			err = an_loops_count_dependences_of_access(
				l, t, base + a->delta, a, index,
				moved ? run : NULL);
	}
	return err;
}

/* ---- accesses in loops ---- */

/* Append access @access_index of a block, access number @ordinal of the
   instruction of @node, to b->access. Return: 0 or -ENOMEM. */
static int append_access_in_loop(struct an_loop_state *l,
				 struct an_loop_block *b,
				 struct an_loop_node *node,
				 unsigned access_index, unsigned ordinal)
{
	const struct pt_access *a = &b->block->access[access_index];
	size_t max = b->block->n_accesses;

	if (b->access == NULL)
		b->access = malloc(max * sizeof(*b->access));
	if (b->access == NULL || add_strides_of_node_if_missing(l, node) != 0)
		return -ENOMEM;
	b->access[b->n_accesses++] = (struct an_loop_access){
		.delta = a->delta,
		.strides = node->accesses - 1 + ordinal,
		.loop = node->loop - 1,
		.access = (uint16_t)access_index,
		.slot = a->slot,
		.is_guarded = (a->flags & PT_GUARDED) != 0};
	return 0;
}

/* Set n_in_loops of each exit, and end_of_loop of each access, of a block whose
   accesses in loops are listed. */
static void set_ends_of_listed_accesses(struct an_loop_block *b)
{
	for (unsigned i = b->n_accesses; i-- > 0;)
		b->access[i].end_of_loop =
			i + 1u < b->n_accesses && b->access[i].loop ==
							  b->access[i + 1].loop
				? b->access[i + 1].end_of_loop
				: (uint16_t)(i + 1);
	for (unsigned i = 0; i < b->block->n_exits; i++) {
		struct an_loop_exit *exit = &b->exit[i];

		exit->n_in_loops = 0;
		while (exit->n_in_loops < b->n_accesses &&
		       b->access[exit->n_in_loops].access <
			       b->block->exit[i].n_accesses)
			exit->n_in_loops++;
	}
}

int an_loops_list_accesses_in_loops(struct an_loop_state *l,
				    struct an_loop_block *b)
{
	const struct pt_access *a = b->block->access;
	unsigned ordinal = 0;
	int err = 0;

	free(b->access);
	b->access = NULL;
	b->n_accesses = 0;
	for (unsigned i = 0; i < b->block->n_accesses && !err; i++) {
		struct an_loop_node *node = &l->node[b->node[a[i].instr]];

		ordinal =
			i > 0 && a[i - 1].instr == a[i].instr ? ordinal + 1 : 0;
		if (node->loop != 0 && ordinal < node->n_accesses)
			err = append_access_in_loop(l, b, node, i, ordinal);
	}
	set_ends_of_listed_accesses(b);
	return err;
}

void an_loops_count_strides_of_listed_accesses(struct an_loop_state *l,
					       const struct an_loop_thread *t,
					       const struct an_batch *batch,
					       struct an_exec exec,
					       unsigned first_access,
					       unsigned end_access)
{
	const struct an_loop_access *list = l->block[exec.block].access;
	struct an_strides *strides = l->strides;

	while (first_access < end_access) {
		const struct an_loop_run *run = last_run_in_top_frame_or_null(
			t, list[first_access].loop);
		unsigned end = list[first_access].end_of_loop;

		if (end > end_access)
			end = end_access;
		if (run == NULL)
			first_access = end;
		for (; first_access < end; first_access++) {
			const struct an_loop_access *a = &list[first_access];
			uint64_t base = 0;

			if (a->slot != PT_NO_SLOT)
				base = an_exec_slot_value(batch, exec, a->slot);
			if (a->is_guarded && base == PT_NOT_DONE)
				continue;
			count_stride_in_run(&strides[a->strides],
					    base + a->delta, run->number);
		}
	}
}
