/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_lists.c - lists the accesses of a block, and the calls and edges to
   headers of loops inside it */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

/* ---- accesses ---- */

/* Append access @access_index of a block to l->listed, which has *@n accesses.
   @strides: NULL if the access, of node @node_index, is in no loop. Return: 0
   or -ENOMEM. */
static int append_access(struct an_loop_state *l, size_t *n,
			 struct an_strides *strides, uint32_t node_index,
			 const struct an_block *block, unsigned access_index)
{
	if (al_array_reserve(l->listed, l->max_listed, *n + 1) != 0 ||
	    al_array_reserve(l->listed_place, l->max_listed_places, *n + 1) !=
		    0)
		return -ENOMEM;
	l->listed[*n] = an_loops_make_access(
		strides, &block->access[access_index], node_index);
	l->listed_place[(*n)++] = (struct an_loop_access_place){
		.loop = strides == NULL ? AN_NO_LOOP
					: l->node[node_index].loop - 1,
		.access = (uint16_t)access_index};
	return 0;
}

/* List the accesses in loops of @b in l->listed; all accesses if dependences
   are counted. Return: their number; -ENOMEM. */
static int64_t list_block_accesses_return_number(struct an_loop_state *l,
						 const struct an_loop_block *b)
{
	const struct pt_access *a = b->block->access;
	unsigned ordinal = 0;
	size_t n = 0;
	int err = 0;

	for (unsigned i = 0; i < b->block->n_accesses && !err; i++) {
		uint32_t index = b->node[a[i].instr];
		struct an_loop_node *node = &l->node[index];
		bool is_counted;

		ordinal =
			i > 0 && a[i - 1].instr == a[i].instr ? ordinal + 1 : 0;
		is_counted = node->loop != 0 && ordinal < node->n_accesses;
		if (is_counted)
			err = an_loops_add_strides_of_node_if_missing(l, node);
		if (!err && (is_counted || l->of != NULL))
			err = append_access(l, &n,
					    is_counted ? &node->strides[ordinal]
						       : NULL,
					    index, b->block, i);
	}
	return err ? err : (int64_t)n;
}

/* Give accesses in no loop the loop of the next access, or of the last one
   before them, so that they do not divide groups. */
static void
fill_missing_loops_from_neighbours(struct an_loop_access_place *place, size_t n)
{
	for (size_t i = n; i-- > 1;)
		if (place[i - 1].loop == AN_NO_LOOP)
			place[i - 1].loop = place[i].loop;
	for (size_t i = 1; i < n; i++)
		if (place[i].loop == AN_NO_LOOP)
			place[i].loop = place[i - 1].loop;
}

static void set_ends_of_same_loop_sequences(struct an_loop_access_place *place,
					    size_t n)
{
	for (size_t i = n; i-- > 0;)
		place[i].end_of_loop =
			i + 1 < n && place[i].loop == place[i + 1].loop
				? place[i + 1].end_of_loop
				: (uint16_t)(i + 1);
}

/* Whether l->listed and l->listed_place, which have as many accesses as the
   list of @b, are equal to it. No access has left all loops since the list was
   made, so both have the same accesses. */
static bool is_list_unchanged(const struct an_loop_state *l,
			      const struct an_loop_block *b)
{
	for (size_t i = 0; i < b->n_accesses; i++)
		if (l->listed_place[i].loop != b->list->place[i].loop ||
		    l->listed[i].strides != b->list->access[i].strides)
			return false;
	return true;
}

/* Make the list of the accesses of @b, unless it has one that is still right. A
   replaced list is freed after the chunk, because tail() may need it. Return: 0
   or -ENOMEM. */
static int update_list_of_accesses(struct an_loop_state *l,
				   struct an_loop_block *b)
{
	int64_t n = list_block_accesses_return_number(l, b);

	if (n < 0)
		return (int)n;
	fill_missing_loops_from_neighbours(l->listed_place, (size_t)n);
	if (n == b->n_accesses && is_list_unchanged(l, b))
		return 0;
	if (b->list != NULL)
		an_loops_defer_free_of_access_list(l, b->list);
	b->n_accesses = 0;
	b->list = n == 0 ? NULL : an_loops_alloc_access_list((size_t)n);
	if (n == 0 || b->list == NULL)
		return n == 0 ? 0 : -ENOMEM;
	b->n_accesses = (uint16_t)n;
	set_ends_of_same_loop_sequences(l->listed_place, (size_t)n);
	memcpy(b->list->access, l->listed, (size_t)n * sizeof(*l->listed));
	memcpy(b->list->place, l->listed_place,
	       (size_t)n * sizeof(*l->listed_place));
	return 0;
}

