/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_graph_test.c - tests back edges and bodies of loops */

#include "analyzers/loops/loops.h"

#include <stdlib.h>

#include "tests/tap.h"

enum { NODES = 10 };

static struct an_loop_state l;

/* Add an edge. Return: whether it is a new back edge. */
static bool add(uint32_t from, uint32_t to)
{
	bool is_new_back;
	int64_t back = an_loops_find_or_add_edge_get_back_edge(&l, from, to,
							       &is_new_back);

	return back > 0 && is_new_back;
}

static uint32_t body(uint32_t header, uint32_t from)
{
	return an_loops_list_body_or_0_if_irreducible(&l, header, &from, 1);
}

/*
 * 0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 1 -> 4: two loops, one in the other
 * then 2 -> 7 -> 3 and 1 -> 8 -> 2: other ways inside them
 * 4 -> 5 -> 6 -> 5, later 4 -> 6: a cycle that is entered at two nodes
 */
int main(void)
{
	l.code.n_nodes = NODES;
	l.node = calloc(NODES, sizeof(*l.node));
	l.node[0].is_entry = l.node[0].is_reached = true;
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
	return done_testing();
}
