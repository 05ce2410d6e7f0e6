/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_graph.h - executed transfers of control between instructions, with
 * counts: a node is an instruction, with its function; an edge is a transfer
 *
 * Strings are those of struct an_symbol, interned, or of the unknown node. A
 * function is found by the addresses of its strings.
 */
#ifndef ANALYZERS_FLOW_FUNCTION_GRAPH_H
#define ANALYZERS_FLOW_FUNCTION_GRAPH_H

#include "analyzers/analyzer.h"
#include "base/tables/index_table.h"
#include "base/tables/key_table.h"

enum an_edge_kind {
	AN_EDGE_CALL, /* direct or indirect call */
	AN_EDGE_RETURN,
	AN_EDGE_JUMP, /* direct unconditional jump */
	AN_EDGE_TAKEN,
	AN_EDGE_NOT_TAKEN,
	AN_EDGE_INDIRECT,    /* indirect jump */
	AN_EDGE_SYSTEM_CALL, /* from a system call to where the thread
				continues */
	AN_EDGE_HANDLER,     /* from the instruction that a signal interrupted
				to its handler */
	AN_N_BRANCH_EDGES,
	/* not branches; stored only in the function that is drawn */
	AN_EDGE_NEXT = AN_N_BRANCH_EDGES,
	AN_EDGE_REPEAT, /* from a string instruction to itself: a further
			   iteration */
};

extern const char *const an_edge_name[]; /* by enum an_edge_kind */

/* A function. */
struct an_flow_place {
	const char *function;
	const char *object;
	const char *file; /* name of the source file of the function's
			     instruction whose path sorts first */
	/* path of `file`: of all instructions of the function, the one that
	   sorts first */
	const char *path;
};

/* An instruction. */
struct an_flow_node {
	uint64_t address; /* 0: the node stands for all unknown instructions */
	uint32_t place;	  /* index of its function in an_flow_graph.place */
	uint32_t line;
	uint32_t version;
	uint32_t len;	   /* [bytes] length of the instruction */
	bool is_indirect;  /* the instruction is an indirect branch, a return
			      or a system call */
	uint64_t executed; /* executions of the instruction; counted only in the
			      function that is drawn */
};

struct an_flow_edge {
	uint32_t from, to; /* numbers of nodes */
	uint32_t kind;	   /* enum an_edge_kind */
	uint64_t count;
};

/* A graph of executed transfers of control. Initialise with zeros. */
struct an_flow_graph {
	struct al_key_table places; /* key: function, object */
	struct an_flow_place *place;
	size_t max_places;
	uint32_t last_place; /* index of the place that was found last */
	struct an_flow_node *node;
	uint32_t n_nodes;
	size_t max_nodes;
	struct an_flow_edge *edge;
	uint32_t n_edges;
	size_t max_edges;
	/* find the first nodes and edges; others were added since the last
	   merge that needed them */
	struct al_index_table node_index, edge_index;
	unsigned n_scans; /* merges of a much smaller graph, for which all nodes
			     and edges are searched while this is small */
};

/* Add the node of an instruction, of which the graph has none yet. Return its
   number; -1 if memory is short. @n: only address, version, len and is_indirect
   are used; function and line are those of the symbol. */
int64_t an_flow_graph_add_new_instr_node(struct an_flow_graph *,
					 const struct an_flow_node *n,
					 const struct an_symbol *);

/* Add the node that stands for all unknown instructions, of which the graph has
   none yet. Return its number; -1 if memory is short. */
int64_t an_flow_graph_add_unknown_node(struct an_flow_graph *);

/* Add an edge; the graph has no edge of this kind between its nodes yet. Return
   its number; -1 if memory is short. */
int64_t an_flow_graph_add_new_edge(struct an_flow_graph *,
				   const struct an_flow_edge *);

/* Add the nodes, their executions and the counts of the edges of @from to
   @into. Return: 0; -ENOMEM, with a part of them added. */
int an_flow_graph_merge(struct an_flow_graph *into,
			const struct an_flow_graph *from);

/* Return an array of the numbers of all edges, sorted by source, target and
   kind; nodes are sorted by address, version, names and line. So the order does
   not depend on the order of additions. The caller frees the array; NULL if
   memory is short or there are no edges. */
uint32_t *an_flow_graph_alloc_edges_by_source(const struct an_flow_graph *);

void an_flow_graph_release(struct an_flow_graph *);

#endif
