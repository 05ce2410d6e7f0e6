/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops.h - state of the loops analysis
 *
 * The graph has a node for each executed instruction and an edge for each
 * executed transfer of control inside a function; a call leads to where it
 * returned. An edge is a back edge if its target dominates its source (Aho,
 * Lam, Sethi, Ullman, "Compilers", 9.6): every path from an entry of the
 * function to the source passes the target. The target is the header of a
 * natural loop, and the body is every node from which the source can be reached
 * without passing the header.
 *
 * More edges never add dominators. So a back edge of the final graph was one
 * when it was first executed, and is found then. An edge that is no back edge
 * any more at the end does not count.
 */
#ifndef ANALYZERS_LOOPS_LOOPS_H
#define ANALYZERS_LOOPS_LOOPS_H

#include "analyzers/arena.h"
#include "analyzers/code/code_map.h"
#include "analyzers/loops/dependences.h"
#include "analyzers/named_function.h"
#include "base/tables/index_table.h"

enum {
	/* Value of an_loop_exit.loop if an execution that leaves by the exit
	   has no accesses in loops and reaches no header; of
	   an_loop_access_place.loop if no access of the block is in a loop. */
	AN_NO_LOOP = UINT32_MAX - 1,
};

/* An edge of the graph, in the list of edges into its target. Most nodes have
   only one edge, from the instruction before. It is not stored here: see
   an_loop_node.in. */
struct an_loop_edge {
	uint32_t from, to;
	uint32_t next; /* index plus 1 of the next edge into `to`; 0: none */
	uint32_t back; /* index in an_loop_state.back_count, from 1; 0: the edge
			  is no back edge */
};

/* Flag of an_loop_node.in: the node has a single incoming edge, from the node
   that the other bits number */
enum { AN_ONLY_EDGE_FROM = INT32_MIN };

/* A natural loop. */
struct an_loop {
	bool is_chosen;	      /* the option `of` names its function: its
				 dependences are counted */
	uint32_t header;      /* number of the header's node */
	uint64_t runs;	      /* runs that have ended; entries before the loop
				 was found are not counted */
	uint64_t least, most; /* smallest and greatest number of iterations of
				 an ended run */
	uint32_t body_size;   /* greatest number of nodes that a search has
				 found in the body, and those added since; at
				 the end, the number of nodes of the final
				 body */
	uint32_t parent; /* index of the innermost other loop that contains the
			    header, plus 1; 0: none; only as far as the searches
			    have found before the end */
	struct an_run_lanes lanes; /* of its active runs */
	/* Its dependences in an_dependence_state.dependence, after
	   an_loops_group_dependences_by_loop(). */
	uint32_t first_dependence, n_dependences;
};

struct an_loop_node {
	/* Edges into the node. 0: the node has none. If the flag
	   AN_ONLY_EDGE_FROM is set, the node has a single edge, which is no
	   back edge, and the other bits are the number of the node from which
	   the edge comes. Otherwise this is 1 + the index in an_loop_state.edge
	   of the first edge. */
	uint32_t in;
	uint32_t loop; /* index of the innermost loop that contains the node,
			  plus 1; 0: none */
	uint32_t header_of; /* index of the loop of which the node is the
			       header, plus 1; 0: none */
	uint32_t stamp;	    /* number of the search that visited the node
			       last */
	struct an_strides
		*strides;  /* [n_accesses], in an_loop_state.stride_arena;
				       NULL: it was not executed in a loop */
	uint32_t function; /* node of the entry of its function, plus 1; 0: not
			      executed */
	uint16_t n_accesses;
	bool is_entry; /* first instruction of a function, a thread or a signal
			  handler, or reached in an unknown way */
	bool is_reached;
};

/* A transfer of control inside a block that must be followed: a call, or an
   edge to the header of a loop. */
