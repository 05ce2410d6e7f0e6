/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_graph.c - the executed graph and its back edges; see loops.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

/* If @node does not have the current stamp l->stamp, stamp it and append it to
   l->found, which has @found_count entries. Return: the new number of
   entries. */
static uint32_t stamp_and_append_node_unless_stamped(struct an_loop_state *l,
						     uint32_t node,
						     uint32_t found_count)
{
	if (l->node[node].stamp == l->stamp)
		return found_count;
	l->node[node].stamp = l->stamp;
	l->found[found_count] = node;
	return found_count + 1;
}

uint32_t
an_loops_list_body_or_0_if_irreducible(struct an_loop_state *l, uint32_t header,
				       const uint32_t *back_edge_sources,
				       size_t source_count)
{
	uint32_t n;

	if (al_array_reserve_zeroed(l->found, l->max_found,
				    l->code.versions.n + 1) != 0)
		return 0;
	l->stamp++;
	n = stamp_and_append_node_unless_stamped(l, header, 0);
	for (size_t i = 0; i < source_count; i++)
		n = stamp_and_append_node_unless_stamped(
			l, back_edge_sources[i], n);
	for (uint32_t i = 1; i < n; i++) {
		const struct an_loop_node *at = &l->node[l->found[i]];

		if (at->is_entry)
			return 0;
		for (struct an_loop_edge *e = at->in; e; e = e->next)
			n = stamp_and_append_node_unless_stamped(l, e->from, n);
	}
	return n;
}

/* Make loop @loop_index the innermost loop of those of the first @found_count
   nodes of l->found that are in no loop with a body of its size or less. */
static void set_loop_of_found_nodes_if_smaller(struct an_loop_state *l,
					       uint32_t loop_index,
					       uint32_t found_count)
{
	uint32_t size = l->loop[loop_index].body_size;

	for (uint32_t i = 0; i < found_count; i++) {
		struct an_loop_node *node = &l->node[l->found[i]];

		if (node->loop == 0 || l->loop[node->loop - 1].body_size > size)
			node->loop = loop_index + 1;
	}
}

static bool is_function_of_node_chosen(const struct an_loop_state *l,
				       uint32_t node_index)
{
	const struct an_instr_node *in = &l->code.node[node_index];
	struct an_symbol symbol;

	l->env->symbol(l->env->host, in->block, in->instr, &symbol);
	return an_loops_is_function_chosen(l, symbol.function);
}

/* Find or add the loop with the header @header_node, raise its body size to
   @stamped_body_size if it is smaller, and assign the found nodes of the body
   to it. Changes l->generation. Return: 0 or -ENOMEM. */
static int add_or_enlarge_loop_and_assign_body(struct an_loop_state *l,
					       uint32_t header_node,
					       uint32_t stamped_body_size)
{
	struct an_loop_node *n = &l->node[header_node];

	if (n->header_of == 0) {
		if (al_array_reserve_zeroed(l->loop, l->max_loops,
					    l->n_loops + 1) != 0)
			return -ENOMEM;
		l->loop[l->n_loops++] = (struct an_loop){.header = header_node,
							 .least = UINT64_MAX};
		n->header_of = (uint32_t)l->n_loops;
		l->loop[l->n_loops - 1].is_chosen =
			l->of != NULL &&
			is_function_of_node_chosen(l, header_node);
	}
	if (l->loop[n->header_of - 1].body_size < stamped_body_size)
		l->loop[n->header_of - 1].body_size = stamped_body_size;
	set_loop_of_found_nodes_if_smaller(l, n->header_of - 1,
					   stamped_body_size);
	l->generation++;
	return 0;
}

static struct an_loop_edge *
add_edge_and_loop_if_back_edge(struct an_loop_state *l, uint32_t edge_number,
			       uint32_t from, uint32_t to,
			       bool *is_new_back_out)
{
	struct an_loop_edge *e = an_arena_alloc(&l->arena, sizeof(*e));
	uint32_t size = 0;

	if (e == NULL || al_array_reserve_zeroed(l->edge, l->max_edges,
						 edge_number + 1u) != 0)
		return NULL;
	l->edge[edge_number] = e;
	*e = (struct an_loop_edge){from, to, 0, false, l->node[to].in};
	if (l->node[to].is_reached)
		size = an_loops_list_body_or_0_if_irreducible(l, to, &from, 1);
	l->node[to].in = e;
	l->node[to].is_reached = true;
	if (size == 0)
		return e;
	e->is_back = *is_new_back_out = true;
	return add_or_enlarge_loop_and_assign_body(l, to, size) == 0 ? e : NULL;
}

struct an_loop_edge *an_loops_find_or_add_edge(struct an_loop_state *l,
					       uint32_t from, uint32_t to,
					       bool *is_new_back_out)
{
	struct al_key key = {{from, to, 0}};
	uint32_t known = l->edge_numbers.n;
	int64_t i = al_key_table_find_or_add_index(&l->edge_numbers, &key);

	*is_new_back_out = false;
	if (i < 0)
		return NULL;
	return i < known ? l->edge[i]
			 : add_edge_and_loop_if_back_edge(l, (uint32_t)i, from,
							  to, is_new_back_out);
}
