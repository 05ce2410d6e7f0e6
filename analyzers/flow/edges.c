/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edges.c - counts the transfers of control of an exec image
 *
 * How often each exit of a block was taken gives the counts of direct branches,
 * those in the middle of a block too: control passed from instruction i to i +
 * 1 as often as the block was left by an exit after i + 1 or a later
 * instruction. A conditional branch has an exit of its own to one of its sides,
 * and the block continues at the other.
 *
 * Edges from indirect branches, and to signal handlers, were counted by
 * targets.c: one edge for each pair of instructions and kind. No other edge
 * equals one of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/flow/flow.h"
#include "analyzers/named_function.h"
#include "base/tables/array.h"

/* Work data of an_flow_add_all_edges_to_graph(). */
struct edges {
	struct an_flow *flow;
	/* by node of the code map (an executed instruction): number of its node
	   in the graph + 1; 0: not added yet */
	int64_t *graph_node;
	int64_t unknown_node; /* number in the graph of the node of unknown
				 instructions + 1; 0: not added yet */
	/* Each code node has a list of the edges from that node to the targets
	   that its instruction names. By code node: number of the last edge of
	   its list + 1; 0: the list is empty */
	uint32_t *last_edge;
	/* by edge: number of the edge before it in the same list + 1; 0: there
	   is none */
	uint32_t *edge_before;
	size_t max_edges_before;
	uint64_t *unresolved; /* by code node: executions of an indirect branch
				whose target is not known */
	bool *is_drawn; /* by code node: it is of the drawn function; NULL:
				no function is drawn */
};

/* Instruction number @i of a block, how often it was executed, and how often an
   execution was completed, so that an instruction followed: the next one, the
   target of a branch, or the same one again. */
struct step {
	const struct an_flow_block *b;
	unsigned i;
	uint64_t executed;
	uint64_t completed; /* executions of the instruction, less those that a
			       fault or signal stopped there */
};

static const struct an_instr_node *
code_map_node_of_step_instr(const struct edges *w, const struct step *s)
{
	return &w->flow->code.node[s->b->node[s->i]];
}

/* Return the number in the graph of the instruction that has number @code_node
   in the code map; it is added to the graph if it is new; -1 if memory is
   short. */
static int64_t find_or_add_graph_node_of_code(struct edges *w,
					      uint32_t code_node)
{
	const struct an_instr_node *n = &w->flow->code.node[code_node];
	struct an_flow_node in = {
		.address = n->address,
		.version = n->version,
		.len = n->len,
		.is_indirect = n->is_indirect,
	};
	struct an_symbol symbol;

	if (w->graph_node[code_node] == 0) {
		w->flow->env->symbol(w->flow->env->host, n->block, n->instr,
				     &symbol);
		w->graph_node[code_node] =
			an_flow_graph_add_new_instr_node(&w->flow->graph, &in,
							 &symbol) +
			1;
	}
	return w->graph_node[code_node] - 1;
}

/* Return the number in the graph of the instruction that has number @code_node
   in the code map, or of the unknown one for AN_FLOW_NO_NODE; it is added to
   the graph if it is new; -1 if memory is short. */
static int64_t find_or_add_graph_node(struct edges *w, uint32_t code_node)
{
	if (code_node != AN_FLOW_NO_NODE)
		return find_or_add_graph_node_of_code(w, code_node);
	if (w->unknown_node == 0)
		w->unknown_node =
			an_flow_graph_add_unknown_node(&w->flow->graph) + 1;
	return w->unknown_node - 1;
}

/* Set the nodes of @edge, of which the graph may have an equal one, to those of
   two instructions, given by their numbers in the code map, which are added to
   the graph if they are new. @to_code_node: AN_FLOW_NO_NODE stands for an
   unknown instruction. Return: 0; -ENOMEM. */
static int set_nodes_of_edge(struct edges *w, struct an_flow_edge *edge,
			     uint32_t from_code_node, uint32_t to_code_node)
{
	int64_t from = find_or_add_graph_node_of_code(w, from_code_node);
	int64_t to = find_or_add_graph_node(w, to_code_node);

	edge->from = (uint32_t)from;
	edge->to = (uint32_t)to;
	return from < 0 || to < 0 ? -ENOMEM : 0;
}

