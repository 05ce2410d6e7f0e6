/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flow_report.c - builds the result: edges, functions, calls between functions,
 * conditional branches, indirect branches
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/code_label.h"
#include "analyzers/flow/flow.h"
#include "analyzers/named_function.h"

/* ---- labels for people ---- */

enum {
	EDGE_FROM,
	EDGE_TO,
	EDGE_KIND,
	EDGE_COUNT,
	EDGE_INDIRECT,
	EDGE_FROM_FUNCTION,
	EDGE_FROM_FILE,
	EDGE_FROM_LINE,
	EDGE_FROM_OBJECT,
	EDGE_FROM_VERSION,
	EDGE_TO_FUNCTION,
	EDGE_TO_FILE,
	EDGE_TO_LINE,
	EDGE_TO_OBJECT,
	EDGE_TO_VERSION,
	EDGE_LABEL,
	EDGE_COLUMNS
};

/* Write the function and line that an edge comes from: "main:12"; the address
   instead of the line, "main 0x401136", if the file is not known. */
static void write_edge_source(char *to, size_t size, const union al_cell *row)
{
	const char *function = row[EDGE_FROM_FUNCTION].text;

	if (an_code_label_is_unknown(row[EDGE_FROM_FILE].text))
		snprintf(to, size, "%s 0x%llx", function,
			 (unsigned long long)row[EDGE_FROM].number);
	else
		snprintf(to, size, "%s:%llu", function,
			 (unsigned long long)row[EDGE_FROM_LINE].number);
}

static char *alloc_edge_label_up_to_max_bytes(const union al_cell *row,
					      size_t max_bytes)
{
	const struct an_code_place target = {
		.function = row[EDGE_TO_FUNCTION].text,
		.file = row[EDGE_TO_FILE].text,
		.object = row[EDGE_TO_OBJECT].text,
		.line = row[EDGE_TO_LINE].number,
		.address = row[EDGE_TO].number,
	};
	char source[AN_CODE_LABEL], label[2 * AN_CODE_LABEL];
	char *to = an_code_label_alloc(&target, "", AN_CODE_LABEL);

	if (to == NULL)
		return NULL;
	write_edge_source(source, sizeof(source), row);
	snprintf(label, sizeof(label), "%s  ->  %s", source, to);
	free(to);
	return an_code_label_copy_cut(label, max_bytes);
}

static const struct al_column edge_column[EDGE_COLUMNS] = {
	[EDGE_FROM] = AL_PLAIN_NUMBER_COLUMN("from"),
	[EDGE_TO] = AL_PLAIN_NUMBER_COLUMN("to"),
	[EDGE_KIND] = {.key = "kind", .title = "kind"},
	[EDGE_COUNT] = AL_NUMBER_COLUMN("count", "count"),
	[EDGE_INDIRECT] = AL_NUMBER_COLUMN("indirect", NULL),
	[EDGE_FROM_FUNCTION] = {.key = "from_function"},
	[EDGE_FROM_FILE] = {.key = "from_file"},
	[EDGE_FROM_LINE] = AL_NUMBER_COLUMN("from_line", NULL),
	[EDGE_FROM_OBJECT] = {.key = "from_object"},
	[EDGE_FROM_VERSION] = AL_NUMBER_COLUMN("from_version", NULL),
	[EDGE_TO_FUNCTION] = {.key = "to_function"},
	[EDGE_TO_FILE] = {.key = "to_file"},
	[EDGE_TO_LINE] = AL_NUMBER_COLUMN("to_line", NULL),
	[EDGE_TO_OBJECT] = {.key = "to_object"},
	[EDGE_TO_VERSION] = AL_NUMBER_COLUMN("to_version", NULL),
	[EDGE_LABEL] = AL_LABEL_COLUMN("from:line -> to",
				       alloc_edge_label_up_to_max_bytes),
};

