/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_lists.c - lists the accesses in loops of a block, and the calls and
   edges to headers of loops inside it */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/loops/loops.h"

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
	if (b->access == NULL ||
	    an_loops_add_strides_of_node_if_missing(l, node) != 0)
		return -ENOMEM;
	b->access[b->n_accesses++] = (struct an_loop_access){
		.strides = &node->strides[ordinal],
		.delta = a->delta,
		.loop = node->loop - 1,
		.access = (uint16_t)access_index,
		.slot_word = 2u * a->slot,
		.has_slot = a->slot != PT_NO_SLOT,
		.is_guarded = (a->flags & PT_GUARDED) != 0,
		.is_plain = !(a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT};
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

		exit->plain_generation = 0;
		exit->n_in_loops = 0;
		while (exit->n_in_loops < b->n_accesses &&
		       b->access[exit->n_in_loops].access <
			       b->block->exit[i].n_accesses)
			exit->n_in_loops++;
	}
}

static int list_accesses_in_loops(struct an_loop_state *l,
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

/* ---- calls and edges to headers ---- */

bool an_loops_is_previous_instr_a_call(const struct an_loop_state *l,
				       const struct an_loop_block *b,
				       unsigned instr_index)
{
	return l->code.node[b->node[instr_index - 1]].branch_kind ==
	       AN_BRANCH_CALL;
}

/* List in b->event the transfers of control inside block @b that must be
   followed: calls, and edges to headers of loops. The accesses in loops are
   listed. Return: 0 or -ENOMEM. */
static int list_calls_and_edges_to_headers(struct an_loop_state *l,
					   struct an_loop_block *b)
{
	struct an_loop_event *event =
		realloc(b->event, b->block->n_instrs * sizeof(*event));
	uint16_t n = 0, access = 0;

	if (event == NULL)
		return -ENOMEM;
	b->event = event;
	for (unsigned i = 1; i < b->block->n_instrs; i++) {
		bool is_call = an_loops_is_previous_instr_a_call(l, b, i);
		int64_t back = -1;

		if (is_call)
			back = 0;
		else if (l->node[b->node[i]].header_of != 0)
			back = an_loops_find_back_number_or_minus_1(
				l, b->node[i - 1], b->node[i]);
		if (back < 0)
			continue;
		while (access < b->n_accesses &&
		       b->block->access[b->access[access].access].instr < i)
			access++;
		event[n++] = (struct an_loop_event){
			.instr = (uint16_t)i,
			.first_access = access,
			.is_call = is_call,
			.loop = is_call ? 0 : l->node[b->node[i]].header_of - 1,
			.back = (uint32_t)back};
	}
	/* Most blocks have no call and no header of a loop inside. */
	b->n_events = n;
	b->event = n == 0 ? NULL : realloc(event, n * sizeof(*event));
	if (n == 0)
		free(event);
	else if (b->event == NULL)
		b->event = event;
	return 0;
}

/* Set plain_generation of the exits that were taken before and before which
   nothing is in b->event. */
static void mark_plain_exits(const struct an_loop_state *l,
			     const struct an_loop_block *b)
{
	for (unsigned i = 0; i < b->block->n_exits; i++)
		if (b->exit[i].is_seen &&
		    (b->n_events == 0 ||
		     b->exit[i].n_instrs <= b->event[0].instr))
			b->exit[i].plain_generation = l->generation;
}

int an_loops_list_accesses_calls_and_headers(struct an_loop_state *l,
					     struct an_loop_block *b)
{
	int err = list_accesses_in_loops(l, b);

	if (!err)
		err = list_calls_and_edges_to_headers(l, b);
	mark_plain_exits(l, b);
	b->header_of = l->node[b->node[0]].header_of;
	b->generation = l->generation;
	return err;
}
