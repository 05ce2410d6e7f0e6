/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edge_order.c - sorts the edges of a graph; see function_graph.h
 *
 * Names are compared only where several nodes have the same address: nodes are
 * sorted by their addresses, byte by byte, and get ranks. Edges are then sorted
 * by the ranks of their nodes.
 */
#include "analyzers/flow/function_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/tables/compare.h"

enum { BYTE_VALUES = 256 };

struct addressed_node {
	uint64_t address;
	uint32_t node;
};

/* Sort @nodes, [@n], into @sorted by byte number @byte of their addresses, from
   the lowest; nodes with equal bytes stay in order. Return: false, with nothing
   written, if all bytes are equal. */
static bool sort_by_byte_unless_all_equal(const struct addressed_node *nodes,
					  uint32_t n, unsigned byte,
					  struct addressed_node *sorted)
{
	uint32_t next[BYTE_VALUES] = {0}, first = 0;

	for (uint32_t i = 0; i < n; i++)
		next[nodes[i].address >> 8 * byte & 0xff]++;
	if (n == 0 || next[nodes[0].address >> 8 * byte & 0xff] == n)
		return false;
	for (unsigned value = 0; value < BYTE_VALUES; value++) {
		uint32_t count = next[value];

		next[value] = first;
		first += count;
	}
	for (uint32_t i = 0; i < n; i++)
		sorted[next[nodes[i].address >> 8 * byte & 0xff]++] = nodes[i];
	return true;
}

/* Sort @nodes, [@n], by address. @work: [@n] is overwritten. Return the sorted
   array: @nodes or @work. */
static struct addressed_node *sort_by_address(struct addressed_node *nodes,
					      struct addressed_node *work,
					      uint32_t n)
{
	for (unsigned byte = 0; byte < sizeof(nodes->address); byte++)
		if (sort_by_byte_unless_all_equal(nodes, n, byte, work)) {
			struct addressed_node *sorted = work;

			work = nodes;
			nodes = sorted;
		}
	return nodes;
}

/* Compare two struct addressed_node of the same address by version, name of the
   function, name of the object file, and line, for qsort_r(). */
static int compare_nodes_by_version_and_names(const void *one,
					      const void *other, void *graph)
{
	const struct an_flow_graph *g = graph;
	const struct an_flow_node
		*a = &g->node[((const struct addressed_node *)one)->node],
		*b = &g->node[((const struct addressed_node *)other)->node];
	const struct an_flow_place *p = &g->place[a->place],
				   *q = &g->place[b->place];
	int order = al_compare_u64(a->version, b->version);

	if (!order)
		order = strcmp(p->function, q->function);
	if (!order)
		order = strcmp(p->object, q->object);
	return order ? order : al_compare_u64(a->line, b->line);
}

static void sort_same_address_nodes(const struct an_flow_graph *g,
				    struct addressed_node *by_address)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i <= g->n_nodes; i++) {
		if (i < g->n_nodes &&
		    by_address[i].address == by_address[first].address)
			continue;
		if (i - first > 1)
			qsort_r(by_address + first, i - first,
				sizeof(*by_address),
				compare_nodes_by_version_and_names, (void *)g);
		first = i;
	}
}

/* Set @rank_out, [g->n_nodes], to the position of each node in the order by
   address, version, names and line. Return: 0; -1 if memory is short. */
static int rank_nodes_by_address_then_names(const struct an_flow_graph *g,
					    uint32_t *rank_out)
{
	size_t bytes = (g->n_nodes + 1u) * sizeof(struct addressed_node);
	struct addressed_node *node = malloc(bytes), *work = malloc(bytes);
	struct addressed_node *sorted;
	bool has_memory = node != NULL && work != NULL;

	for (uint32_t i = 0; has_memory && i < g->n_nodes; i++)
		node[i] = (struct addressed_node){g->node[i].address, i};
	if (has_memory) {
		sorted = sort_by_address(node, work, g->n_nodes);
		sort_same_address_nodes(g, sorted);
		for (uint32_t i = 0; i < g->n_nodes; i++)
			rank_out[sorted[i].node] = i;
	}
	free(node);
	free(work);
	return has_memory ? 0 : -1;
}

/* Edges that are compared by qsort_r(), and the ranks of their nodes. */
struct edge_order {
	const struct an_flow_edge *edge;
	const uint32_t *rank; /* of each node */
};

static int compare_edges_by_target_and_kind(const void *one, const void *other,
					    void *order)
{
	const struct edge_order *o = order;
	const struct an_flow_edge *a = &o->edge[*(const uint32_t *)one],
				  *b = &o->edge[*(const uint32_t *)other];
	int by_target = al_compare_u64(o->rank[a->to], o->rank[b->to]);

	return by_target ? by_target : al_compare_u64(a->kind, b->kind);
}

/* Set @sorted_out, [g->n_edges], to the numbers of the edges by the ranks of
   their sources. @end: [g->n_nodes] zeros, by the rank of a source; receives
   the position after its last edge. */
static void sort_edges_by_source(const struct an_flow_graph *g,
				 const uint32_t *rank, uint32_t *end,
				 uint32_t *sorted_out)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < g->n_edges; i++)
		end[rank[g->edge[i].from]]++;
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		uint32_t count = end[i];

		end[i] = first;
		first += count;
	}
	for (uint32_t i = 0; i < g->n_edges; i++)
		sorted_out[end[rank[g->edge[i].from]]++] = i;
}

static void sort_edges_by_source_target_and_kind(const struct an_flow_graph *g,
						 const uint32_t *rank,
						 uint32_t *end,
						 uint32_t *sorted_out)
{
	struct edge_order order = {g->edge, rank};
	uint32_t first = 0;

	sort_edges_by_source(g, rank, end, sorted_out);
	for (uint32_t i = 0; i < g->n_nodes; first = end[i++])
		if (end[i] - first > 1)
			qsort_r(sorted_out + first, end[i] - first,
				sizeof(*sorted_out),
				compare_edges_by_target_and_kind, &order);
}

uint32_t *an_flow_graph_alloc_edges_by_source(const struct an_flow_graph *g)
{
	uint32_t *edge = malloc((g->n_edges + 1u) * sizeof(*edge));
	uint32_t *rank = malloc((g->n_nodes + 1u) * sizeof(*rank));
	uint32_t *end = calloc(g->n_nodes + 1u, sizeof(*end));
	bool is_sorted = g->n_edges > 0 && edge != NULL && rank != NULL &&
			 end != NULL &&
			 rank_nodes_by_address_then_names(g, rank) == 0;

	if (is_sorted)
		sort_edges_by_source_target_and_kind(g, rank, end, edge);
	free(rank);
	free(end);
	if (is_sorted)
		return edge;
	free(edge);
	return NULL;
}
