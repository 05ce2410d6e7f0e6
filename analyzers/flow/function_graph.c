/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_graph.c - stores transfers of control with counts; see
   function_graph.h */
#include "analyzers/flow/function_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/tables/compare.h"

const char *const an_edge_name[] = {
	"call",	    "return",	   "jump",    "taken", "not taken",
	"indirect", "system call", "handler", "next",  "repeat",
};

static int64_t
find_or_add_place_with_least_path(struct an_flow_graph *g,
				  const struct an_flow_place *place)
{
	struct al_key key = {
		{(uintptr_t)place->function, (uintptr_t)place->object, 0}};
	int64_t i = al_key_table_find_or_add_index(&g->places, &key);

	if (i < 0 ||
	    al_array_reserve_zeroed(g->place, g->max_places, g->places.n) != 0)
		return -1;
	if (g->place[i].function == NULL ||
	    strcmp(place->path, g->place[i].path) < 0)
		g->place[i] = *place;
	return i;
}

static int64_t
find_or_add_node_of_address_and_place(struct an_flow_graph *g,
				      const struct an_flow_node *n,
				      uint32_t place_index)
{
	struct al_key key = {{n->address,
			      (uint64_t)n->version << 32 | place_index,
			      n->line}};
	uint32_t known = g->nodes.n;
	int64_t i = al_key_table_find_or_add_index(&g->nodes, &key);

	if (i < 0 ||
	    al_array_reserve_zeroed(g->node, g->max_nodes, g->nodes.n) != 0)
		return -1;
	if (i == known) {
		g->node[i] = *n;
		g->node[i].place = place_index;
		g->node[i].executed = 0;
	}
	return i;
}

int64_t an_flow_graph_find_or_add_instr_node(struct an_flow_graph *g,
					     const struct an_flow_node *n,
					     const struct an_symbol *s)
{
	struct an_flow_place place = {s->function, s->object, s->file, s->path};
	struct an_flow_node node = *n;
	int64_t i = find_or_add_place_with_least_path(g, &place);

	node.line = s->line;
	return i < 0 ? -1
		     : find_or_add_node_of_address_and_place(g, &node,
							     (uint32_t)i);
}

int64_t an_flow_graph_find_or_add_unknown_node(struct an_flow_graph *g)
{
	static const char unknown[] = "???";
	struct an_flow_place place = {unknown, unknown, unknown, unknown};
	int64_t i = find_or_add_place_with_least_path(g, &place);

	return i < 0 ? -1
		     : find_or_add_node_of_address_and_place(
			       g, &(struct an_flow_node){0}, (uint32_t)i);
}

int an_flow_graph_add_to_edge_count(struct an_flow_graph *g, uint32_t from,
				    uint32_t to, enum an_edge_kind kind,
				    uint64_t count)
{
	struct al_key key = {{from, to, kind}};
	int64_t i;

	if (count == 0)
		return 0;
	i = al_key_table_find_or_add_index(&g->edges, &key);
	if (i < 0 ||
	    al_array_reserve_zeroed(g->count, g->max_counts, g->edges.n) != 0)
		return -ENOMEM;
	g->count[i] += count;
	return 0;
}

struct an_flow_edge an_flow_graph_edge_at_index(const struct an_flow_graph *g,
						uint32_t edge_index)
{
	const uint64_t *word = g->edges.key[edge_index].word;

	return (struct an_flow_edge){(uint32_t)word[0], (uint32_t)word[1],
				     (uint32_t)word[2], g->count[edge_index]};
}

/* Add the nodes of @from and their executions to @into. @number_in_into_out:
   [from->nodes.n] receives their numbers in @into. Return: 0 or -ENOMEM. */
static int merge_nodes_and_map_numbers(struct an_flow_graph *into,
				       const struct an_flow_graph *from,
				       uint32_t *number_in_into_out)
{
	for (uint32_t i = 0; i < from->nodes.n; i++) {
		const struct an_flow_node *n = &from->node[i];
		int64_t place = find_or_add_place_with_least_path(
			into, &from->place[n->place]);
		int64_t to = place < 0 ? -1
				       : find_or_add_node_of_address_and_place(
						 into, n, (uint32_t)place);

		if (to < 0)
			return -ENOMEM;
		into->node[to].executed += n->executed;
		number_in_into_out[i] = (uint32_t)to;
	}
	return 0;
}

int an_flow_graph_merge(struct an_flow_graph *into,
			const struct an_flow_graph *from)
{
	uint32_t *number = malloc((from->nodes.n + 1) * sizeof(*number));
	int err = number ? merge_nodes_and_map_numbers(into, from, number)
			 : -ENOMEM;

	for (uint32_t i = 0; i < from->edges.n && !err; i++) {
		struct an_flow_edge e = an_flow_graph_edge_at_index(from, i);

		err = an_flow_graph_add_to_edge_count(
			into, number[e.from], number[e.to], e.kind, e.count);
	}
	free(number);
	return err;
}

static int compare_nodes_by_address_and_names(const struct an_flow_graph *g,
					      uint32_t first_node,
					      uint32_t second_node)
{
	const struct an_flow_node *a = &g->node[first_node],
				  *b = &g->node[second_node];
	const struct an_flow_place *p = &g->place[a->place],
				   *q = &g->place[b->place];
	int order = al_compare_u64(a->address, b->address);

	if (!order)
		order = al_compare_u64(a->version, b->version);
	if (!order)
		order = strcmp(p->function, q->function);
	if (!order)
		order = strcmp(p->object, q->object);
	return order ? order : al_compare_u64(a->line, b->line);
}

static int compare_edges_by_nodes_and_kind(const void *one, const void *other,
					   void *graph)
{
	const struct an_flow_graph *g = graph;
	struct an_flow_edge a =
		an_flow_graph_edge_at_index(g, *(const uint32_t *)one);
	struct an_flow_edge b =
		an_flow_graph_edge_at_index(g, *(const uint32_t *)other);
	int order = compare_nodes_by_address_and_names(g, a.from, b.from);

	if (!order)
		order = compare_nodes_by_address_and_names(g, a.to, b.to);
	return order ? order : al_compare_u64(a.kind, b.kind);
}

uint32_t *an_flow_graph_alloc_edges_by_source(const struct an_flow_graph *g)
{
	uint32_t *edge = malloc(g->edges.n * sizeof(*edge));

	if (edge == NULL || g->edges.n == 0) {
		free(edge);
		return NULL;
	}
	for (uint32_t i = 0; i < g->edges.n; i++)
		edge[i] = i;
	qsort_r(edge, g->edges.n, sizeof(*edge),
		compare_edges_by_nodes_and_kind, (void *)g);
	return edge;
}

void an_flow_graph_release(struct an_flow_graph *g)
{
	al_key_table_release(&g->places);
	al_key_table_release(&g->nodes);
	al_key_table_release(&g->edges);
	free(g->place);
	free(g->node);
	free(g->count);
	*g = (struct an_flow_graph){0};
}
