/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_strides.c - allocates the strides of accesses, and lists the accesses of
   an execution instruction by instruction; see loops.h */

#include <errno.h>
#include <string.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

const struct an_strides *
an_loops_strides_of_access_or_empty(const struct an_loop_node *n,
				    unsigned access_index)
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

/* Return an_loop_access.max_cell_shift of an access of @access_bytes bytes. */
static int8_t max_cell_shift_of_access(unsigned access_bytes)
{
	return access_bytes == 8			? 3
	       : access_bytes == 4			? 2
	       : access_bytes == 1 || access_bytes == 2 ? 0
							: -1;
}

struct an_loop_access an_loops_make_access(struct an_strides *strides,
					   const struct pt_access *a,
					   uint32_t node)
{
	return (struct an_loop_access){
		.strides = strides,
		.delta = a->delta,
		.slot_word = 2u * a->slot,
		.node = node,
		.size = a->size,
		.kind = a->kind,
		.max_cell_shift = max_cell_shift_of_access(a->size),
		.has_slot = a->slot != PT_NO_SLOT,
		.is_guarded = (a->flags & PT_GUARDED) != 0,
		.is_plain = !(a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT};
}

/* List access @a, number @ordinal of the instruction of @node, as made during
   @run, a run of a loop. NULL: outside all loops; then it is listed only if
   functions are chosen (l->of). Return: 0 or -ENOMEM. */
static int list_access(struct an_loop_state *l, const struct pt_access *a,
		       unsigned ordinal, uint32_t node,
		       const struct an_loop_run *run, uint32_t first_slot_word)
{
	struct an_loop_node *n = &l->node[node];
	bool is_counted = run != NULL && ordinal < n->n_accesses;
	struct an_loop_access access;

	if (!is_counted && l->of == NULL)
		return 0;
	if (is_counted && an_loops_add_strides_of_node_if_missing(l, n) != 0)
		return -ENOMEM;
	access = an_loops_make_access(is_counted ? &n->strides[ordinal] : NULL,
				      a, node);
	return an_loops_append_group_of_one_access(l, &access, first_slot_word,
						   is_counted ? run : NULL);
}

int an_loops_list_accesses_of_instr(struct an_loop_state *l,
				    const struct an_loop_thread *t,
				    struct an_exec exec, unsigned instr)
{
	const struct an_loop_block *b = &l->block[exec.block];
	unsigned n = b->block->exit[an_exec_exit_number(exec)].n_accesses;
	uint32_t node = b->node[instr], loop = l->node[node].loop;
	const struct an_loop_run *run =
		loop == 0 ? NULL
			  : an_loops_newest_top_frame_run_or_null(t, loop - 1);
	unsigned ordinal = 0;
	int err = 0;

	if (run == NULL && t->n_chosen == 0)
		return 0;
	for (unsigned i = 0; i < n && !err; i++) {
		const struct pt_access *a = &b->block->access[i];

		if (a->instr == instr)
			err = list_access(l, a, ordinal++, node, run,
					  an_exec_first_slot_word_index(exec));
	}
	return err;
}
