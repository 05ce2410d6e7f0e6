/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_graph.c - the executed graph and its back edges; see loops.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

/* ---- bodies ---- */

/* If @node does not have l->stamp, with which the current search marks visited
   nodes, set it and append it to l->found, which has *@found_count entries.
   Return: 0 or -ENOMEM. */
static int stamp_and_append_node_unless_stamped(struct an_loop_state *l,
						uint32_t node,
						uint32_t *found_count)
{
	if (l->node[node].stamp == l->stamp)
		return 0;
	if (al_array_reserve(l->found, l->max_found, *found_count + 1u) != 0)
		return -ENOMEM;
	l->node[node].stamp = l->stamp;
	l->found[(*found_count)++] = node;
	return 0;
}

/* Mark as visited (l->stamp) and append to l->found the sources of all edges
   into @node that the search has not visited. Return: 0 or -ENOMEM. */
static int append_predecessors(struct an_loop_state *l, uint32_t node,
			       uint32_t *found_count)
{
	uint32_t in = l->node[node].in;
	int err = 0;

	if (in & AN_ONLY_EDGE_FROM)
		return stamp_and_append_node_unless_stamped(
			l, in & ~(uint32_t)AN_ONLY_EDGE_FROM, found_count);
	for (; in != 0 && !err; in = l->edge[in - 1].next)
		err = stamp_and_append_node_unless_stamped(
			l, l->edge[in - 1].from, found_count);
	return err;
}

int64_t
an_loops_list_body_or_0_if_irreducible(struct an_loop_state *l, uint32_t header,
				       const uint32_t *back_edge_sources,
				       size_t source_count)
{
	uint32_t n = 0;
	int err;

	l->stamp++;
	err = stamp_and_append_node_unless_stamped(l, header, &n);
	for (size_t i = 0; i < source_count && !err; i++)
		err = stamp_and_append_node_unless_stamped(
			l, back_edge_sources[i], &n);
	for (uint32_t i = 1; i < n && !err; i++) {
		if (l->node[l->found[i]].is_entry)
			return 0;
		err = append_predecessors(l, l->found[i], &n);
	}
	return err ? err : (int64_t)n;
}

/* Whether the loop of number @number (index + 1; 0: none) is that of number
   @around or lies in it. */
static bool is_loop_in_loop(const struct an_loop_state *l, uint32_t number,
			    uint32_t around)
{
	while (number != 0 && number != around)
		number = l->loop[number - 1].parent;
	return number != 0;
}

/* Whether the loop of number @candidate shall be the innermost one around
   something instead of that of number @present (0: none): its body is smaller.
   */
static bool is_innermost(const struct an_loop_state *l, uint32_t candidate,
			 uint32_t present)
{
	return present == 0 || l->loop[candidate - 1].body_size <
				       l->loop[present - 1].body_size;
}

/* Set the parent of the loop of number @number to that of number @parent, if
   that is the innermost one found. There is no cycle of parents. */
static void set_parent_if_innermost(struct an_loop_state *l, uint32_t number,
				    uint32_t parent)
{
	struct an_loop *loop = &l->loop[number - 1];

	if (parent != 0 && !is_loop_in_loop(l, parent, number) &&
	    is_innermost(l, parent, loop->parent))
		loop->parent = parent;
}

/* Make loop @loop_index the innermost loop of each of the first @found_count
   nodes of l->found, except nodes whose present innermost loop has a body of
   the same size or a smaller one. Likewise make it the parent of the loops
   whose headers are among them; for its own header, set its parent to the
   header's present innermost loop. */
static void set_loop_of_found_nodes_if_smaller_body(struct an_loop_state *l,
						    uint32_t loop_index,
						    uint32_t found_count)
{
	uint32_t number = loop_index + 1;

	for (uint32_t i = 0; i < found_count; i++) {
		struct an_loop_node *node = &l->node[l->found[i]];

		if (node->header_of == number)
			set_parent_if_innermost(l, number, node->loop);
		else if (node->header_of != 0)
			set_parent_if_innermost(l, node->header_of, number);
		if (is_innermost(l, number, node->loop))
			node->loop = number;
	}
}

