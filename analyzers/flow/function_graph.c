/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_graph.c - stores transfers of control with counts; see
   function_graph.h */
#include "analyzers/flow/function_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

const char *const an_edge_name[] = {
	"call",	    "return",	   "jump",    "taken", "not taken",
	"indirect", "system call", "handler", "next",  "repeat",
};

static bool is_same_function(const struct an_flow_place *one,
			     const struct an_flow_place *other)
{
	return one->function == other->function && one->object == other->object;
}

/* Set the place to @new_place if its path sorts before that of the place. */
static void set_place_if_path_is_less(struct an_flow_place *place,
				      const struct an_flow_place *new_place)
{
	if (place->function == NULL ||
	    (place->path != new_place->path &&
	     strcmp(new_place->path, place->path) < 0))
		*place = *new_place;
}

static int64_t
find_or_add_place_with_least_path(struct an_flow_graph *g,
				  const struct an_flow_place *place)
{
	struct al_key key = {
		{(uintptr_t)place->function, (uintptr_t)place->object, 0}};
	int64_t i = g->last_place;

	if (g->places.n == 0 || !is_same_function(&g->place[i], place))
		i = al_key_table_find_or_add_index(&g->places, &key);
	if (i < 0 ||
	    al_array_reserve_zeroed(g->place, g->max_places, g->places.n) != 0)
		return -1;
	g->last_place = (uint32_t)i;
	set_place_if_path_is_less(&g->place[i], place);
	return i;
}

/* Return the number of the new node, which has no executions yet; -1 if memory
   is short. */
static int64_t add_node_of_place(struct an_flow_graph *g,
				 const struct an_flow_node *n,
				 int64_t place_index_or_minus_1)
{
	if (place_index_or_minus_1 < 0 ||
	    al_array_reserve(g->node, g->max_nodes, g->n_nodes + 1u) != 0)
		return -1;
	g->node[g->n_nodes] = *n;
	g->node[g->n_nodes].place = (uint32_t)place_index_or_minus_1;
	g->node[g->n_nodes].executed = 0;
	return g->n_nodes++;
}

int64_t an_flow_graph_add_instr_node(struct an_flow_graph *g,
				     const struct an_flow_node *n,
				     const struct an_symbol *s)
{
	struct an_flow_place place = {s->function, s->object, s->file, s->path};
	struct an_flow_node node = *n;

	node.line = s->line;
	return add_node_of_place(g, &node,
				 find_or_add_place_with_least_path(g, &place));
}

int64_t an_flow_graph_add_unknown_node(struct an_flow_graph *g)
{
	static const char unknown[] = "???";
	struct an_flow_place place = {unknown, unknown, unknown, unknown};

	return add_node_of_place(g, &(struct an_flow_node){0},
				 find_or_add_place_with_least_path(g, &place));
}

int64_t an_flow_graph_add_edge(struct an_flow_graph *g,
			       const struct an_flow_edge *edge)
{
	if (al_array_reserve(g->edge, g->max_edges, g->n_edges + 1u) != 0)
		return -1;
	g->edge[g->n_edges] = *edge;
	return g->n_edges++;
}

/* ---- merge ---- */

static bool is_same_node(const void *nodes, uint32_t index, const void *node)
{
	const struct an_flow_node *a =
		&((const struct an_flow_node *)nodes)[index];
	const struct an_flow_node *b = node;

	return a->address == b->address && a->version == b->version &&
	       a->place == b->place && a->line == b->line;
}

static uint32_t hash_of_node(const void *nodes, uint32_t index)
{
	const struct an_flow_node *n =
		&((const struct an_flow_node *)nodes)[index];

	return al_index_table_hash(n->address, n->place);
}

static bool is_same_edge(const void *edges, uint32_t index, const void *edge)
{
	const struct an_flow_edge *a =
		&((const struct an_flow_edge *)edges)[index];
	const struct an_flow_edge *b = edge;

	return a->from == b->from && a->to == b->to && a->kind == b->kind;
}

static uint32_t hash_of_edge(const void *edges, uint32_t index)
{
	const struct an_flow_edge *e =
		&((const struct an_flow_edge *)edges)[index];

	return al_index_table_hash(e->from, e->to);
}

