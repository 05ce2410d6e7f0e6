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
			err = an_loops_count_dependences_and_store_access(
				l, t, base + a->delta, a, index,
				moved ? run : NULL);
	}
	return err;
}