/* Add an edge between two instructions, given by their numbers in the code map,
   to the graph, which has no equal one. @to_code_node: AN_FLOW_NO_NODE stands
   for an unknown instruction. Do nothing if @count is 0. Return: 0; -ENOMEM. */
static int add_new_edge_unless_count_0(struct edges *w, uint32_t from_code_node,
				       uint32_t to_code_node,
				       enum an_edge_kind kind, uint64_t count)
{
	struct an_flow_edge edge = {.kind = kind, .count = count};

	if (count == 0)
		return 0;
	if (set_nodes_of_edge(w, &edge, from_code_node, to_code_node) != 0)
		return -ENOMEM;
	return an_flow_graph_add_new_edge(&w->flow->graph, &edge) < 0 ? -ENOMEM
								      : 0;
}

/* Add @edge->count to the equal edge of the list of edges from @from_code_node,
   or @edge to the graph and to the list if there is none. Return: 0;
   -ENOMEM. */
static int add_to_edge_in_list(struct edges *w, uint32_t from_code_node,
			       const struct an_flow_edge *edge)
{
	struct an_flow_graph *g = &w->flow->graph;
	uint32_t *last = &w->last_edge[from_code_node];
	int64_t new;

	for (uint32_t i = *last; i > 0; i = w->edge_before[i - 1])
		if (g->edge[i - 1].to == edge->to &&
		    g->edge[i - 1].kind == edge->kind) {
			g->edge[i - 1].count += edge->count;
			return 0;
		}
	new = an_flow_graph_add_new_edge(g, edge);
	if (new < 0 || al_array_reserve(w->edge_before, w->max_edges_before,
					g->n_edges) != 0)
		return -ENOMEM;
	w->edge_before[new] = *last;
	*last = (uint32_t) new + 1;
	return 0;
}

/* Add @count to the edge between two instructions, given by their numbers in
   the code map, whose source names the target: there are few for each source.
   @to_code_node: AN_FLOW_NO_NODE stands for an unknown instruction. Do nothing
   if @count is 0. Return: 0; -ENOMEM. */
static int add_count_to_static_edge_unless_0(struct edges *w,
					     uint32_t from_code_node,
					     uint32_t to_code_node,
					     enum an_edge_kind kind,
					     uint64_t count)
{
	struct an_flow_edge edge = {.kind = kind, .count = count};

	if (count == 0)
		return 0;
	if (set_nodes_of_edge(w, &edge, from_code_node, to_code_node) != 0)
		return -ENOMEM;
	return add_to_edge_in_list(w, from_code_node, &edge);
}

/* Add @count to the edge from instruction @s to the code at @target_address: to
   the next instruction of the block if that is at @target_address, else to the
   code node there, or the unknown node if none was executed. Return: 0;
   -ENOMEM. */
static int add_edge_from_step_to_address(struct edges *w, const struct step *s,
					 uint64_t target_address,
					 enum an_edge_kind kind, uint64_t count)
{
	const struct an_block *b = s->b->block;
	uint32_t from = s->b->node[s->i];
	int64_t to =
		s->i + 1u < b->n_instrs &&
				b->instr[s->i + 1].addr == target_address
			? s->b->node[s->i + 1]
			: an_code_map_find_node_or_newest(
				  &w->flow->code, target_address,
				  code_map_node_of_step_instr(w, s)->version);

	return add_count_to_static_edge_unless_0(
		w, from, to < 0 ? AN_FLOW_NO_NODE : (uint32_t)to, kind, count);
}

/* Return how many executions left a block directly after instruction
   @instr_index, not by a signal, and continued at @target_address. */
static uint64_t count_exits_after_instr_to_address(const struct an_block *b,
						   unsigned instr_index,
						   uint64_t target_address)
{
	uint64_t n = 0;

	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_instrs == instr_index + 1 &&
		    b->exit[e].jump != PT_JUMP_SIGNAL &&
		    b->exit[e].target == target_address)
			n += b->exit_count[e];
	return n;
}