struct an_loop_event {
	uint16_t instr;	       /* index of the instruction that is reached */
	uint16_t first_access; /* index in an_loop_block.list of the first
				  access of that or a later instruction */
	bool is_call;  /* the instruction before it in the block is a call, so
			   it is the first one of the called function */
	uint32_t loop; /* index of the loop of the header; 0 if is_call */
	uint32_t back; /* an_loop_edge.back of the edge into the header that is
			   reached; 0 if is_call */
};

/* An exit of a block: an instruction after which executions can leave it. */
struct an_loop_exit {
	uint32_t follower; /* id + 1 of the block that was reached last by this
			      exit by an edge; 0: none */
	/* number of the back edge to the block `follower`, from 1, as
	   an_loop_edge.back; 0: that edge is no back edge */
	uint32_t back : 31;
	uint32_t is_seen : 1; /* the exit was taken before */
	uint16_t n_instrs;    /* as in struct pt_exit, which is further away in
				 memory */
	uint16_t n_listed;    /* listed accesses of an execution that leaves by
				 this exit: the first ones of
				 an_loop_block.list */
	/* The members below describe an execution that leaves by this exit, if
	   plain_generation is an_loop_state.generation. Then the execution has
	   no calls inside, and all edges to headers inside are back edges.
	   These headers, a header at the beginning of the block, and the
	   accesses in loops are all of a single loop. */
	uint32_t plain_generation;
	uint32_t loop;	    /* index of that loop; AN_NO_LOOP: none */
	uint16_t n_headers; /* headers that the execution reaches, its first
			       instruction included */
	bool begins_at_header;
};

struct an_loop_block {
	const struct an_block *block;
	struct an_loop_exit *exit;	  /* [n_exits]; allocated together with
				      `node` */
	uint32_t *node;			  /* [n_instrs] */
	struct an_loop_event *event;	  /* [n_events] */
	struct an_loop_access_list *list; /* [n_accesses]; NULL: none */
	/* The members below, `event`, `list` and an_loop_exit.n_listed are
	   valid if `generation` is an_loop_state.generation. */
	uint32_t generation;
	uint32_t header_of; /* an_loop_node.header_of of node[0] */
	uint16_t n_events;
	uint16_t n_accesses; /* listed ones */
};

/* A run of a loop. */
struct an_loop_run {
	uint32_t loop;
	uint64_t iterations;
	uint64_t number; /* from 1, in the order in which runs of all loops
			    begin */
	uint16_t lane;	 /* number that no other active run of the loop has,
			    unless it is AN_LAST_LANE; see run_lanes.h */
	bool is_chosen;
};

/* A call that has not returned, an active signal handler, or the first function
   of a thread. */
struct an_loop_frame {
	uint64_t return_to;   /* address after the call; 0 for a handler or the
			       first function */
	uint64_t return_slot; /* address at which the call stored return_to;
				 0: unknown */
	uint32_t call;	/* node of the call; AN_NO_NODE for a handler or the
			       first function */
	uint32_t entry; /* node of the function's first instruction */
	bool is_handler;
	uint32_t first_run; /* index in an_loop_thread.run of the first run of
			       this frame */
	uint32_t n_listed_before; /* an_loop_thread.n_listed_calls before this
				     frame was pushed */
};

struct an_loop_thread {
	struct an_loop_frame *frame;
	size_t n_frames, max_frames;
	struct an_loop_run *run;
	size_t n_runs, max_runs;
	/* The newest run if it is one of the top frame; else a run whose `loop`
	   is no loop's index. */
	struct an_loop_run *top_run;
	size_t n_chosen;	 /* runs that are chosen */
	uint32_t n_listed_calls; /* frames that were pushed while a run of a
				    chosen loop was active, which is listed as
				    an event */
	uint32_t block; /* id of the block that was executed last; valid if
			   last_exit is not NULL */
	struct an_loop_exit *last_exit; /* exit of the last execution; NULL:
					   there was none, or a signal came
					   after it */
	/* Address of the last access of the latest call or return, or of the
	   instruction before the latest indirect jump; 0: it has none */
	uint64_t stack_access;
	bool signalled;
};

