/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dot.c - draws the executed control-flow graph of a function
 *
 * A node of the drawing is a basic block: instructions that are only executed
 * one after the other. Blocks are labelled with their executions, edges with
 * their counts. A dashed edge leads from a call to where it returned.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/flow/flow.h"
#include "base/tables/compare.h"

/* Work data of an_flow_write_dot_of_drawn_function(). */
struct drawing {
	const struct an_flow_graph *graph;
	struct an_output out;
	uint32_t *edge; /* [graph->n_edges] numbers of all edges, sorted by
			   nodes and kind */
	uint32_t *node; /* [n] numbers of the executed nodes of the function,
			   sorted by object, version and address */
	uint32_t n;
	uint32_t *n_in, *n_out; /* by node number: edges into the node, edges
				   out of it */
	uint64_t *returns;	/* by node number: executions of the return
				   edges into the node */
	bool *is_leader;	/* by node number: the node begins a basic
				   block */
	uint32_t *block; /* by node number: number of the node's basic block
			    plus 1; 0: the node is not drawn */
};

static int compare_object_version_address(const void *one, const void *other,
					  void *graph)
{
	const struct an_flow_graph *g = graph;
	const struct an_flow_node *a = &g->node[*(const uint32_t *)one],
				  *b = &g->node[*(const uint32_t *)other];
	int order =
		strcmp(g->place[a->place].object, g->place[b->place].object);

	if (!order)
		order = al_compare_u64(a->version, b->version);
	return order ? order : al_compare_u64(a->address, b->address);
}

static void list_executed_nodes_by_object_address(struct drawing *d)
{
	for (uint32_t i = 0; i < d->graph->n_nodes; i++)
		if (d->graph->node[i].executed > 0)
			d->node[d->n++] = i;
	if (d->n > 0)
		qsort_r(d->node, d->n, sizeof(*d->node),
			compare_object_version_address, (void *)d->graph);
}

static void count_edges_returns_and_mark_leaders(struct drawing *d)
{
	for (uint32_t i = 0; i < d->graph->n_edges; i++) {
		struct an_flow_edge e = d->graph->edge[i];

		d->n_in[e.to]++;
		d->n_out[e.from]++;
		if (e.kind != AN_EDGE_NEXT)
			d->is_leader[e.to] = true;
		if (e.kind == AN_EDGE_RETURN)
			d->returns[e.to] += e.count;
	}
	for (uint32_t i = 0; i < d->graph->n_edges; i++) {
		struct an_flow_edge e = d->graph->edge[i];

		if (d->n_in[e.to] != 1 || d->n_out[e.from] != 1)
			d->is_leader[e.to] = true;
	}
}

/* Whether executed node d->node[@position] is in the basic block of
   d->node[@position - 1]: it begins no block, has one edge into it, and its
   address follows. */
static bool is_in_same_block_as_previous_node(const struct drawing *d,
					      uint32_t position)
{
	const struct an_flow_node
		*last = &d->graph->node[d->node[position - 1]],
		*n = &d->graph->node[d->node[position]];

	return !d->is_leader[d->node[position]] &&
	       d->n_in[d->node[position]] == 1 &&
	       last->address + last->len == n->address;
}

static void write_basic_block_as_dot_node(struct drawing *d,
					  uint32_t first_position,
					  uint32_t last_position)
{
	const struct an_flow_node *a = &d->graph->node[d->node[first_position]],
				  *b = &d->graph->node[d->node[last_position]];

	an_output_write_string_unescaped(&d->out, "\tb");
	an_output_write_decimal(&d->out, d->block[d->node[first_position]] - 1);
	an_output_write_string_unescaped(&d->out, " [label=\"");
	an_output_write_hex_with_0x(&d->out, a->address);
	if (a->version > 0) {
		an_output_write_string_unescaped(&d->out, " version ");
		an_output_write_decimal(&d->out, a->version);
	}
	an_output_write_string_unescaped(&d->out, "\\l");
	an_output_write_escaped_name(&d->out, d->graph->place[a->place].file,
				     "\"");
	an_output_write_string_unescaped(&d->out, ":");
	an_output_write_decimal(&d->out, a->line);
	if (b->line != a->line) {
		an_output_write_string_unescaped(&d->out, "-");
		an_output_write_decimal(&d->out, b->line);
	}
	an_output_write_string_unescaped(&d->out, "\\lexecuted ");
	an_output_write_decimal(&d->out, a->executed);
	an_output_write_string_unescaped(&d->out, "\\l\"];\n");
}