enum {
	BRANCH_ADDRESS,
	BRANCH_FUNCTION,
	BRANCH_FILE,
	BRANCH_LINE,
	BRANCH_OBJECT,
	BRANCH_VERSION,
	BRANCH_EXECUTED,
	BRANCH_TAKEN,	    /* of a conditional branch: executions in which it
			       was taken */
	BRANCH_TARGETS = 7, /* of an indirect branch, in place of BRANCH_TAKEN:
			       number of its targets */
	BRANCH_SHARE,	    /* taken part of the executions; of an indirect
			       branch, executions for each target */
	BRANCH_LABEL,
	BRANCH_COLUMNS
};

static char *alloc_branch_function_and_line_label(const union al_cell *row,
						  size_t max_bytes)
{
	const struct an_code_place place = {
		.function = row[BRANCH_FUNCTION].text,
		.file = row[BRANCH_FILE].text,
		.object = row[BRANCH_OBJECT].text,
		.line = row[BRANCH_LINE].number,
		.address = row[BRANCH_ADDRESS].number,
	};

	return an_code_label_alloc(&place, "", max_bytes);
}

#define BRANCH_COLUMN_LIST                                                     \
	[BRANCH_ADDRESS] = AL_PLAIN_NUMBER_COLUMN("address"),                  \
	[BRANCH_FUNCTION] = {.key = "function"},                               \
	[BRANCH_FILE] = {.key = "file"},                                       \
	[BRANCH_LINE] = AL_NUMBER_COLUMN("line", NULL),                        \
	[BRANCH_OBJECT] = {.key = "object"},                                   \
	[BRANCH_VERSION] = AL_NUMBER_COLUMN("version", NULL),                  \
	[BRANCH_EXECUTED] = AL_NUMBER_COLUMN("executed", "executed"),          \
	[BRANCH_LABEL] = AL_LABEL_COLUMN("branch",                             \
					 alloc_branch_function_and_line_label)

static const struct al_column conditional_column[BRANCH_COLUMNS] = {
	BRANCH_COLUMN_LIST,
	[BRANCH_TAKEN] = AL_NUMBER_COLUMN("taken", "taken"),
	[BRANCH_SHARE] =
		AL_PERCENT_COLUMN("taken", BRANCH_TAKEN, BRANCH_EXECUTED, 1),
};

static const struct al_column indirect_column[BRANCH_COLUMNS] = {
	BRANCH_COLUMN_LIST,
	[BRANCH_TARGETS] = AL_NUMBER_COLUMN("targets", "targets"),
	[BRANCH_SHARE] = {.title = "executed a target",
			  .kind = AL_COLUMN_RATIO,
			  .numerator = BRANCH_EXECUTED,
			  .denominator = BRANCH_TARGETS,
			  .factor = 1,
			  .decimals = 1},
};

enum {
	FUNCTION_NAME,
	FUNCTION_FILE,
	FUNCTION_OBJECT,
	FUNCTION_CALLED,
	FUNCTION_CALLS,
	FUNCTION_RETURNS,
	FUNCTION_CONDITIONAL,
	FUNCTION_TAKEN,
	FUNCTION_JUMPS,
	FUNCTION_INDIRECT,
	FUNCTION_SYSTEM_CALLS,
	FUNCTION_LABEL,
	FUNCTION_COLUMNS
};

static char *alloc_function_label_up_to_max_bytes(const union al_cell *row,
						  size_t max_bytes)
{
	const struct an_code_place place = {
		.function = row[FUNCTION_NAME].text,
		.file = "???",
		.object = row[FUNCTION_OBJECT].text,
	};

	return an_code_label_alloc(&place, "", max_bytes);
}

static const struct al_column function_column[FUNCTION_COLUMNS] = {
	[FUNCTION_NAME] = {.key = "name"},
	[FUNCTION_FILE] = {.key = "file"},
	[FUNCTION_OBJECT] = {.key = "object"},
	[FUNCTION_CALLED] = AL_NUMBER_COLUMN("called", "called"),
	[FUNCTION_CALLS] = AL_NUMBER_COLUMN("calls", "calls"),
	[FUNCTION_RETURNS] = AL_NUMBER_COLUMN("returns", "returns"),
	[FUNCTION_CONDITIONAL] = AL_NUMBER_COLUMN("conditional", "conditional"),
	[FUNCTION_TAKEN] = AL_NUMBER_COLUMN("taken", "taken"),
	[FUNCTION_JUMPS] = AL_NUMBER_COLUMN("jumps", "jumps"),
	[FUNCTION_INDIRECT] = AL_NUMBER_COLUMN("indirect", "indirect"),
	[FUNCTION_SYSTEM_CALLS] = AL_NUMBER_COLUMN("system_calls", NULL),
	[FUNCTION_LABEL] = AL_LABEL_COLUMN(
		"function", alloc_function_label_up_to_max_bytes),
};