/* Whether the part of the block after conditional branch @s begins at the
   target of the branch (true) or at the next instruction (false). */
static bool is_rest_of_block_at_branch_target(const struct edges *w,
					      const struct step *s,
					      uint64_t target)
{
	const struct an_instr_node *n = code_map_node_of_step_instr(w, s);
	const struct an_block *b = s->b->block;

	if (s->i + 1u < b->n_instrs) {
		uint64_t next = b->instr[s->i + 1].addr;

		if (next == target || an_node_is_followed_by_address(n, next))
			return next == target;
	}
	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_instrs == s->i + 1 &&
		    an_node_is_followed_by_address(n, b->exit[e].target))
			return true;
	return false;
}

static int add_taken_and_not_taken_edges(struct edges *w, const struct step *s)
{
	const struct an_instr_node *n = code_map_node_of_step_instr(w, s);
	uint64_t next = n->address + n->len;
	uint64_t target = an_instr_node_branch_target_or_0(n);
	uint64_t taken =
		count_exits_after_instr_to_address(s->b->block, s->i, target);
	uint64_t rest = target == next ? 0
				       : count_exits_after_instr_to_address(
						 s->b->block, s->i, next);
	uint64_t inner = s->completed - taken - rest;
	int err;

	*(is_rest_of_block_at_branch_target(w, s, target) ? &taken : &rest) +=
		inner;
	err = add_edge_from_step_to_address(w, s, target, AN_EDGE_TAKEN, taken);
	return err ? err
		   : add_edge_from_step_to_address(w, s, next,
						   AN_EDGE_NOT_TAKEN, rest);
}

static int add_direct_edges_or_count_unresolved(struct edges *w,
						const struct step *s)
{
	const struct an_instr_node *n = code_map_node_of_step_instr(w, s);
	uint64_t target;

	if (n->is_indirect) {
		w->unresolved[s->b->node[s->i]] += s->completed;
		return 0;
	}
	target = an_instr_node_branch_target_or_0(n);
	switch (n->branch_kind) {
	case AN_BRANCH_CALL:
		return add_edge_from_step_to_address(w, s, target, AN_EDGE_CALL,
						     s->completed);
	case AN_BRANCH_JUMP:
		return add_edge_from_step_to_address(w, s, target, AN_EDGE_JUMP,
						     s->completed);
	case AN_BRANCH_CONDITIONAL:
		return add_taken_and_not_taken_edges(w, s);
	default:
		return 0;
	}
}

/* Add what only a drawing needs: the executions of an instruction, and for one
   that is no branch the edge to the next instruction and the edge by which a
   string instruction repeats. */
static int
add_executions_and_next_and_repeat_edges(struct edges *w,
					 const struct step *instr_step)
{
	const struct an_instr_node *n =
		code_map_node_of_step_instr(w, instr_step);
	uint64_t again = n->branch_kind == AN_BRANCH_REPEAT
				 ? count_exits_after_instr_to_address(
					   instr_step->b->block, instr_step->i,
					   n->address)
				 : 0;
	int64_t in_graph = find_or_add_graph_node_of_code(
		w, instr_step->b->node[instr_step->i]);
	int err = 0;

	if (in_graph < 0)
		return -ENOMEM;
	w->flow->graph.node[in_graph].executed += instr_step->executed;
	if (n->branch_kind != AN_BRANCH_NONE &&
	    n->branch_kind != AN_BRANCH_REPEAT)
		return 0;
	if (again > 0)
		err = add_edge_from_step_to_address(w, instr_step, n->address,
						    AN_EDGE_REPEAT, again);
	return err ? err
		   : add_edge_from_step_to_address(
			     w, instr_step, n->address + n->len, AN_EDGE_NEXT,
			     instr_step->completed - again);
}

static int add_edges_of_step_if_executed(struct edges *w, const struct step *s)
{
	int err = s->executed ? add_direct_edges_or_count_unresolved(w, s) : 0;

	if (!err && s->executed && w->is_drawn && w->is_drawn[s->b->node[s->i]])
		err = add_executions_and_next_and_repeat_edges(w, s);
	return err;
}

