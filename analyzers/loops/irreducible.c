/* SPDX-License-Identifier: GPL-2.0-or-later */
/* irreducible.c - counts cycles that are no natural loops; see loops.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

/* Value of work.least: the component of the node is complete */
enum { NODE_DONE = UINT32_MAX };

/* A node on the path of the search, from its start to the node whose edges are
   followed. */
struct path_node {
	uint32_t node;
	uint32_t next_in; /* edges into the node that remain to be followed, as
			     an_loop_node.in */
	uint32_t number;  /* from 1, in the order of visits */
};

/* Work data of Tarjan's search for strongly connected components, which follows
   edges from target to source. */
struct work {
	struct an_loop_state *state; /* its `found` has the visited nodes whose
					component is not complete */
	const uint64_t *executed; /* by node: executions of the instruction */
	uint32_t *least; /* by node: smallest number found of a node of its
			    component; 0: not visited; NODE_DONE */
	struct path_node *path; /* [n_path] */
	size_t n_path, max_path;
	uint32_t n_visited, n_found;
};

/* Remove the first of the edges @in, which are as an_loop_node.in, from these.
   @from_out: receives its source. Return: whether it is a back edge. */
static bool remove_first_edge_is_back(const struct an_loop_state *l,
				      uint32_t *in, uint32_t *from_out)
{
	const struct an_loop_edge *e;

	if (*in & AN_ONLY_EDGE_FROM) {
		*from_out = *in & ~(uint32_t)AN_ONLY_EDGE_FROM;
		*in = 0;
		return false;
	}
	e = &l->edge[*in - 1];
	*in = e->next;
	*from_out = e->from;
	return e->back != 0;
}

/* Find the next edge into the node @p whose source is to be visited. Return:
   whether there is one. @from_out: receives its source. */
static bool find_next_predecessor(const struct an_loop_state *l,
				  struct path_node *p, uint32_t *from_out)
{
	while (p->next_in != 0)
		if (!remove_first_edge_is_back(l, &p->next_in, from_out) &&
		    !an_loops_is_jump_to_other_object(l, *from_out, p->node))
			return true;
	return false;
}

static int push_visited_node(struct work *w, uint32_t node)
{
	struct an_loop_state *l = w->state;

	if (al_array_reserve(w->path, w->max_path, w->n_path + 1) != 0 ||
	    al_array_reserve(l->found, l->max_found, w->n_found + 1u) != 0)
		return -ENOMEM;
	w->least[node] = ++w->n_visited;
	w->path[w->n_path++] =
		(struct path_node){node, l->node[node].in, w->n_visited};
	l->found[w->n_found++] = node;
	return 0;
}

void an_loop_rows_add_irreducible_count(
	struct an_loop_rows *rows, uint64_t count,
	const struct an_loop_region *most_executed)
{
	struct an_loop_region *r = &rows->most_executed_irreducible;

	if (rows->irreducible == 0 ||
	    most_executed->instructions > r->instructions ||
	    (most_executed->instructions == r->instructions &&
	     most_executed->address < r->address))
		*r = *most_executed;
	rows->irreducible += count;
}

/* Add the component of @nodes, [@count], to the rows. */
static void add_irreducible_region(struct work *w, const uint32_t *nodes,
				   uint32_t count)
{
	struct an_loop_state *l = w->state;
	const struct an_instr_node *first = &l->code.node[nodes[0]];
	struct an_loop_region r = {0};

	for (uint32_t i = 0; i < count; i++) {
		const struct an_instr_node *in = &l->code.node[nodes[i]];

		r.instructions += w->executed[nodes[i]];
		if (in->address < first->address)
			first = in;
	}
	r.address = first->address;
	l->env->symbol(l->env->host, first->block, first->instr, &r.symbol);
	an_loop_rows_add_irreducible_count(&l->rows, 1, &r);
}

/* Remove the component that begins at @node, and is complete, from l->found.
   Add it to the rows as an irreducible region if it has several nodes, or one
   with an edge to itself that is no back edge. */
static void remove_component_add_region_if_cyclic(struct work *w, uint32_t node)
{
	struct an_loop_state *l = w->state;
	uint32_t end = w->n_found;

	do
		w->least[l->found[--w->n_found]] = NODE_DONE;
	while (l->found[w->n_found] != node);
	if (end - w->n_found > 1 ||
	    an_loops_back_edge_number_0_if_not_back(l, node, node) == 0)
		add_irreducible_region(w, &l->found[w->n_found],
				       end - w->n_found);
}

static void set_least_if_smaller(struct work *w, uint32_t node, uint32_t number)
{
	if (number < w->least[node])
		w->least[node] = number;
}

/* Remove the last node, all of whose edges were followed, from the path. */
static void pop_visited_node(struct work *w)
{
	struct path_node p = w->path[--w->n_path];

	if (w->least[p.node] == p.number)
		remove_component_add_region_if_cyclic(w, p.node);
	else
		set_least_if_smaller(w, w->path[w->n_path - 1].node,
				     w->least[p.node]);
}

/* Visit all nodes from which @node is reached and that were not visited.
   Return: 0 or -ENOMEM. */
static int search_components_before_node(struct work *w, uint32_t node)
{
	int err = push_visited_node(w, node);

	while (w->n_path > 0 && !err) {
		struct path_node *p = &w->path[w->n_path - 1];
		uint32_t from;

		if (!find_next_predecessor(w->state, p, &from))
			pop_visited_node(w);
		else if (w->least[from] == 0)
			err = push_visited_node(w, from);
		else
			set_least_if_smaller(w, p->node, w->least[from]);
	}
	return err;
}

int an_loops_add_irreducible_region_rows(struct an_loop_state *l,
					 const uint64_t *executed)
{
	struct work w = {
		.state = l,
		.executed = executed,
		.least = calloc(l->code.n_nodes + 1u, sizeof(*w.least)),
	};
	int err = w.least == NULL ? -ENOMEM : 0;

	for (uint32_t i = 0; i < l->code.n_nodes && !err; i++)
		if (w.least[i] == 0)
			err = search_components_before_node(&w, i);
	free(w.least);
	free(w.path);
	return err;
}