enum {
	CALL_CALLER,
	CALL_CALLER_OBJECT,
	CALL_CALLEE,
	CALL_CALLEE_OBJECT,
	CALL_CALLS,
	CALL_JUMPS,
	CALL_COLUMNS
};

static const struct al_column call_column[CALL_COLUMNS] = {
	[CALL_CALLER] = {.key = "caller", .title = "caller"},
	[CALL_CALLER_OBJECT] = {.key = "caller_object"},
	[CALL_CALLEE] = {.key = "callee", .title = "callee"},
	[CALL_CALLEE_OBJECT] = {.key = "callee_object"},
	[CALL_CALLS] = AL_NUMBER_COLUMN("calls", "calls"),
	[CALL_JUMPS] = AL_NUMBER_COLUMN("jumps", "jumps"),
};

/* ---- edges ---- */
static void add_edge_table_and_view(const struct an_flow_graph *g,
				    const uint32_t *edges_by_source,
				    struct al_model *m)
{
	static const unsigned columns[] = {EDGE_COUNT, EDGE_KIND, EDGE_LABEL};
	struct al_table *t = al_model_add_table(m, "edges", "Edges",
						edge_column, EDGE_COLUMNS);

	for (uint32_t i = 0; i < g->n_edges; i++) {
		struct an_flow_edge e = g->edge[edges_by_source[i]];
		const struct an_flow_node *a = &g->node[e.from],
					  *b = &g->node[e.to];
		const union al_cell cell[] = {
			[EDGE_FROM].number = a->address,
			[EDGE_TO].number = b->address,
			[EDGE_KIND].text = an_edge_name[e.kind],
			[EDGE_COUNT].number = e.count,
			[EDGE_INDIRECT].number = a->is_indirect,
			[EDGE_FROM_FUNCTION].text = g->place[a->place].function,
			[EDGE_FROM_FILE].text = g->place[a->place].file,
			[EDGE_FROM_LINE].number = a->line,
			[EDGE_FROM_OBJECT].text = g->place[a->place].object,
			[EDGE_FROM_VERSION].number = a->version,
			[EDGE_TO_FUNCTION].text = g->place[b->place].function,
			[EDGE_TO_FILE].text = g->place[b->place].file,
			[EDGE_TO_LINE].number = b->line,
			[EDGE_TO_OBJECT].text = g->place[b->place].object,
			[EDGE_TO_VERSION].number = b->version,
		};

		if (e.kind < AN_N_BRANCH_EDGES)
			al_table_add_row(m, t, cell);
	}
	al_model_add_view_copy(m, AL_VIEW("Most frequent branches", t, columns,
					  .sort = EDGE_COUNT, .top = 10));
}

/* ---- branches ---- */

static void add_branch_row_if_executed(struct al_model *m, struct al_table *t,
				       const struct an_flow_graph *g,
				       uint32_t node, uint64_t executed,
				       uint64_t taken_or_targets)
{
	const struct an_flow_node *n = &g->node[node];
	const union al_cell cell[] = {
		[BRANCH_ADDRESS].number = n->address,
		[BRANCH_FUNCTION].text = g->place[n->place].function,
		[BRANCH_FILE].text = g->place[n->place].file,
		[BRANCH_LINE].number = n->line,
		[BRANCH_OBJECT].text = g->place[n->place].object,
		[BRANCH_VERSION].number = n->version,
		[BRANCH_EXECUTED].number = executed,
		[BRANCH_TAKEN].number = taken_or_targets,
	};

	if (executed > 0)
		al_table_add_row(m, t, cell);
}