/* Find or add the loop with the header @header_node, raise its body size to
   @stamped_body_size if it is smaller, and assign the nodes in l->found, the
   body, to it unless a smaller loop contains them. Changes l->generation, so
   that blocks list their headers anew. Return: 0 or -ENOMEM. */
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
			an_loops_is_function_of_node_chosen(l, header_node);
	}
	if (l->loop[n->header_of - 1].body_size < stamped_body_size)
		l->loop[n->header_of - 1].body_size = stamped_body_size;
	set_loop_of_found_nodes_if_smaller_body(l, n->header_of - 1,
						stamped_body_size);
	l->generation++;
	return 0;
}

/* List in l->found the nodes from which @from is reached, itself included,
   without passing through the body of loop @loop_number - 1, into which an edge
   leads from @from. Return: their number; 0: there is none, or one of them can
   be reached from outside the function; -ENOMEM. */
static int64_t list_nodes_that_join_body(struct an_loop_state *l, uint32_t from,
					 uint32_t loop_number)
{
	uint32_t n = 0, kept = 0;
	int err;

	l->stamp++;
	err = stamp_and_append_node_unless_stamped(l, from, &n);
	for (uint32_t i = 0; i < n && !err; i++) {
		uint32_t node = l->found[i];

		if (is_loop_in_loop(l, l->node[node].loop, loop_number))
			continue;
		if (l->node[node].is_entry)
			return 0;
		err = append_predecessors(l, node, &n);
	}
	for (uint32_t i = 0; i < n && !err; i++)
		if (!is_loop_in_loop(l, l->node[l->found[i]].loop, loop_number))
			l->found[kept++] = l->found[i];
	return err ? err : (int64_t)kept;
}

/* Return the number (index + 1) of the innermost loop whose body a node joins
   if an edge leads from it to @to: that of @to, or its parent if @to is the
   header. 0: none. */
static uint32_t
innermost_loop_joined_by_edge_source(const struct an_loop_state *l, uint32_t to)
{
	uint32_t loop = l->node[to].loop;

	return loop != 0 && loop == l->node[to].header_of
		       ? l->loop[loop - 1].parent
		       : loop;
}

/* Add code that is first executed after its loop was found. A new edge that is
   no back edge leads from @from into the body of the loop of number
   @loop_number: add the nodes from which @from is reached, itself included, to
   the bodies around the loop first, so that those are larger, then to its own.
   Do nothing if @loop_number is 0. Return: 0 or -ENOMEM. */
static int add_joining_nodes_to_loop_and_parents(struct an_loop_state *l,
						 uint32_t from,
						 uint32_t loop_number)
{
	int64_t n;
	int err;

	if (loop_number == 0)
		return 0;
	err = add_joining_nodes_to_loop_and_parents(
		l, from, l->loop[loop_number - 1].parent);
	if (err)
		return err;
	n = list_nodes_that_join_body(l, from, loop_number);
	if (n <= 0)
		return (int)n;
	l->loop[loop_number - 1].body_size += (uint32_t)n;
	set_loop_of_found_nodes_if_smaller_body(l, loop_number - 1,
						(uint32_t)n);
	l->generation++;
	return 0;
}

/* ---- edges ---- */

static uint32_t hash_of_edge(const void *edges, uint32_t index)
{
	const struct an_loop_edge *e =
		(const struct an_loop_edge *)edges + index;

	return al_index_table_hash(e->from, e->to);
}

static bool is_edge_between_ends(const void *edges, uint32_t index,
				 const void *ends)
{
	const struct an_loop_edge *e = (const struct an_loop_edge *)edges +
				       index,
				  *key = ends;

	return e->from == key->from && e->to == key->to;
}

