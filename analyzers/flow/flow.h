/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow.h - state of the flow analysis */
#ifndef ANALYZERS_FLOW_FLOW_H
#define ANALYZERS_FLOW_FLOW_H

#include "analyzers/arena.h"
#include "analyzers/code/code_map.h"
#include "analyzers/flow/function_graph.h"
#include "analyzers/output_text.h"

enum { AN_FLOW_NO_NODE = UINT32_MAX };

/* A block with the numbers of its instructions in the code map. */
struct an_flow_block {
	const struct an_block *block;
	uint32_t *node;		 /* [n_instrs] code node of each instruction */
	bool *is_followed;	 /* [n_exits] the exit ends with a branch of
				    which only the next execution shows the
				    target */
	uint32_t first_node;	 /* node[0]; AN_FLOW_NO_NODE: no instructions */
	uint16_t first_followed; /* number of the first exit that is followed;
				    n_exits: none */
};

/* State of a traced thread whose branches are followed to their targets. */
struct an_flow_thread {
	uint32_t branch;       /* code node of the branch that the thread
				  executed last, if its target is not known yet;
				  else AN_FLOW_NO_NODE */
	uint32_t last;	       /* code node executed last; AN_FLOW_NO_NODE:
				  none */
	bool signalled;	       /* a signal was delivered after `last` */
	uint32_t *interrupted; /* [n_interrupted] value of `branch` at each
				  signal whose handler has not returned */
	size_t n_interrupted;
	size_t max_interrupted;
};

/* Targets of branches, and signal handlers, that were found by following
   threads. */
struct an_flow_targets {
	struct al_key_table edges; /* key: from, to, enum an_edge_kind */
	uint64_t *count;	   /* [edges.n] executions of each edge */
	size_t max_counts;
	struct an_flow_thread *thread; /* by thread number */
	size_t n_threads;
	uint32_t running;	       /* number of the running thread */
	struct an_target_cache *cache; /* recently found edges */
};

struct an_prism;

struct an_flow {
	const struct an_env *env;
	const char *drawn_function; /* NULL: none */
	bool writes_csv;	    /* table=NAME without format: the output is
				       a table in CSV */
	struct an_arena arena;
	struct an_code_map code;
	struct an_flow_block *block; /* [n_blocks] by id */
	size_t n_blocks;
	size_t max_blocks;
	struct an_flow_targets targets;
	struct an_flow_graph graph; /* result: executed instructions and
				       edges */
	struct an_prism *prism;	    /* NULL unless format=prism */
};

/* Count the edges from indirect branches, returns and system calls to the
   targets that a batch shows, and from interrupted instructions to signal
   handlers. Return: 0 or -ENOMEM. */
int an_flow_add_batch_to_target_counts(struct an_flow *,
				       const struct an_batch *);

void an_flow_targets_release(struct an_flow_targets *);

/* Add the branches that were executed to the graph as edges. The executions of
   instructions, and edges without a branch (to the next instruction or to a
   repetition), are added only for the drawn function. Return: 0 or -ENOMEM. */
int an_flow_add_all_edges_to_graph(struct an_flow *);

/* Add totals and the tables of functions, calls, branches and edges to a model.
   @state: struct an_flow. */
void an_flow_add_result_to_model(const void *state, struct al_model *);

/* Write the executed control-flow graph of the drawn function in the dot
   language. Return: 0 or -errno. */
int an_flow_write_dot_of_drawn_function(const struct an_flow *);

/* Allocate f->prism, the state of the stream of events in PRISM's terms.
   Return: 0 or -ENOMEM. */
int an_prism_alloc_state(struct an_flow *);
/* Write the events of a batch in PRISM's terms. Return: 0 or -errno. */
int an_prism_write_events_of_batch(struct an_flow *, const struct an_batch *);
/* Write the buffered events and free f->prism; do nothing if it is NULL.
   Return: 0; -errno of an error of the stream. */
int an_prism_flush_and_free(struct an_flow *);

#endif