/* Add the row of one branch to @conditional, to @indirect, or to none if it is
   no such branch. @edges_of_branch: [@edge_count] numbers of all edges from its
   node. */
static void
add_rows_of_one_branch(struct al_model *m, struct al_table *conditional,
		       struct al_table *indirect, const struct an_flow_graph *g,
		       const uint32_t *edges_of_branch, uint32_t edge_count)
{
	uint64_t sides = 0, taken = 0, executed = 0, targets = 0;
	uint32_t from = g->edge[edges_of_branch[0]].from;

	for (uint32_t i = 0; i < edge_count; i++) {
		struct an_flow_edge e = g->edge[edges_of_branch[i]];

		if (e.kind == AN_EDGE_TAKEN)
			taken += e.count;
		if (e.kind == AN_EDGE_TAKEN || e.kind == AN_EDGE_NOT_TAKEN)
			sides += e.count;
		if (e.kind == AN_EDGE_INDIRECT ||
		    (e.kind == AN_EDGE_CALL && g->node[from].is_indirect)) {
			executed += e.count;
			targets++;
		}
	}
	add_branch_row_if_executed(m, conditional, g, from, sides, taken);
	add_branch_row_if_executed(m, indirect, g, from, executed, targets);
}

static void add_branch_tables_and_views(const struct an_flow_graph *g,
					const uint32_t *edges_by_source,
					struct al_model *m)
{
	static const unsigned bias[] = {BRANCH_EXECUTED, BRANCH_SHARE,
					BRANCH_LABEL};
	static const unsigned jumps[] = {BRANCH_EXECUTED, BRANCH_TARGETS,
					 BRANCH_LABEL};
	struct al_table *t =
		al_model_add_table(m, "branches", "Conditional branches",
				   conditional_column, BRANCH_COLUMNS);
	struct al_table *u =
		al_model_add_table(m, "indirect", "Indirect branches",
				   indirect_column, BRANCH_COLUMNS);
	uint32_t first = 0;

	for (uint32_t i = 1; i <= g->n_edges; i++) {
		if (i < g->n_edges &&
		    g->edge[edges_by_source[i]].from ==
			    g->edge[edges_by_source[first]].from)
			continue;
		add_rows_of_one_branch(m, t, u, g, edges_by_source + first,
				       i - first);
		first = i;
	}
	al_model_add_view_copy(m, AL_VIEW("Conditional branches", t, bias,
					  .sort = BRANCH_EXECUTED, .top = 10));
	al_model_add_view_copy(m, AL_VIEW("Indirect branches", u, jumps,
					  .sort = BRANCH_EXECUTED, .top = 10));
}

/* ---- functions ---- */

/* Add the count of edge @e to the counts of the function that it leaves and,
   for a call, of the function that it enters. Do nothing for an edge to a
   signal handler or without a branch. @counts_by_place: [FUNCTION_COLUMNS]
   counts for each place. */
static void
add_edge_count_to_functions(const struct an_flow_graph *g,
			    struct an_flow_edge e,
			    uint64_t (*counts_by_place)[FUNCTION_COLUMNS])
{
	static const unsigned column[] = {
		[AN_EDGE_CALL] = FUNCTION_CALLS,
		[AN_EDGE_RETURN] = FUNCTION_RETURNS,
		[AN_EDGE_JUMP] = FUNCTION_JUMPS,
		[AN_EDGE_TAKEN] = FUNCTION_CONDITIONAL,
		[AN_EDGE_NOT_TAKEN] = FUNCTION_CONDITIONAL,
		[AN_EDGE_INDIRECT] = FUNCTION_INDIRECT,
		[AN_EDGE_SYSTEM_CALL] = FUNCTION_SYSTEM_CALLS,
	};
	uint64_t *from = counts_by_place[g->node[e.from].place];

	if (e.kind == AN_EDGE_CALL)
		counts_by_place[g->node[e.to].place][FUNCTION_CALLED] +=
			e.count;
	if (e.kind == AN_EDGE_TAKEN)
		from[FUNCTION_TAKEN] += e.count;
	if (e.kind < AN_EDGE_HANDLER)
		from[column[e.kind]] += e.count;
}