/* Count of one stride of the accesses of one source line in a loop. */
struct an_loop_stride {
	const char *file; /* source file; interned; "???": unknown */
	uint32_t line;
	int64_t stride; /* [bytes] */
	uint64_t count;
};

/* A source line of instructions in a loop. */
struct an_loop_line {
	const char *function; /* function that the line is of; interned */
	const char *file;     /* source file; interned */
	uint32_t line;	      /* 0: unknown */
};

/* Dependences between two source lines, of one distance in iterations, that a
   loop carries from one iteration to a later one. */
struct an_loop_dependence {
	uint32_t source_line; /* source line of the earlier access; 0:
				 unknown */
	uint32_t line;	      /* of the later access */
	uint8_t kind;	      /* enum an_dependence_kind */
	bool is_reduction;    /* sum, product or the like in memory */
	bool forbids;	      /* the dependence forbids vectors with more
				 than `distance` elements */
	uint64_t distance;    /* [iterations] */
	uint64_t count;
};

enum an_vectorisable {
	AN_VECTORISABLE_UNKNOWN, /* dependences were not counted, or the loop
				    never iterated */
	AN_VECTORISABLE_YES,
	AN_VECTORISABLE_REDUCTION, /* yes, if its reductions are computed in
				      another order */
	AN_VECTORISABLE_NO,
};

struct an_loop_row {
	uint64_t address; /* address of the loop's header */
	struct an_symbol symbol;
	uint32_t version;
	uint32_t depth; /* 1: outermost */
	bool is_spin;
	bool has_inner_loop;
	uint64_t entries, iterations, least, most, instructions;
	struct an_loop_stride *stride; /* [n_strides] */
	size_t n_strides, max_strides;
	/* [n_lines] source lines of the loop's instructions that are in no loop
	   inside this one. n_lines is 0 if the loop's dependences were not
	   counted. */
	struct an_loop_line *line;
	size_t n_lines, max_lines;
	uint8_t vectorisable;  /* enum an_vectorisable */
	uint64_t vector_limit; /* smallest distance of a dependence that forbids
				  vectors; 0: none */
	bool has_register_recurrence;	       /* AN_CARRIES_RECURRENCE */
	struct an_loop_dependence *dependence; /* [n_dependences] */
	size_t n_dependences, max_dependences;
};

/* Part of the executed code of a function, with cycles. */
struct an_loop_region {
	uint64_t address; /* smallest address of its instructions */
	struct an_symbol symbol;
	uint64_t instructions; /* executed ones */
};

/* The result: a row for each loop. Results of several exec images can be
   merged. */
struct an_loop_rows {
	struct an_loop_row *row;
	size_t n, max;
	uint64_t instructions; /* executed instructions of the whole program */
	uint64_t irreducible;  /* strongly connected components of the final
				  graph without its back edges, that have a
				  cycle: it has several entries, so that no
				  node of it dominates the others */
	/* the component with the most executed instructions; valid if
	   irreducible > 0 */
	struct an_loop_region most_executed_irreducible;
};

