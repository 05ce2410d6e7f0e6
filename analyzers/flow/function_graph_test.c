/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_graph_test.c - tests that merged graphs have each node and each edge
 *                         once, with the sum of the counts
 */
#include "analyzers/flow/function_graph.h"

#include <stdlib.h>

#include "tests/tap.h"

/* Functions are compared by address. */
static const char one[] = "one", two[] = "two", object[] = "o", file[] = "f.c";

/* Return the number of a new node at @address, which was executed @executed
   times. */
static uint32_t add_node(struct an_flow_graph *g, const char *function,
			 uint64_t address, uint64_t executed)
{
	struct an_symbol symbol = {.function = function,
				   .object = object,
				   .file = file,
				   .path = file};
	int64_t i = an_flow_graph_add_new_instr_node(
		g, &(struct an_flow_node){.address = address}, &symbol);

	g->node[i].executed = executed;
	return (uint32_t)i;
}

static void add_edge(struct an_flow_graph *g, uint32_t from, uint32_t to,
		     enum an_edge_kind kind, uint64_t count)
{
	an_flow_graph_add_new_edge(
		g, &(struct an_flow_edge){from, to, kind, count});
}

/* Add the edges between node 0x1000 of function `one`, node 0x2000 of @function
   and the unknown one to an empty graph. */
static struct an_flow_graph make_graph(const char *function, uint64_t count)
{
	struct an_flow_graph g = {0};
	uint32_t to = add_node(&g, function, 0x2000, count);
	uint32_t from = add_node(&g, one, 0x1000, 10 * count);
	uint32_t unknown = (uint32_t)an_flow_graph_add_unknown_node(&g);

	add_edge(&g, from, to, AN_EDGE_JUMP, count);
	add_edge(&g, from, to, AN_EDGE_CALL, 2 * count);
	add_edge(&g, from, unknown, AN_EDGE_CALL, 3 * count);
	return g;
}

/* Return the counts of the edges of a graph in their order, as decimal digits,
   the first one in the highest place. */
static uint64_t sorted_counts_as_digits(const struct an_flow_graph *g)
{
	uint32_t *edge = an_flow_graph_alloc_edges_by_source(g);
	uint64_t digits = 0;

	for (uint32_t i = 0; i < g->n_edges; i++)
		digits = 10 * digits + g->edge[edge[i]].count;
	free(edge);
	return digits;
}

enum { LARGE = 200 }; /* nodes of a large graph */

/* Add edges between nodes with following addresses, from @first_address on, to
   an empty graph. */
static struct an_flow_graph make_path(uint64_t first_address, uint32_t n_nodes,
				      uint64_t count)
{
	struct an_flow_graph g = {0};

	for (uint32_t i = 0; i < n_nodes; i++)
		add_node(&g, one, first_address + i, count);
	for (uint32_t i = 0; i + 1 < n_nodes; i++)
		add_edge(&g, i, i + 1, AN_EDGE_JUMP, count);
	return g;
}

/* Check the sum of a path from address LARGE to 2 * LARGE - 1, after which
   small paths with and without common nodes were merged @before times, and
   which was merged after @after times. */
static void check_merge_of_paths(unsigned before, unsigned after)
{
	struct an_flow_graph sum = {0}, large = make_path(LARGE, LARGE, 1000),
			     inner = make_path(LARGE + 7, 3, 1),
			     outer = make_path(LARGE - 2, 4, 10);
	bool is_right = true;

	for (unsigned i = 0; i < before + 1 + after; i++) {
		if (i == before) {
			an_flow_graph_merge(&sum, &large);
			continue;
		}
		an_flow_graph_merge(&sum, &inner);
		an_flow_graph_merge(&sum, &outer);
	}
	for (uint32_t i = 0; i < sum.n_edges; i++) {
		uint64_t from = sum.node[sum.edge[i].from].address;
		uint64_t each = from < LARGE + 1 ? 10 : 0;

		each += from == LARGE + 7 || from == LARGE + 8;
		is_right = is_right &&
			   sum.node[sum.edge[i].to].address == from + 1 &&
			   sum.edge[i].count == (from >= LARGE ? 1000 : 0) +
							each * (before + after);
	}
	ok(is_right,
	   "counts of small graphs are added to those of a large one");
	is_u64(sum.n_nodes, LARGE + 2, "which has each node once");
	is_u64(sum.n_edges, LARGE + 1, "and each edge");
	ok(sum.node[sum.edge[0].from].executed > 0, "with executions");
	an_flow_graph_release(&sum);
	an_flow_graph_release(&large);
	an_flow_graph_release(&inner);
	an_flow_graph_release(&outer);
}

/* Check that edges from nodes at addresses that differ in one byte, or that
   have the same address and another version, line or function, are sorted by
   these: each has the count 1 to 7 in this order. */
static void test_order(void)
{
	static const struct {
		const char *function;
		uint64_t address;
		uint32_t version, line, count;
	} node[] = {
		{two, 0x100, 0, 1, 4}, {one, UINT64_C(1) << 63, 0, 1, 7},
		{one, 0x100, 1, 0, 5}, {one, 0x100, 0, 2, 3},
		{one, 0x100, 0, 1, 2}, {one, 0x10000, 0, 1, 6},
		{two, 0xff, 9, 9, 1},
	};
	struct an_flow_graph g = {0};

	for (size_t i = 0; i < sizeof(node) / sizeof(node[0]); i++) {
		struct an_symbol symbol = {.function = node[i].function,
					   .object = object,
					   .file = file,
					   .path = file,
					   .line = node[i].line};
		struct an_flow_node n = {.address = node[i].address,
					 .version = node[i].version};

		an_flow_graph_add_new_instr_node(&g, &n, &symbol);
		add_edge(&g, (uint32_t)i, 0, AN_EDGE_JUMP, node[i].count);
	}
	is_u64(sorted_counts_as_digits(&g), 1234567,
	       "edges are sorted by address, version, names and line");
	an_flow_graph_release(&g);
}

int main(void)
{
	struct an_flow_graph sum = {0}, empty = {0}, small = make_graph(one, 1),
			     other = make_graph(two, 1);

	ok(an_flow_graph_merge(&sum, &empty) == 0 &&
		   an_flow_graph_merge(&sum, &small) == 0,
	   "a graph is merged into an empty one");
	is_u64(sum.node[1].executed, 10, "with the executions of nodes");
	is_u64(sorted_counts_as_digits(&sum), 321, "its edges are sorted");
	an_flow_graph_merge(&sum, &small);
	is_u64(sorted_counts_as_digits(&sum), 642, "equal edges are added up");
	is_u64(sum.node[1].executed, 20, "and those of nodes");
	an_flow_graph_merge(&sum, &other);
	is_u64(sum.n_nodes, 4, "nodes of two functions differ");
	is_u64(sorted_counts_as_digits(&sum), 94221, "and their edges");
	an_flow_graph_release(&sum);
	an_flow_graph_release(&small);
	an_flow_graph_release(&other);
	check_merge_of_paths(0, 1);
	check_merge_of_paths(1, 1);
	check_merge_of_paths(2, 7);
	test_order();
	return done_testing();
}
