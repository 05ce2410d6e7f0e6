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

/* Copy @new_place to @place if @place is empty (its function is NULL), or if
   @new_place has a path that sorts before the path of @place. */
static void
set_place_if_empty_or_path_is_less(struct an_flow_place *place,
				   const struct an_flow_place *new_place)
{
	if (place->function == NULL ||
	    (place->path != new_place->path &&
	     strcmp(new_place->path, place->path) < 0))
		*place = *new_place;
}

static int64_t
find_or_add_place_set_if_path_is_less(struct an_flow_graph *g,
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
	set_place_if_empty_or_path_is_less(&g->place[i], place);
	return i;
}

/* Return the number of the new node, which has no executions yet; -1 if memory
   is short. */
static int64_t add_node_of_place(struct an_flow_graph *g,
				 const struct an_flow_node *n,
				 int64_t place_index_or_error)
{
	if (place_index_or_error < 0 ||
	    al_array_reserve(g->node, g->max_nodes, g->n_nodes + 1u) != 0)
		return -1;
	g->node[g->n_nodes] = *n;
	g->node[g->n_nodes].place = (uint32_t)place_index_or_error;
	g->node[g->n_nodes].executed = 0;
	return g->n_nodes++;
}

int64_t an_flow_graph_add_new_instr_node(struct an_flow_graph *g,
					 const struct an_flow_node *n,
					 const struct an_symbol *s)
{
	struct an_flow_place place = {s->function, s->object, s->file, s->path};
	struct an_flow_node node = *n;

	node.line = s->line;
	return add_node_of_place(
		g, &node, find_or_add_place_set_if_path_is_less(g, &place));
}

int64_t an_flow_graph_add_unknown_node(struct an_flow_graph *g)
{
	static const char unknown[] = "???";
	struct an_flow_place place = {unknown, unknown, unknown, unknown};

	return add_node_of_place(
		g, &(struct an_flow_node){0},
		find_or_add_place_set_if_path_is_less(g, &place));
}

int64_t an_flow_graph_add_new_edge(struct an_flow_graph *g,
				   const struct an_flow_edge *edge)
{
	if (al_array_reserve(g->edge, g->max_edges, g->n_edges + 1u) != 0)
		return -1;
	g->edge[g->n_edges] = *edge;
	return g->n_edges++;
}

/* ---- merge ---- */

/* New nodes and edges are indexed by a later merge that searches them, so that
   the last merge, in most runs the only one, does not index them. */

enum {
	LARGER = 16,  /* a graph is much larger if its nodes that are not
			 indexed are this many times those of the other */
	MAX_SCANS = 4 /* merges that search a larger graph without an index */
};

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

static uint32_t find_node_plus_1(const struct an_flow_graph *g,
				 const struct an_flow_node *node)
{
	return al_index_table_find_index_plus_1(&g->node_index,
						hash_of_node(node, 0),
						is_same_node, g->node, node);
}

static uint32_t find_edge_plus_1(const struct an_flow_graph *g,
				 const struct an_flow_edge *edge)
{
	return al_index_table_find_index_plus_1(&g->edge_index,
						hash_of_edge(edge, 0),
						is_same_edge, g->edge, edge);
}

/* Add elements t->n to @n - 1 of @array, nodes or edges, to their index table.
   Return: 0; -ENOMEM. */
static int index_new_elements(struct al_index_table *t, uint32_t n,
			      uint32_t (*hash)(const void *, uint32_t),
			      const void *array)
{
	int err = 0;

	for (uint32_t i = t->n; i < n && !err; i++)
		err = al_index_table_add(t, i, hash, array);
	return err;
}

static int index_all_nodes(struct an_flow_graph *g)
{
	return index_new_elements(&g->node_index, g->n_nodes, hash_of_node,
				  g->node);
}

static int index_all_edges(struct an_flow_graph *g)
{
	return index_new_elements(&g->edge_index, g->n_edges, hash_of_edge,
				  g->edge);
}

/* Set @copy to the nodes and edges of @from, with the numbers that the places
   of the nodes have in @into, where they are added. Return: 0; -ENOMEM. Release
   @copy in any case. */
static int
copy_graph_with_place_numbers_of_into(struct an_flow_graph *copy,
				      const struct an_flow_graph *from,
				      struct an_flow_graph *into)
{
	*copy = (struct an_flow_graph){0};
	if (al_array_reserve(copy->node, copy->max_nodes, from->n_nodes) != 0 ||
	    al_array_reserve(copy->edge, copy->max_edges, from->n_edges) != 0)
		return -ENOMEM;
	for (; copy->n_nodes < from->n_nodes; copy->n_nodes++) {
		const struct an_flow_node *n = &from->node[copy->n_nodes];
		int64_t place = find_or_add_place_set_if_path_is_less(
			into, &from->place[n->place]);

		if (place < 0)
			return -ENOMEM;
		copy->node[copy->n_nodes] = *n;
		copy->node[copy->n_nodes].place = (uint32_t)place;
	}
	for (; copy->n_edges < from->n_edges; copy->n_edges++)
		copy->edge[copy->n_edges] = from->edge[copy->n_edges];
	return 0;
}