static int compare_function_then_object(const void *one, const void *other)
{
	const struct an_flow_place *a = *(struct an_flow_place *const *)one,
				   *b = *(struct an_flow_place *const *)other;
	int order = strcmp(a->function, b->function);

	return order ? order : strcmp(a->object, b->object);
}

/* Return an array of pointers to all places, sorted by the names of function
   and object; the caller frees the array. NULL if memory is short. */
static const struct an_flow_place **
alloc_places_sorted_by_function(const struct an_flow_graph *g)
{
	const struct an_flow_place **place =
		malloc((g->places.n + 1) * sizeof(*place));

	for (uint32_t i = 0; place && i < g->places.n; i++)
		place[i] = &g->place[i];
	if (place)
		qsort(place, g->places.n, sizeof(*place),
		      compare_function_then_object);
	return place;
}

static void
add_rows_of_all_functions(const struct an_flow_graph *g, struct al_model *m,
			  struct al_table *t,
			  const struct an_flow_place *const *place,
			  uint64_t (*counts_by_place)[FUNCTION_COLUMNS])
{
	for (uint32_t i = 0; i < g->places.n; i++) {
		const uint64_t *count = counts_by_place[place[i] - g->place];
		union al_cell cell[FUNCTION_LABEL] = {
			[FUNCTION_NAME].text = place[i]->function,
			[FUNCTION_FILE].text = place[i]->file,
			[FUNCTION_OBJECT].text = place[i]->object,
		};

		for (int c = FUNCTION_CALLED; c < FUNCTION_LABEL; c++)
			cell[c].number = count[c];
		al_table_add_row(m, t, cell);
	}
}

static void
add_function_table_and_view(const struct an_flow_graph *g, struct al_model *m,
			    const struct an_flow_place *const *place)
{
	static const unsigned columns[] = {FUNCTION_CALLED, FUNCTION_CALLS,
					   FUNCTION_CONDITIONAL, FUNCTION_TAKEN,
					   FUNCTION_LABEL};
	struct al_table *t = al_model_add_table(
		m, "functions", "Functions", function_column, FUNCTION_COLUMNS);
	uint64_t(*row)[FUNCTION_COLUMNS] =
		calloc(g->places.n + 1, sizeof(*row));

	if (row == NULL) {
		m->error = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < g->n_edges; i++)
		add_edge_count_to_functions(g, g->edge[i], row);
	add_rows_of_all_functions(g, m, t, place, row);
	free(row);
	al_model_add_view_copy(
		m, AL_VIEW("Functions by conditional branches", t, columns,
			   .sort = FUNCTION_CONDITIONAL, .top = 10));
}

/* ---- calls between functions ---- */

/* Calls from one function to another or to itself, and jumps to another. */
struct pair {
	const struct an_flow_place *caller, *callee;
	uint64_t calls, jumps;
};

static int compare_caller_then_callee(const void *one, const void *other)
{
	const struct pair *a = one, *b = other;
	int order = compare_function_then_object(&a->caller, &b->caller);

	return order ? order
		     : compare_function_then_object(&a->callee, &b->callee);
}

/* Whether @e is a call (also of the function itself), or a direct, indirect or
   taken conditional jump to another function. A return is neither. */
static bool is_call_or_interfunction_jump(const struct an_flow_graph *g,
					  struct an_flow_edge e)
{
	if (e.kind == AN_EDGE_CALL)
		return true;
	return (e.kind == AN_EDGE_JUMP || e.kind == AN_EDGE_INDIRECT ||
		e.kind == AN_EDGE_TAKEN) &&
	       g->node[e.from].place != g->node[e.to].place;
}

static void add_table_of_calls_between_functions(const struct an_flow_graph *g,
						 struct al_model *m)
{
	struct al_table *t =
		al_model_add_table(m, "calls", "Calls between functions",
				   call_column, CALL_COLUMNS);
	struct pair *pair = malloc((g->n_edges + 1) * sizeof(*pair));
	size_t n = 0;