struct an_loop_state {
	const struct an_env *env;
	struct an_arena arena;
	struct an_arena stride_arena; /* strides; separate: tail() writes them
					 on another thread, and so shares no
					 cache line with batch() */
	struct an_code_map code;
	struct an_loop_node
		*node; /* by number of the instruction in the code map */
	size_t max_nodes;
	struct an_loop_block *block; /* [n_blocks] */
	size_t n_blocks, max_blocks;
	struct al_index_table edges_by_ends; /* elements of `edge` */
	struct an_loop_edge *edge;	     /* [edges_by_ends.n] */
	size_t max_edges;
	/* [n_back + 1] executions of each back edge of all loops, by
	   an_loop_edge.back; before the end only those between two blocks.
	   Element 0 counts other edges, and is not read. */
	uint64_t *back_count;
	uint32_t n_back;
	size_t max_back;
	/* [max_repetitions] by node: how often an instruction with a rep prefix
	   repeated, which is no edge of the graph; before the end only the
	   repetitions that begin a block */
	uint64_t *repetitions;
	size_t max_repetitions;
	struct an_loop *loop;
	size_t n_loops, max_loops;
	const char *of; /* names of functions, separated by +; NULL: none */
	struct an_named_function *chosen; /* [n_chosen] those of `of` but "*" */
	size_t n_chosen, max_chosen;
	bool is_any_chosen; /* `of` has the name "*" */
	struct an_loop_thread *thread;
	size_t n_threads;
	uint32_t running;
	uint32_t generation; /* changes when a loop is found or grows */
	uint32_t stamp;
	uint32_t *found; /* [max_found] nodes that a search found */
	size_t max_found;
	/* [max_listed] and [max_listed_places]: a list that block_lists.c
	   makes */
	struct an_loop_access *listed;
	struct an_loop_access_place *listed_place;
	size_t max_listed, max_listed_places;
	uint32_t *position; /* by node: index in the order of a loop's body;
			       see dependence_rows.c */
	size_t max_positions;
	uint64_t n_runs;
	const struct an_batch *batch; /* that batch() follows */
	/* `inflight` of the chunk that batch() follows */
	struct an_loop_inflight *inflight_of_batch;
	struct an_loop_inflight inflight[AN_INFLIGHT_SLOTS];
	_Alignas(64) struct an_dependence_state dependences;
	struct an_loop_rows rows;
};

/* ---- chosen_functions.c ---- */

/* Set l->chosen and l->is_any_chosen from l->of. Return: 0 or -ENOMEM. */
int an_loops_list_chosen_functions(struct an_loop_state *);

bool an_loops_is_function_of_node_chosen(const struct an_loop_state *,
					 uint32_t node);

/* Compare the names in l->chosen with those of all executed functions. */
void an_loops_match_chosen_functions(struct an_loop_state *);

void an_loops_merge_chosen_functions(struct an_loop_state *into,
				     const struct an_loop_state *from);

/* ---- loop_graph.c ---- */

/* Find the edge between two nodes, or add it. @is_new_back_out: set to whether
   it was added now and is a back edge; then its loop was added or enlarged, and
   the nodes of the body have the stamp an_loop_state.stamp. Return:
   an_loop_edge.back; -ENOMEM. */
int64_t an_loops_find_or_add_edge_get_back_edge(struct an_loop_state *,
						uint32_t from, uint32_t to,
						bool *is_new_back_out);

/* Return the number of the back edge from node @from to node @to
   (an_loop_edge.back), 0 if that edge is no back edge; -1: there is no edge. */
int64_t an_loops_back_edge_number_0_if_not_back(const struct an_loop_state *,
						uint32_t from, uint32_t to);

/* Stamp the nodes from which any of @back_edge_sources [source_count] can be
   reached without passing @header, and list them in an_loop_state.found,
   @header first. Return: the number of these nodes; 0: @header does not
   dominate all of @back_edge_sources; -ENOMEM. */
int64_t
an_loops_list_body_or_0_if_irreducible(struct an_loop_state *, uint32_t header,
				       const uint32_t *back_edge_sources,
				       size_t source_count);

/* Whether the transfer between the nodes is the repetition of an instruction
   with a rep prefix, which is no edge of the graph. */
static inline bool
an_loops_is_rep_prefix_repetition(const struct an_loop_state *l, uint32_t from,
				  uint32_t to)
{
	return from == to && l->code.node[to].branch_kind == AN_BRANCH_REPEAT;
}

/* Add @count to the repetitions of @node. Return: 0 or -ENOMEM. */
int an_loops_add_repetitions(struct an_loop_state *, uint32_t node,
			     uint64_t count);

/* ---- runs.c ---- */

/* Whether the transfer between the nodes is an indirect jump into another
   object file. */
bool an_loops_is_jump_to_other_object(const struct an_loop_state *,
				      uint32_t from, uint32_t to);