/* ---- calls and edges to headers ---- */

bool an_loops_is_after_call(const struct an_loop_state *l,
			    const struct an_loop_block *b, unsigned instr_index)
{
	return l->code.node[b->node[instr_index - 1]].branch_kind ==
	       AN_BRANCH_CALL;
}

/* List in b->event the transfers of control inside block @b that must be
   followed: calls, and edges to headers of loops. Call after b->list was made.
   Return: 0 or -ENOMEM. */
static int list_calls_and_header_edges_inside_block(struct an_loop_state *l,
						    struct an_loop_block *b)
{
	struct an_loop_event *event =
		realloc(b->event, b->block->n_instrs * sizeof(*event));
	uint16_t n = 0, access = 0;

	if (event == NULL)
		return -ENOMEM;
	b->event = event;
	for (unsigned i = 1; i < b->block->n_instrs; i++) {
		bool is_call = an_loops_is_after_call(l, b, i);
		int64_t back =
			is_call ? 0 : an_loops_inner_back_edge_number(l, b, i);

		if (back < 0)
			continue;
		while (access < b->n_accesses &&
		       b->block->access[b->list->place[access].access].instr <
			       i)
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

/* ---- exits ---- */

/* Add loop @loop_index to the loops that executions by @exit concern. Return:
   whether there is no other one. */
static bool add_loop_of_exit_if_single(struct an_loop_exit *exit,
				       uint32_t loop_index)
{
	if (exit->loop == AN_NO_LOOP)
		exit->loop = loop_index;
	return exit->loop == loop_index;
}

/* Set the members of @exit that describe an execution of @b by it. Return:
   whether nothing inside it must be followed but back edges of one loop. */
static bool
set_loop_executed_until_exit_is_single(const struct an_loop_block *b,
				       struct an_loop_exit *exit)
{
	bool is_plain = true;

	exit->loop = AN_NO_LOOP;
	exit->n_headers = exit->begins_at_header = b->header_of != 0;
	if (b->header_of != 0)
		exit->loop = b->header_of - 1;
	for (unsigned i = 0; i < b->n_events && is_plain; i++) {
		if (b->event[i].instr >= exit->n_instrs)
			break;
		is_plain = b->event[i].back != 0 &&
			   add_loop_of_exit_if_single(exit, b->event[i].loop);
		exit->n_headers++;
	}
	for (unsigned i = 0; i < exit->n_listed && is_plain;
	     i = b->list->place[i].end_of_loop)
		is_plain = b->list->place[i].loop == AN_NO_LOOP ||
			   add_loop_of_exit_if_single(exit,
						      b->list->place[i].loop);
	return is_plain;
}

/* Set n_listed and plain_generation of each exit. Set plain_generation to the
   present generation if the exit was taken before and its execution concerns at
   most one loop, which it only iterates inside the block; else to 0. */
static void
count_accesses_flag_exits_of_single_loop(const struct an_loop_state *l,
					 const struct an_loop_block *b)
{
	for (unsigned i = 0; i < b->block->n_exits; i++) {
		struct an_loop_exit *exit = &b->exit[i];

		exit->plain_generation = 0;
		exit->n_listed = 0;
		while (exit->n_listed < b->n_accesses &&
		       b->list->place[exit->n_listed].access <
			       b->block->exit[i].n_accesses)
			exit->n_listed++;
		if (exit->is_seen &&
		    set_loop_executed_until_exit_is_single(b, exit))
			exit->plain_generation = l->generation;
	}
}

int an_loops_update_block_lists(struct an_loop_state *l,
				struct an_loop_block *b)
{
	int err = update_list_of_accesses(l, b);

	if (!err)
		err = list_calls_and_header_edges_inside_block(l, b);
	b->header_of = l->node[b->node[0]].header_of;
	count_accesses_flag_exits_of_single_loop(l, b);
	b->generation = l->generation;
	return err;
}
