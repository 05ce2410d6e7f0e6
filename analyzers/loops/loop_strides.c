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

static void count_one_of_first_strides_or_others(struct an_strides *s,
						 uint64_t stride_bytes)
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
   of the loop, and store its address. Return: whether this is the first
   execution, or the previous one was at another address. */
static bool count_stride_in_run_is_address_moved(struct an_strides *s,
						 uint64_t address,
						 uint64_t run_number)
{
	bool moved = s->run == 0 || s->address != address;

	if (s->run == run_number)
		count_one_of_first_strides_or_others(s, address - s->address);
	s->run = run_number;
	s->address = address;
	return moved;
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
			moved = count_stride_in_run_is_address_moved(
				&l->strides[node->accesses - 1 + ordinal],
				base + a->delta, run->number);
		}
		if (t->n_chosen > 0)
			err = an_loops_count_dependences_of_access(
				l, t, base + a->delta, a, index,
				moved ? run : NULL);
	}
	return err;
}

/* ---- accesses in loops ---- */

int an_loops_list_accesses_in_loops(struct an_loop_state *l,
				    struct an_loop_block *b)
{
	unsigned all = b->block->n_accesses, ordinal = 0;
	uint16_t n = 0;

	free(b->access);
	b->access = NULL;
	for (unsigned i = 0; i < all; i++) {
		unsigned instr = b->block->access[i].instr;
		const struct an_loop_node *node = &l->node[b->node[instr]];

		ordinal = i > 0 && b->block->access[i - 1].instr == instr
				  ? ordinal + 1
				  : 0;
		if (node->loop == 0 || ordinal >= node->n_accesses)
			continue;
		if (b->access == NULL)
			b->access = malloc((all - i) * sizeof(*b->access));
		if (b->access == NULL)
			return -ENOMEM;
		b->access[n++] =
			(struct an_loop_access){.loop = node->loop - 1,
						.access = (uint16_t)i,
						.ordinal = (uint16_t)ordinal};
	}
	b->n_accesses = n;
	return 0;
}

/* Set the strides of an access that has none yet. */
static int look_up_strides_of_access(struct an_loop_state *l,
				     const struct an_loop_block *b,
				     struct an_loop_access *a)
{
	struct an_loop_node *node =
		&l->node[b->node[b->block->access[a->access].instr]];

	if (add_strides_of_node_if_missing(l, node) != 0)
		return -ENOMEM;
	a->strides = node->accesses + a->ordinal;
	return 0;
}

int an_loops_count_strides_of_listed_accesses(
	struct an_loop_state *l, struct an_loop_thread *t,
	const struct an_batch *batch, struct an_exec exec, unsigned first_instr,
	unsigned end_instr, unsigned *next_access)
{
	const struct an_loop_block *b = &l->block[exec.block];
	unsigned n = b->exit[an_exec_exit_number(exec)].n_accesses;
	const struct an_loop_run *run = NULL;
	uint32_t loop = UINT32_MAX;
	unsigned i = *next_access;

	for (; i < b->n_accesses; i++) {
		struct an_loop_access *in = &b->access[i];
		const struct pt_access *a = &b->block->access[in->access];
		uint64_t base = 0;

		if (in->access >= n || a->instr >= end_instr)
			break;
		if (a->instr < first_instr)
			continue;
		if (in->loop != loop)
			run = last_run_in_top_frame_or_null(t, in->loop);
		loop = in->loop;
		if (a->slot != PT_NO_SLOT)
			base = an_exec_slot_value(batch, exec, a->slot);
		if (run == NULL ||
		    ((a->flags & PT_GUARDED) && base == PT_NOT_DONE))
			continue;
		if (in->strides == 0 &&
		    look_up_strides_of_access(l, b, in) != 0)
			return -ENOMEM;
		count_stride_in_run_is_address_moved(
			&l->strides[in->strides - 1], base + a->delta,
			run->number);
	}
	*next_access = i;
	return 0;
}