/* Set @into_number_plus_1_of_from_node, [from->n_nodes] zeros, for each node of
   @from that @into has, too, to the number of the node in @into plus 1; leave 0
   for all nodes that @into lacks. @into is indexed, or @from instead of it.
   Return: 0; -ENOMEM. */
static int find_common_nodes(struct an_flow_graph *into,
			     struct an_flow_graph *from,
			     bool index_from_instead_of_into,
			     uint32_t *into_number_plus_1_of_from_node)
{
	int err = index_all_nodes(index_from_instead_of_into ? from : into);

	for (uint32_t i = 0;
	     i < into->n_nodes && index_from_instead_of_into && !err; i++) {
		uint32_t found = find_node_plus_1(from, &into->node[i]);

		if (found > 0)
			into_number_plus_1_of_from_node[found - 1] = i + 1;
	}
	for (uint32_t i = 0;
	     i < from->n_nodes && !index_from_instead_of_into && !err; i++)
		into_number_plus_1_of_from_node[i] =
			find_node_plus_1(into, &from->node[i]);
	return err;
}

/* Add the nodes of @from and their executions to @into, and set the nodes of
   the edges of @from to their numbers in @into. @number_plus_1: as
   find_common_nodes() sets it; receives the numbers of the other nodes, too.
   Return: 0; -ENOMEM. */
static int add_nodes_and_renumber_edges(struct an_flow_graph *into,
					struct an_flow_graph *from,
					uint32_t *number_plus_1)
{
	for (uint32_t i = 0; i < from->n_nodes; i++) {
		const struct an_flow_node *n = &from->node[i];
		int64_t to = number_plus_1[i] > 0
				     ? (int64_t)number_plus_1[i] - 1
				     : add_node_of_place(into, n, n->place);

		if (to < 0)
			return -ENOMEM;
		into->node[to].executed += n->executed;
		number_plus_1[i] = (uint32_t)to + 1;
	}
	for (uint32_t i = 0; i < from->n_edges; i++) {
		from->edge[i].from = number_plus_1[from->edge[i].from] - 1;
		from->edge[i].to = number_plus_1[from->edge[i].to] - 1;
	}
	return 0;
}

/* Add the counts of the edges of @from that @into has to those of @into, and
   set them to 0 in @from. @into is indexed, or @from instead of it. Return: 0;
   -ENOMEM. */
static int move_counts_of_common_edges(struct an_flow_graph *into,
				       struct an_flow_graph *from,
				       bool index_from_instead_of_into)
{
	struct an_flow_graph *indexed =
				     index_from_instead_of_into ? from : into,
			     *other = index_from_instead_of_into ? into : from;
	int err = index_all_edges(indexed);

	for (uint32_t i = 0; i < other->n_edges && !err; i++) {
		uint32_t found = find_edge_plus_1(indexed, &other->edge[i]);
		struct an_flow_edge *kept, *moved;

		if (found == 0)
			continue;
		kept = index_from_instead_of_into ? &other->edge[i]
						  : &indexed->edge[found - 1];
		moved = index_from_instead_of_into ? &indexed->edge[found - 1]
						   : &other->edge[i];
		kept->count += moved->count;
		moved->count = 0;
	}
	return err;
}

static int add_edges_of_nonzero_count(struct an_flow_graph *into,
				      const struct an_flow_graph *from)
{
	for (uint32_t i = 0; i < from->n_edges; i++)
		if (from->edge[i].count > 0 &&
		    an_flow_graph_add_new_edge(into, &from->edge[i]) < 0)
			return -ENOMEM;
	return 0;
}

/* Whether a merge should search the nodes and edges of @into in those of @from,
   not the other way round: if @into is much larger, without its indexed nodes
   (see LARGER). True for the first MAX_SCANS such merges, which into->n_scans
   counts. */
static bool
is_from_to_be_indexed_instead_of_into(struct an_flow_graph *into,
				      const struct an_flow_graph *from)
{
	uint32_t not_indexed = into->n_nodes - into->node_index.n;

	return not_indexed / LARGER >= from->n_nodes &&
	       into->n_scans++ < MAX_SCANS;
}

int an_flow_graph_merge(struct an_flow_graph *into,
			const struct an_flow_graph *from)
{
	uint32_t *number = calloc(from->n_nodes + 1u, sizeof(*number));
	bool scans = is_from_to_be_indexed_instead_of_into(into, from);
	struct an_flow_graph copy;
	int err = copy_graph_with_place_numbers_of_into(&copy, from, into);

	if (!err && number == NULL)
		err = -ENOMEM;
	if (!err)
		err = find_common_nodes(into, &copy, scans, number);
	if (!err)
		err = add_nodes_and_renumber_edges(into, &copy, number);
	if (!err)
		err = move_counts_of_common_edges(into, &copy, scans);
	if (!err)
		err = add_edges_of_nonzero_count(into, &copy);
	an_flow_graph_release(&copy);
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