int64_t an_loops_back_edge_number_0_if_not_back(const struct an_loop_state *l,
						uint32_t from, uint32_t to)
{
	struct an_loop_edge ends = {.from = from, .to = to};
	uint32_t i;

	if (l->node[to].in & AN_ONLY_EDGE_FROM)
		return l->node[to].in == (from | AN_ONLY_EDGE_FROM) ? 0 : -1;
	if (l->node[to].in == 0)
		return -1;
	i = al_index_table_find_index_plus_1(
		&l->edges_by_ends, al_index_table_hash(from, to),
		is_edge_between_ends, l->edge, &ends);
	return i == 0 ? -1 : (int64_t)l->edge[i - 1].back;
}

/* Add an edge at the front of the list of the edges into its target @to.
   Return: 0 or -ENOMEM. */
static int add_edge_to_list_of_target(struct an_loop_state *l, uint32_t from,
				      uint32_t to,
				      uint32_t back_edge_number_or_0)
{
	uint32_t n = l->edges_by_ends.n;

	if (al_array_reserve(l->edge, l->max_edges, n + 1u) != 0)
		return -ENOMEM;
	l->edge[n] = (struct an_loop_edge){from, to, l->node[to].in,
					   back_edge_number_or_0};
	l->node[to].in = n + 1;
	return al_index_table_add(&l->edges_by_ends, n, hash_of_edge, l->edge);
}

/* Add an edge that node @to does not have yet: in the node itself if the edge
   is its first and no back edge, else in its list of edges. Return: 0 or
   -ENOMEM. */
static int add_edge(struct an_loop_state *l, uint32_t from, uint32_t to,
		    uint32_t back_edge_number_or_0)
{
	struct an_loop_node *n = &l->node[to];
	uint32_t only = n->in & ~(uint32_t)AN_ONLY_EDGE_FROM;

	if (n->in == 0 && back_edge_number_or_0 == 0) {
		n->in = from | AN_ONLY_EDGE_FROM;
		return 0;
	}
	if (n->in & AN_ONLY_EDGE_FROM) {
		n->in = 0;
		if (add_edge_to_list_of_target(l, only, to, 0) != 0)
			return -ENOMEM;
	}
	return add_edge_to_list_of_target(l, from, to, back_edge_number_or_0);
}

/* Add an edge, and if it is a back edge, add or enlarge its loop. Return:
   an_loop_edge.back; -ENOMEM. */
static int64_t add_edge_and_loop_get_back_edge(struct an_loop_state *l,
					       uint32_t from, uint32_t to,
					       bool *is_new_back_out)
{
	int64_t size = 0;
	bool was_reached = l->node[to].is_reached;

	if (was_reached)
		size = an_loops_list_body_or_0_if_irreducible(l, to, &from, 1);
	if (size < 0)
		return size;
	l->node[to].is_reached = true;
	if (size == 0 && was_reached &&
	    add_joining_nodes_to_loop_and_parents(
		    l, from, innermost_loop_joined_by_edge_source(l, to)) != 0)
		return -ENOMEM;
	if (size == 0)
		return add_edge(l, from, to, 0);
	if (al_array_reserve_zeroed(l->back_count, l->max_back,
				    l->n_back + 2u) != 0)
		return -ENOMEM;
	*is_new_back_out = true;
	if (add_edge(l, from, to, ++l->n_back) != 0 ||
	    add_or_enlarge_loop_and_assign_body(l, to, (uint32_t)size) != 0)
		return -ENOMEM;
	return l->n_back;
}

int an_loops_add_repetitions(struct an_loop_state *l, uint32_t node,
			     uint64_t count)
{
	if (al_array_reserve_zeroed(l->repetitions, l->max_repetitions,
				    node + 1u) != 0)
		return -ENOMEM;
	l->repetitions[node] += count;
	return 0;
}

int64_t an_loops_find_or_add_edge_get_back_edge(struct an_loop_state *l,
						uint32_t from, uint32_t to,
						bool *is_new_back_out)
{
	int64_t back = an_loops_back_edge_number_0_if_not_back(l, from, to);

	*is_new_back_out = false;
	return back >= 0 ? back
			 : add_edge_and_loop_get_back_edge(l, from, to,
							   is_new_back_out);
}