	for (uint32_t i = 0; pair && i < g->n_edges; i++) {
		struct an_flow_edge e = g->edge[i];
		bool is_call = e.kind == AN_EDGE_CALL;

		if (is_call_or_interfunction_jump(g, e))
			pair[n++] = (struct pair){
				&g->place[g->node[e.from].place],
				&g->place[g->node[e.to].place],
				is_call ? e.count : 0, is_call ? 0 : e.count};
	}
	if (pair == NULL) {
		m->error = -ENOMEM;
		return;
	}
	if (n > 0)
		qsort(pair, n, sizeof(*pair), compare_caller_then_callee);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n &&
		    compare_caller_then_callee(&pair[i], &pair[i + 1]) == 0) {
			pair[i + 1].calls += pair[i].calls;
			pair[i + 1].jumps += pair[i].jumps;
			continue;
		}
		al_table_add_row(
			m, t,
			(const union al_cell[CALL_COLUMNS]){
				[CALL_CALLER].text = pair[i].caller->function,
				[CALL_CALLER_OBJECT].text =
					pair[i].caller->object,
				[CALL_CALLEE].text = pair[i].callee->function,
				[CALL_CALLEE_OBJECT].text =
					pair[i].callee->object,
				[CALL_CALLS].number = pair[i].calls,
				[CALL_JUMPS].number = pair[i].jumps,
			});
	}
	free(pair);
}

/* ---- totals ---- */

static void add_title_and_edge_totals(const struct an_flow_graph *g,
				      struct al_model *m)
{
	static const char *const key[AN_N_BRANCH_EDGES] = {
		"calls",     "returns",	 "jumps",	 "taken",
		"not_taken", "indirect", "system_calls", "handlers",
	};
	static const char *const title[AN_N_BRANCH_EDGES] = {
		[AN_EDGE_NOT_TAKEN] = "not taken",
		[AN_EDGE_INDIRECT] = "indirect jumps",
		[AN_EDGE_SYSTEM_CALL] = "system calls",
		[AN_EDGE_HANDLER] = "signal handlers",
	};
	uint64_t total[AN_EDGE_REPEAT + 1] = {0};

	for (uint32_t i = 0; i < g->n_edges; i++)
		total[g->edge[i].kind] += g->edge[i].count;
	m->title = "Flow of control";
	al_model_begin_object(m, "totals");
	for (int k = 0; k < AN_N_BRANCH_EDGES; k++)
		al_model_add_number(m, key[k], title[k], NULL, total[k]);
	al_model_end_object_or_list(m);
}

/* Add a note if the function that is drawn was not executed. Executions are
   counted only in it. */
static void add_note_if_drawn_function_unexecuted(const struct an_flow *f,
						  struct al_model *m)
{
	const struct an_flow_graph *g = &f->graph;
	struct an_named_function drawn;

	if (f->drawn_function == NULL)
		return;
	drawn = an_named_function(f->drawn_function, strlen(f->drawn_function));
	for (uint32_t i = 0; i < g->n_nodes; i++)
		if (g->node[i].executed > 0)
			return;
	for (uint32_t i = 0; i < g->places.n; i++)
		an_named_function_note_executed_or_near(&drawn,
							g->place[i].function);
	an_named_functions_add_unexecuted_notes(&drawn, 1, m);
}

void an_flow_add_result_to_model(const void *state, struct al_model *m)
{
	const struct an_flow_graph *g = &((const struct an_flow *)state)->graph;
	const struct an_flow_place **place = alloc_places_sorted_by_function(g);
	uint32_t *sorted = an_flow_graph_alloc_edges_by_source(g);

	if (place == NULL || (sorted == NULL && g->n_edges > 0))
		m->error = -ENOMEM;
	add_title_and_edge_totals(g, m);
	if (m->error == 0) {
		add_function_table_and_view(g, m, place);
		add_table_of_calls_between_functions(g, m);
		add_branch_tables_and_views(g, sorted, m);
		add_edge_table_and_view(g, sorted, m);
		add_note_if_drawn_function_unexecuted(state, m);
	}
	free(place);
	free(sorted);
}