static void number_and_write_basic_blocks(struct drawing *d)
{
	uint32_t blocks = 0, first = 0;

	for (uint32_t i = 0; i < d->n; i++) {
		if (i == 0 || !is_in_same_block_as_previous_node(d, i)) {
			d->is_leader[d->node[i]] = true;
			first = i;
			blocks++;
		}
		d->block[d->node[i]] = blocks;
		if (i + 1 == d->n ||
		    !is_in_same_block_as_previous_node(d, i + 1))
			write_basic_block_as_dot_node(d, first, i);
	}
}

static void write_dot_edge_between_blocks(struct drawing *d, uint32_t from_node,
					  uint32_t to_node, uint64_t count,
					  const char *dot_attributes)
{
	an_output_write_string_unescaped(&d->out, "\tb");
	an_output_write_decimal(&d->out, d->block[from_node] - 1);
	an_output_write_string_unescaped(&d->out, " -> b");
	an_output_write_decimal(&d->out, d->block[to_node] - 1);
	an_output_write_string_unescaped(&d->out, " [label=\"");
	an_output_write_decimal(&d->out, count);
	an_output_write_string_unescaped(&d->out, "\"");
	an_output_write_string_unescaped(&d->out, dot_attributes);
	an_output_write_string_unescaped(&d->out, "];\n");
}

/* Write dashed edges from the block of the call @call_node to the block of the
   instruction after it, labelled with the returns to that instruction. Write
   none if there was no return. */
static void write_edges_from_call_to_returns(struct drawing *d,
					     uint32_t call_node)
{
	const struct an_flow_node *c = &d->graph->node[call_node];

	for (uint32_t i = 0; i < d->n; i++) {
		const struct an_flow_node *n = &d->graph->node[d->node[i]];

		if (n->address == c->address + c->len &&
		    n->version == c->version && d->returns[d->node[i]] > 0)
			write_dot_edge_between_blocks(d, call_node, d->node[i],
						      d->returns[d->node[i]],
						      ", style=dashed");
	}
}

static void write_branch_and_call_return_edges(struct drawing *d)
{
	uint32_t last_call = AN_FLOW_NO_NODE;

	for (uint32_t i = 0; i < d->graph->n_edges; i++) {
		struct an_flow_edge e = d->graph->edge[d->edge[i]];

		if (e.kind == AN_EDGE_CALL && d->block[e.from] &&
		    e.from != last_call)
			write_edges_from_call_to_returns(d, last_call = e.from);
		if (e.kind == AN_EDGE_CALL || e.kind == AN_EDGE_RETURN ||
		    e.kind == AN_EDGE_HANDLER || !d->block[e.from] ||
		    !d->block[e.to] ||
		    (e.kind == AN_EDGE_NEXT && !d->is_leader[e.to]))
			continue;
		write_dot_edge_between_blocks(
			d, e.from, e.to, e.count,
			e.kind == AN_EDGE_NOT_TAKEN ? ", color=gray" : "");
	}
}

static void write_dot_digraph_of_function(struct drawing *d,
					  const char *function_name)
{
	list_executed_nodes_by_object_address(d);
	count_edges_returns_and_mark_leaders(d);
	an_output_write_string_unescaped(&d->out, "digraph \"");
	an_output_write_escaped_name(&d->out, function_name, "\"");
	an_output_write_string_unescaped(&d->out,
					 "\" {\n\tnode [shape=box];\n");
	number_and_write_basic_blocks(d);
	write_branch_and_call_return_edges(d);
	an_output_write_string_unescaped(&d->out, "}\n");
}

int an_flow_write_dot_of_drawn_function(const struct an_flow *f)
{
	size_t n = f->graph.n_nodes + 1;
	struct drawing d = {
		.graph = &f->graph,
		.out = {.env = f->env},
		.edge = an_flow_graph_alloc_edges_by_source(&f->graph),
		.node = calloc(n, sizeof(*d.node)),
		.n_in = calloc(n, sizeof(*d.n_in)),
		.n_out = calloc(n, sizeof(*d.n_out)),
		.returns = calloc(n, sizeof(*d.returns)),
		.is_leader = calloc(n, sizeof(*d.is_leader)),
		.block = calloc(n, sizeof(*d.block)),
	};
	bool is_complete = (d.edge || f->graph.n_edges == 0) && d.node &&
			   d.n_in && d.n_out && d.returns && d.is_leader &&
			   d.block;

	if (is_complete)
		write_dot_digraph_of_function(&d, f->drawn_function);
	free(d.edge);
	free(d.node);
	free(d.n_in);
	free(d.n_out);
	free(d.returns);
	free(d.is_leader);
	free(d.block);
	return is_complete ? d.out.error : -ENOMEM;
}