/* Return the number of the node with the members of @node; it is added if it is
   new; -1 if memory is short. */
static int64_t find_or_add_node(struct an_flow_graph *g,
				const struct an_flow_node *node)
{
	uint32_t found = al_index_table_find_index_plus_1(
		&g->node_index, hash_of_node(node, 0), is_same_node, g->node,
		node);
	int64_t new;

	if (found > 0)
		return found - 1;
	new = add_node_of_place(g, node, node->place);
	if (new >= 0 && al_index_table_add(&g->node_index, (uint32_t) new,
					   hash_of_node, g->node) != 0)
		return -1;
	return new;
}

/* Add @edge->count to the equal edge, or the edge if it is new. Return: 0;
   -ENOMEM. */
static int add_to_edge_count(struct an_flow_graph *g,
			     const struct an_flow_edge *edge)
{
	uint32_t found = al_index_table_find_index_plus_1(
		&g->edge_index, hash_of_edge(edge, 0), is_same_edge, g->edge,
		edge);
	int64_t new;

	if (found > 0) {
		g->edge[found - 1].count += edge->count;
		return 0;
	}
	new = an_flow_graph_add_edge(g, edge);
	return new < 0 ? -ENOMEM
		       : al_index_table_add(&g->edge_index, (uint32_t) new,
					    hash_of_edge, g->edge);
}

/* Add the nodes and edges that are not in the index tables to them. Return: 0;
   -ENOMEM. */
static int index_all_nodes_and_edges(struct an_flow_graph *g)
{
	int err = 0;

	for (uint32_t i = g->node_index.n; i < g->n_nodes && !err; i++)
		err = al_index_table_add(&g->node_index, i, hash_of_node,
					 g->node);
	for (uint32_t i = g->edge_index.n; i < g->n_edges && !err; i++)
		err = al_index_table_add(&g->edge_index, i, hash_of_edge,
					 g->edge);
	return err;
}

/* Add the nodes of @from and their executions to @into. @number_in_into_out:
   [from->n_nodes] receives their numbers in @into. Return: 0 or -ENOMEM. */
static int merge_nodes_and_map_numbers(struct an_flow_graph *into,
				       const struct an_flow_graph *from,
				       uint32_t *number_in_into_out)
{
	bool is_new = into->n_nodes == 0;

	for (uint32_t i = 0; i < from->n_nodes; i++) {
		struct an_flow_node n = from->node[i];
		int64_t place = find_or_add_place_with_least_path(
				into, &from->place[n.place]),
			to = -1;

		n.place = (uint32_t)place;
		if (place >= 0)
			to = is_new ? add_node_of_place(into, &n, place)
				    : find_or_add_node(into, &n);
		if (to < 0)
			return -ENOMEM;
		into->node[to].executed += n.executed;
		number_in_into_out[i] = (uint32_t)to;
	}
	return 0;
}

static int merge_edges(struct an_flow_graph *into,
		       const struct an_flow_graph *from,
		       const uint32_t *number_in_into)
{
	bool is_new = into->n_edges == 0;
	int err = 0;

	for (uint32_t i = 0; i < from->n_edges && !err; i++) {
		struct an_flow_edge e = from->edge[i];

		e.from = number_in_into[e.from];
		e.to = number_in_into[e.to];
		if (!is_new)
			err = add_to_edge_count(into, &e);
		else if (an_flow_graph_add_edge(into, &e) < 0)
			err = -ENOMEM;
	}
	return err;
}

int an_flow_graph_merge(struct an_flow_graph *into,
			const struct an_flow_graph *from)
{
	uint32_t *number = malloc((from->n_nodes + 1u) * sizeof(*number));
	int err = number ? index_all_nodes_and_edges(into) : -ENOMEM;

	if (!err)
		err = merge_nodes_and_map_numbers(into, from, number);
	if (!err)
		err = merge_edges(into, from, number);
	free(number);
	return err;
}

void an_flow_graph_release(struct an_flow_graph *g)
{
	al_key_table_release(&g->places);
	al_index_table_release(&g->node_index);
	al_index_table_release(&g->edge_index);
	free(g->place);
	free(g->node);
	free(g->edge);
	*g = (struct an_flow_graph){0};
}
