/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_strides.c - differences of addresses between iterations; see loops.h */

#include <errno.h>
#include <string.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

const struct an_strides *
an_loops_strides_of_access(const struct an_loop_node *n, unsigned access_index)
{
	static const struct an_strides uncounted;

	return n->strides == NULL ? &uncounted : &n->strides[access_index];
}

int an_loops_add_strides_of_node_if_missing(struct an_loop_state *l,
					    struct an_loop_node *n)
{
	size_t bytes = n->n_accesses * sizeof(*n->strides);

	if (n->strides != NULL)
		return 0;
	n->strides = an_arena_alloc(&l->arena, bytes);
	if (n->strides == NULL)
		return -ENOMEM;
	memset(n->strides, 0, bytes);
	return 0;
}

/* Return the bit of an_strides.filter for a stride: a multiplicative hash with
   2^64 divided by the golden ratio. */
static uint64_t filter_bit(uint64_t stride_bytes)
{
	return UINT64_C(1) << (stride_bytes * UINT64_C(0x9e3779b97f4a7c15) >>
			       58);
}

/* Return the element of s->found with stride @stride_bytes; NULL: none. */
static struct an_stride_count *find_stride_or_null(struct an_strides *s,
						   uint64_t stride_bytes)
{
	for (int i = 0; i < AN_STRIDES; i++)
		if (s->found[i].count > 0 && s->found[i].stride == stride_bytes)
			return &s->found[i];
	return NULL;
}

/* Count @found, a stride of @s, and exchange it with the first one if it is more
   frequent, because the first one is counted fastest. */
static void
count_stride_move_to_front_if_most_frequent(struct an_strides *s,
					    struct an_stride_count *found)
{
	struct an_stride_count first = s->found[0];

	found->count++;
	if (found->count > first.count) {
		s->found[0] = *found;
		*found = first;
		s->filter |= filter_bit(first.stride);
	}
}

static void add_stride_or_count_in_others(struct an_strides *s,
					  uint64_t stride_bytes)
{
	if (s->found[AN_STRIDES - 1].count > 0) {
		s->others++;
		return;
	}
	for (int i = 0; i < AN_STRIDES; i++)
		if (s->found[i].count == 0) {
			s->found[i].stride = stride_bytes;
			s->found[i].count = 1;
			s->filter |= filter_bit(stride_bytes);
			return;
		}
}

void an_strides_count_other(struct an_strides *s, uint64_t stride_bytes)
{
	struct an_stride_count *found = NULL;

	if (s->filter & filter_bit(stride_bytes))
		found = find_stride_or_null(s, stride_bytes);
	if (found != NULL)
		count_stride_move_to_front_if_most_frequent(s, found);
	else
		add_stride_or_count_in_others(s, stride_bytes);
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
					      : an_loops_newest_run_or_null(
							t, node->loop - 1);
		before = a->instr;
		if (a->slot != PT_NO_SLOT)
			base = an_exec_slot_value(batch, exec, a->slot);
		if ((a->flags & PT_GUARDED) && base == PT_NOT_DONE)
			continue;
		if (run != NULL && ordinal < node->n_accesses) {
			err = an_loops_add_strides_of_node_if_missing(l, node);
			if (err)
				break;
			s = &node->strides[ordinal];
			moved = s->run == 0 || s->address != base + a->delta;
			an_strides_count(s, base + a->delta, run->number);
		}
		if (t->n_chosen > 0)
			err = an_loops_count_dependences_of_access(
				l, t, base + a->delta, a, index,
				moved ? run : NULL);
	}
	return err;
}
