/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_graph_test.c - tests back edges, bodies of loops and irreducible ones */

#include "analyzers/loops/loops.h"

#include <stdlib.h>

#include "tests/tap.h"

enum { NODES = 10, LONG_CYCLE = 200000 };

static struct an_loop_state l;

/* Add an edge. Return: whether it is a new back edge. */
static bool add(uint32_t from, uint32_t to)
{
	bool is_new_back;
	int64_t back = an_loops_find_or_add_edge_get_back_edge(&l, from, to,
							       &is_new_back);

	return back > 0 && is_new_back;
}

static int64_t body(uint32_t header, uint32_t from)
{
	return an_loops_list_body_or_0_if_irreducible(&l, header, &from, 1);
}

static void set_symbol(void *host, const struct an_block *b, unsigned instr,
		       struct an_symbol *out)
{
	(void)host;
	(void)b;
	*out = (struct an_symbol){.line = instr};
}

static const struct an_env env = {.symbol = set_symbol};

/* Forget all edges, and make a graph of @count nodes; node 0 is an entry, and
   the address and line of each node is its number. */
static void reset_graph(uint32_t count)
{
	static struct an_loop_state empty;

	free(l.node);
	free(l.code.node);
	free(l.edge);
	free(l.loop);
	free(l.back_count);
	free(l.found);
	al_index_table_release(&l.edges_by_ends);
	l = empty;
	l.env = &env;
	l.code.n_nodes = count;
	l.node = calloc(count, sizeof(*l.node));
	l.code.node = calloc(count, sizeof(*l.code.node));
	for (uint32_t i = 0; i < count; i++) {
		l.code.node[i].address = i;
		l.code.node[i].instr = (uint16_t)i;
	}
	l.node[0].is_entry = l.node[0].is_reached = true;
}

/* Count the irreducible regions; node i was executed i times. */
static uint64_t count_irreducible(void)
{
	uint64_t *executed = calloc(l.code.n_nodes, sizeof(*executed));

	for (uint32_t i = 0; i < l.code.n_nodes; i++)
		executed[i] = i;
	l.rows = (struct an_loop_rows){0};
	if (an_loops_add_irreducible_region_rows(&l, executed) != 0)
		abort();
	free(executed);
	return l.rows.irreducible;
}

/*
 * 0 -> 2 -> 3 -> 2, and 2 -> 3 again by 4: a natural loop
 * 3 -> 5, 3 -> 6, 5 -> 6 -> 5: entered at two nodes before it iterates
 * 6 -> 7, 6 -> 8, 7 -> 8 -> 9 -> 7, 9 -> 2: likewise, in an outer natural loop
 */
static void test_irreducible_regions(void)
{
	const struct an_loop_region *r = &l.rows.most_executed_irreducible;

	reset_graph(NODES);
	ok(!add(0, 2) && !add(2, 3) && add(3, 2) && !add(2, 4) && !add(4, 3),
	   "a natural loop");
	is_u64(count_irreducible(), 0, "is not irreducible");
	ok(!add(3, 6) && !add(3, 5) && !add(5, 6) && !add(6, 5),
	   "a cycle with two entries");
	is_u64(count_irreducible(), 1, "is, from the first iteration on");
	ok(r->address == 5 && r->symbol.line == 5 && r->instructions == 5 + 6,
	   "its place is its smallest address");
	ok(!add(6, 8) && !add(6, 7) && !add(7, 8) && !add(8, 9) && !add(9, 7) &&
		   add(9, 2),
	   "two of them in a natural loop");
	is_u64(count_irreducible(), 2, "count both");
	ok(r->address == 7 && r->instructions == 7 + 8 + 9,
	   "the place is that of the most executed one");
	ok(!add(7, 5), "an edge between them");
	is_u64(count_irreducible(), 1, "makes them one");
}

/* A cycle of very many nodes, which is entered at the first and at another one,
   is found without recursion. */
static void test_long_irreducible_region(void)
{
	reset_graph(LONG_CYCLE);
	add(0, LONG_CYCLE / 2);
	for (uint32_t i = 1; i < LONG_CYCLE; i++)
		add(i - 1, i);
	is_u64(count_irreducible(), 0, "a long chain has no cycle");
	add(LONG_CYCLE - 1, 1);
	is_u64(count_irreducible(), 1, "a long cycle with two entries");
}

/*
 * 0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 1 -> 4: two loops, one in the other
 * then 2 -> 7 -> 3 and 1 -> 8 -> 2: other ways inside them
 * 4 -> 5 -> 6 -> 5, later 4 -> 6: a cycle that is entered at two nodes
 */
static void test_back_edges_and_bodies(void)
{
	reset_graph(NODES);
	ok(!add(0, 1) && !add(1, 2) && !add(2, 3),
	   "edges forward are not back");
	ok(add(3, 2), "an edge to a dominator is a back edge");
	ok(!add(3, 2), "it is new once");
	is_u64(body(2, 3), 2, "its loop has two nodes");
	ok(add(3, 1), "the outer one, too");
	is_u64(body(1, 3), 3, "its loop has three");
	ok(l.node[3].loop == l.node[2].header_of &&
		   l.node[1].loop == l.node[1].header_of,
	   "each node knows its innermost loop");
	ok(!add(2, 7) && !add(7, 3), "another way through the inner loop");
	ok(l.node[7].loop == l.node[2].header_of &&
		   l.loop[l.node[2].header_of - 1].body_size == 3 &&
		   l.loop[l.node[1].header_of - 1].body_size == 4,
	   "joins both");
	ok(!add(1, 8) && !add(8, 2), "another way to its header");
	ok(l.node[8].loop == l.node[1].header_of &&
		   l.loop[l.node[2].header_of - 1].body_size == 3 &&
		   l.loop[l.node[1].header_of - 1].body_size == 5,
	   "joins the outer one");
	ok(!add(1, 4) && !add(4, 5) && !add(5, 6) && add(6, 5),
	   "a cycle with one entry");
	ok(!add(4, 6), "a second way into it");
	is_u64(body(5, 6), 0, "ends it as a loop");
	ok(l.node[4].loop == 0, "and joins no loop");
	ok(add(4, 4), "an instruction can be a loop");
	is_u64(body(4, 4), 1, "of one node");
}

int main(void)
{
	test_back_edges_and_bodies();
	test_irreducible_regions();
	test_long_irreducible_region();
	reset_graph(1);
	return done_testing();
}
