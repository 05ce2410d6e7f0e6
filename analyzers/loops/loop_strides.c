/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_strides.c - lists the accesses of an execution instruction by
   instruction; in runs of chosen loops, counts their strides and dependences at
   once; see loops.h */

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
	n->strides = an_arena_alloc(&l->stride_arena, bytes);
	if (n->strides == NULL)
		return -ENOMEM;
	memset(n->strides, 0, bytes);
	return 0;
}

struct an_loop_access an_loops_make_access(struct an_strides *strides,
					   const struct pt_access *a)
{
	return (struct an_loop_access){
		.strides = strides,
		.delta = a->delta,
		.slot_word = 2u * a->slot,
		.has_slot = a->slot != PT_NO_SLOT,
		.is_guarded = (a->flags & PT_GUARDED) != 0,
		.is_plain = !(a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT};
}

/* An access of an execution, which happened. */
struct access {
	const struct pt_access *access;
	uint64_t address;
	uint32_t node;	  /* of its instruction */
	unsigned ordinal; /* of the access in its instruction, from 0 */
	/* newest run of its innermost loop; NULL: it is in none */
	const struct an_loop_run *run;
	uint32_t first_slot_word; /* of the execution */
};

/* Count the stride of @a now, or list @a if no run of a chosen loop is active.
   @moved_out: if the stride is counted now, set to whether the access is
   executed in a loop for the first time or not at the address of its previous
   execution; else unchanged. Return: 0 or -ENOMEM. */
static int count_stride_or_list_if_outside_chosen_loop(
	struct an_loop_state *l, const struct an_loop_thread *t,
	const struct access *a, bool *moved_out)
{
	struct an_loop_node *node = &l->node[a->node];
	struct an_loop_access in_loop;
	struct an_strides *s;

	if (an_loops_add_strides_of_node_if_missing(l, node) != 0)
		return -ENOMEM;
	s = &node->strides[a->ordinal];
	if (t->n_chosen == 0) {
		in_loop = an_loops_make_access(s, a->access);
		return an_loops_append_group_of_one_access(
			l, &in_loop, a->first_slot_word, a->run->number);
	}
	*moved_out = s->run == 0 || s->address != a->address;
	an_strides_count(s, a->address, a->run->number);
	return 0;
}

static int count_or_list_stride_and_count_dependences(struct an_loop_state *l,
						      struct an_loop_thread *t,
						      const struct access *a)
{
	bool moved = false;
	int err = 0;

	if (a->run != NULL && a->ordinal < l->node[a->node].n_accesses)
		err = count_stride_or_list_if_outside_chosen_loop(l, t, a,
								  &moved);
	if (err || t->n_chosen == 0)
		return err;
	return an_loops_count_dependences_and_store_access(
		l, t, a->address, a->access, a->node, moved ? a->run : NULL);
}

int an_loops_list_or_count_strides_and_dependences(struct an_loop_state *l,
						   struct an_loop_thread *t,
						   const struct an_batch *batch,
						   struct an_exec exec,
						   unsigned first_instr,
						   unsigned end_instr)
{
	const struct an_loop_block *b = &l->block[exec.block];
	unsigned n = b->block->exit[an_exec_exit_number(exec)].n_accesses;
	struct access at = {.first_slot_word =
				    an_exec_first_slot_word_index(exec)};
	unsigned before = UINT32_MAX;
	int err = 0;

	if (t->n_chosen > 0)
		an_loops_count_strides_of_groups(l->inflight_of_batch,
						 batch->slots);
	for (unsigned i = 0; i < n && !err; i++) {
		const struct pt_access *a = &b->block->access[i];
		uint64_t base = 0;

		at.ordinal = a->instr == before ? at.ordinal + 1 : 0;
		if (a->instr >= end_instr)
			break;
		if (a->instr < first_instr)
			continue;
		if (a->instr != before) {
			uint32_t loop = l->node[b->node[a->instr]].loop;

			at.node = b->node[a->instr];
			at.run = NULL;
			if (loop != 0)
				at.run = an_loops_newest_top_frame_run_or_null(
					t, loop - 1);
		}
		before = a->instr;
		if (a->slot != PT_NO_SLOT)
			base = an_exec_slot_value(batch, exec, a->slot);
		if ((a->flags & PT_GUARDED) && base == PT_NOT_DONE)
			continue;
		at.access = a;
		at.address = base + a->delta;
		err = count_or_list_stride_and_count_dependences(l, t, &at);
	}
	return err;
}