static int add_edges_from_each_instr_of_block(struct edges *w,
					      const struct an_flow_block *b)
{
	struct step s = {.b = b};
	unsigned e = b->block->n_exits;
	int err = 0;

	for (unsigned i = b->block->n_instrs; i > 0 && !err; i--) {
		uint64_t stopped = 0;

		for (; e > 0 && b->block->exit[e - 1].n_instrs >= i; e--) {
			s.executed += b->block->exit_count[e - 1];
			if (b->block->exit[e - 1].jump == PT_JUMP_SIGNAL)
				stopped += b->block->exit_count[e - 1];
		}
		s.i = i - 1;
		s.completed = s.executed - stopped;
		err = add_edges_of_step_if_executed(w, &s);
	}
	return err;
}

/* Add the edges whose targets were found by following threads. The executions
   of indirect branches that these do not explain become edges to the unknown
   node. Return: 0; -ENOMEM. */
static int add_followed_and_unknown_target_edges(struct edges *w)
{
	const struct an_flow_targets *t = &w->flow->targets;
	int err = 0;

	for (uint32_t i = 0; i < t->edges.n && !err; i++) {
		const uint64_t *key = t->edges.key[i].word;

		if (key[2] != AN_EDGE_HANDLER)
			w->unresolved[key[0]] -= t->count[i];
		err = add_new_edge_unless_count_0(
			w, (uint32_t)key[0], (uint32_t)key[1],
			(enum an_edge_kind)key[2], t->count[i]);
	}
	for (uint32_t n = 0; n < w->flow->code.n_nodes && !err; n++) {
		static const enum an_edge_kind kind[] = {
			[AN_BRANCH_CALL] = AN_EDGE_CALL,
			[AN_BRANCH_RETURN] = AN_EDGE_RETURN,
			[AN_BRANCH_JUMP] = AN_EDGE_INDIRECT,
			[AN_BRANCH_SYSTEM_CALL] = AN_EDGE_SYSTEM_CALL,
		};

		if (w->unresolved[n] > 0)
			err = add_new_edge_unless_count_0(
				w, n, AN_FLOW_NO_NODE,
				kind[w->flow->code.node[n].branch_kind],
				w->unresolved[n]);
	}
	return err;
}

/* Set w->is_drawn for the instructions of the code map whose function
   f->drawn_function names. */
static void mark_code_nodes_of_drawn_function(struct edges *w)
{
	const struct an_flow *f = w->flow;
	const struct an_named_function drawn =
		an_named_function(f->drawn_function, strlen(f->drawn_function));

	for (uint32_t n = 0; n < f->code.n_nodes; n++) {
		const struct an_instr_node *in = &f->code.node[n];
		struct an_symbol s;

		f->env->symbol(f->env->host, in->block, in->instr, &s);
		w->is_drawn[n] = an_named_function_has_name(&drawn, s.function);
	}
}

static int mark_drawn_nodes_add_edges_of_all_nodes(struct edges *w)
{
	int err = 0;

	if (w->is_drawn)
		mark_code_nodes_of_drawn_function(w);
	for (size_t i = 0; i < w->flow->n_blocks && !err; i++)
		err = add_edges_from_each_instr_of_block(w, &w->flow->block[i]);
	return err ? err : add_followed_and_unknown_target_edges(w);
}

int an_flow_add_all_edges_to_graph(struct an_flow *f)
{
	size_t n = f->code.n_nodes + 1;
	struct edges w = {
		.flow = f,
		.graph_node = calloc(n, sizeof(*w.graph_node)),
		.unresolved = calloc(n, sizeof(*w.unresolved)),
		.last_edge = calloc(n, sizeof(*w.last_edge)),
		.is_drawn = f->drawn_function ? calloc(n, sizeof(*w.is_drawn))
					      : NULL,
	};
	int err = -ENOMEM;

	if (w.graph_node && w.unresolved && w.last_edge &&
	    (w.is_drawn || !f->drawn_function))
		err = mark_drawn_nodes_add_edges_of_all_nodes(&w);
	free(w.graph_node);
	free(w.unresolved);
	free(w.last_edge);
	free(w.edge_before);
	free(w.is_drawn);
	return err;
}