/* Update the runs of a thread that has reached the header of loop @loop_index
   by an edge whose an_loop_edge.back is @back_edge_number_or_0: a back edge
   adds an iteration to the loop's run and ends the runs inside; another edge
   (@back_edge_number_or_0 is 0) ends the run and begins a new one. A back edge
   without a run begins one with 2 iterations. Return: 0 or -ENOMEM. */
int an_loops_iterate_or_begin_run(struct an_loop_state *,
				  struct an_loop_thread *, uint32_t loop_index,
				  uint32_t back_edge_number_or_0);

/* Push the frame of a call, and begin a run of a loop if @entry_node, the first
   instruction of the called function, is its header. Return: 0 or -ENOMEM. */
int an_loops_push_call_frame(struct an_loop_state *, struct an_loop_thread *,
			     uint32_t call_node, uint32_t entry_node);

/* Find or add the edge from @from_node to @to_node, and if it leads to the
   header of a loop, update the thread's runs of loops. Return:
   an_loop_edge.back; -ENOMEM. */
int64_t an_loops_follow_edge_get_back_edge(struct an_loop_state *,
					   struct an_loop_thread *,
					   uint32_t from_node,
					   uint32_t to_node);

/* Follow the transfer from the thread's last execution to the first instruction
   of block number @id. A signal handler, and a thread without a last execution,
   begin a frame instead. Return: 0 or -ENOMEM. */
int an_loops_follow_last_exit_to_block(struct an_loop_state *,
				       struct an_loop_thread *, uint32_t id);

/* End the runs of loops in a thread, remove all its frames, and forget its last
   execution and signal, because its next execution does not continue it. */
void an_loops_end_runs_and_reset_thread(struct an_loop_state *,
					struct an_loop_thread *);
void an_loops_end_runs_and_reset_threads(struct an_loop_state *);

/* End the runs of loops in the thread that began after @run. */
void an_loops_end_runs_begun_after(struct an_loop_state *,
				   struct an_loop_thread *,
				   const struct an_loop_run *run);

/* Return the newest run of loop @loop_index in the thread's top frame; NULL:
   there is none. */
struct an_loop_run *
an_loops_newest_top_frame_run_or_null(const struct an_loop_thread *,
				      uint32_t loop_index);

/* ---- block_lists.c, executions.c ---- */

/* Make the members of @b that are valid for one generation, from the loops that
   are known now: its lists of accesses, of calls and of edges to headers, the
   headers among its instructions, and the descriptions of its exits. Return: 0
   or -ENOMEM. */
int an_loops_update_block_lists(struct an_loop_state *,
				struct an_loop_block *b);

/* Whether the instruction before @instr_index, which is not 0, is a call. */
bool an_loops_is_after_call(const struct an_loop_state *,
			    const struct an_loop_block *, unsigned instr_index);

/* Return the number of the back edge inside @b to instruction @instr_index,
   which is not 0; 0 if that edge is no back edge; -1: there is no edge, or it
   does not lead to a header. */
static inline int64_t
an_loops_inner_back_edge_number(const struct an_loop_state *l,
				const struct an_loop_block *b,
				unsigned instr_index)
{
	if (l->node[b->node[instr_index]].header_of == 0 ||
	    an_loops_is_after_call(l, b, instr_index))
		return -1;
	return an_loops_back_edge_number_0_if_not_back(
		l, b->node[instr_index - 1], b->node[instr_index]);
}

/* Follow the executions of a batch: add new edges and loops, count iterations,
   and list the accesses whose strides tail() counts. Return: 0 or -ENOMEM. */
int an_loops_follow_batch(struct an_loop_state *, const struct an_batch *);

/* ---- loop_strides.c ---- */

/* List the accesses of instruction @instr of an execution that are in loops, so
   that tail() counts their strides: differences from the address of the
   access's previous execution in the same run of its innermost loop. While a
   run of a chosen loop (one of a function that the option `of` names) is
   active, list all accesses. Return: 0 or -ENOMEM. */
int an_loops_list_accesses_of_instr(struct an_loop_state *,
				    const struct an_loop_thread *,
				    struct an_exec, unsigned instr);

/* Allocate the strides of the accesses of a node, unless it has some.
   Return: 0 or -ENOMEM. */
int an_loops_add_strides_of_node_if_missing(struct an_loop_state *l,
					    struct an_loop_node *);

/* Return the strides of access @access_index, from 0, of a node; strides
   without counts if the node was not executed in a loop. */
const struct an_strides *
an_loops_strides_of_access_or_empty(const struct an_loop_node *,
				    unsigned access_index);

/* ---- dependence_rows.c ---- */

/* Sort the counted dependences by loop, and set first_dependence and
   n_dependences of each loop. */
void an_loops_group_dependences_by_loop(struct an_loop_state *);

/* Add the dependences that loop @loop_index carries, without harmless ones, to
   row @r, and set r->vectorisable, r->vector_limit and
   r->has_register_recurrence. Do nothing if the loop is not chosen or never
   iterated. The first @body_size nodes of l->found are the body, and have the
   stamp l->stamp. Return: 0 or -ENOMEM. */
int an_loops_add_dependences_to_row(struct an_loop_state *,
				    struct an_loop_row *r, uint32_t loop_index,
				    uint32_t body_size);

/* Add the dependences of row @from to @into, and update into->vectorisable,
   into->vector_limit and into->has_register_recurrence. Return: 0 or
   -ENOMEM. */
int an_loop_row_merge_dependences(struct an_loop_row *into,
				  const struct an_loop_row *from);

/* ---- irreducible.c ---- */

/* Add the cycles of the final graph that have no back edge to l->rows; the
   an_loop_edge.back of an edge that is no back edge any more is 0. A jump to
   another object file, such as that of the dynamic linker to a function, is a
   call, and so in no cycle. @executed [n_nodes]: executions of each
   instruction. Return: 0 or -ENOMEM. */
int an_loops_add_irreducible_region_rows(struct an_loop_state *,
					 const uint64_t *executed);

/* Add @count, which is not 0, to rows->irreducible, and @most_executed, the
   most executed one of these. */
void an_loop_rows_add_irreducible_count(
	struct an_loop_rows *rows, uint64_t count,
	const struct an_loop_region *most_executed);

/* ---- result.c, loops_report.c ---- */

/* Find the final loops and append a row for each to an_loop_state.rows. Return:
   0 or -ENOMEM. */
int an_loops_make_row_of_each_loop(struct an_loop_state *);

/* Add the rows and totals of @from to @into; rows of one loop are added up.
   Return: 0 or -ENOMEM. */
int an_loop_rows_merge(struct an_loop_rows *into,
		       const struct an_loop_rows *from);
void an_loop_rows_release(struct an_loop_rows *);

void an_loops_add_result_to_model(const void *state, struct al_model *);

/* Add tables without a key: "loops", "strides" and "dependences", as they are
   written as comma-separated values. @state: struct an_loop_state. */
void an_loops_add_csv_tables_to_model(const void *state, struct al_model *);

/* ---- loop_details.c ---- */

/* Sort the lists of a row: strides by source line, then by count, the largest
   first; dependences that forbid vectors first, then by distance, the smallest
   first; lines by file and number. */
void an_loop_row_sort_lists(const struct an_loop_row *);

/* Add a list to the open object of the model: of the strides, of the
   dependences, or of the source lines of a loop. The list of lines is left out
   if it has none. */
void an_loop_row_add_list_of_strides(const struct an_loop_row *,
				     struct al_model *);
void an_loop_row_add_list_of_dependences(const struct an_loop_row *,
					 struct al_model *);
void an_loop_row_add_list_of_lines_if_any(const struct an_loop_row *,
					  struct al_model *);

/* Add a table without a key of the strides, or of the dependences, of
   @row_count loops. */
void an_loops_add_stride_table(struct an_loop_row *const *rows,
			       size_t row_count, struct al_model *);
void an_loops_add_dependence_table(struct an_loop_row *const *rows,
				   size_t row_count, struct al_model *);

#endif
