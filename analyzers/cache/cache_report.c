/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_report.c - builds the result of a cache simulation
 */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/cache_result.h"
#include "base/text/printable.h"

enum {
	NUMBER = 24, /* [bytes] of a number's digits */
};

static void report_event_counts(const struct an_cost *cost,
				struct an_sink *sink)
{
	for (int i = 0; i < AN_N_EVENTS; i++)
		sink->number(sink, an_event_name[i], cost->event[i]);
}

void an_cacheresult_report_totals(const struct an_cacheresult *r,
				  struct an_sink *sink)
{
	report_event_counts(&r->total, sink);
}

static const char *describe_level_partitions(const struct an_cacheresult *r,
					     const struct an_geometry *g,
					     int level)
{
	if (level == g->first_data && r->partition_sums.n > 1)
		return "in parts";
	if (level == g->first_data && an_hierarchy_max_partitions(g, 2) < 2)
		return "whole: it shares accesses of instructions, or has one "
		       "set, an odd number of sets or more than 64 ways";
	if (level == g->first_data)
		return "whole: not asked for parts";
	if (level == g->first_instruction)
		return "whole: ahead of the others";
	return "whole: takes what the first levels miss, in order";
}

void an_cacheresult_report_partitioning(const struct an_cacheresult *r,
					const struct an_geometry *g,
					struct an_sink *sink)
{
	sink->begin(sink, "levels");
	for (int i = 0; i < g->n_levels; i++)
		sink->string(sink, g->level[i].name,
			     describe_level_partitions(r, g, i));
	sink->end(sink);
	if (r->partition_sums.n > 1)
		an_partition_sums_report(&r->partition_sums, sink);
}

/* ---- functions and lines ---- */

/* The names that begin a row. */
enum { FUNCTION_NAME, FUNCTION_FILE, FUNCTION_OBJECT };
enum {
	LINE_FILE,
	LINE_NUMBER,
	LINE_OBJECT,
	LINE_PATH,
	LINE_FUNCTION,
	NAMES, /* number of columns of names; those of functions leave two
		  empty */
};

/* Return a copy of @s without default template arguments. If it is longer than
   @max_bytes bytes, it is cut and ends in "...". The caller frees it; NULL if
   memory is short. */
static char *copy_name_drop_defaults_and_cut(const char *s, size_t max_bytes)
{
	char *copy = strdup(s);

	if (copy == NULL)
		return NULL;
	al_template_drop_defaults(copy);
	if (strlen(copy) > max_bytes)
		strcpy(copy + max_bytes - 3, "...");
	return copy;
}

/* Return "function  [object]" of at most @max_bytes bytes. The object is left
   out if it needs more than half of @max_bytes. The caller frees the string;
   NULL if memory is short. */
static char *format_function_label(const union al_cell *row, size_t max_bytes)
{
	const char *object = row[FUNCTION_OBJECT].text;
	size_t suffix_size = strlen(object) + strlen("  []");
	bool has_object = suffix_size <= max_bytes / 2;
	char *name, *function;

	function = copy_name_drop_defaults_and_cut(
		row[FUNCTION_NAME].text,
		has_object ? max_bytes - suffix_size : max_bytes);
	name = function ? malloc(strlen(function) + suffix_size + 1) : NULL;
	if (name != NULL && has_object)
		snprintf(name, strlen(function) + suffix_size + 1, "%s  [%s]",
			 function, object);
	else if (name != NULL)
		strcpy(name, function);
	free(function);
	return name;
}

/* Return "file:line", or "no line known  [object]" if the line is 0. A name
   longer than @max_bytes bytes is cut at its beginning. The caller frees the
   string; NULL if memory is short. */
static char *format_source_line_label(const union al_cell *row,
				      size_t max_bytes)
{
	const char *file = row[LINE_FILE].text;
	const char *object = row[LINE_OBJECT].text;
	size_t n = strlen(file) + strlen(object) + NUMBER + 20;
	char *name = malloc(n);
	size_t len;

	if (name == NULL)
		return NULL;
	if (row[LINE_NUMBER].number != 0)
		len = (size_t)snprintf(
			name, n, "%s:%llu", file,
			(unsigned long long)row[LINE_NUMBER].number);
	else
		len = (size_t)snprintf(name, n, "no line known  [%s]", object);
	if (len > max_bytes) {
		memmove(name, name + len - max_bytes, max_bytes + 1);
		memcpy(name, "...", 3);
	}
	return name;
}

static const struct al_column function_name[] = {
	[FUNCTION_NAME] = {.key = "name", .title = "function"},
	[FUNCTION_FILE] = {.key = "file", .title = "file"},
	[FUNCTION_OBJECT] = {.key = "object", .title = "object"},
	[NAMES] = {.title = "function",
		   .kind = AL_COLUMN_LABEL,
		   .label = format_function_label},
};

static const struct al_column line_name[] = {
	[LINE_FILE] = {.key = "file", .title = "file"},
	[LINE_NUMBER] = {.key = "line",
			 .title = "line",
			 .kind = AL_COLUMN_NUMBER,
			 .style = AL_STYLE_PLAIN},
	[LINE_OBJECT] = {.key = "object", .title = "object"},
	[LINE_PATH] = {.key = "path", .title = "path"},
	[LINE_FUNCTION] = {.key = "function", .title = "function"},
	[NAMES] = {.title = "source line",
		   .kind = AL_COLUMN_LABEL,
		   .label = format_source_line_label},
};

enum {
	MISSES = NAMES + AN_N_EVENTS,	/* first column of misses at a level */
	RANKS = MISSES + AN_MAX_LEVELS, /* first column of ranks at a level */
	STORED = RANKS + AN_MAX_LEVELS,
	SHARES = STORED, /* first column of shares of a level's misses */
	LABEL = SHARES + AN_MAX_LEVELS,
	COLUMNS,
	OWN_PERCENT = 1, /* least share of a level's misses with which the
			    user's own code comes before that of the system */
};

/* Return "D1.misses". */
static const char *make_misses_column_id(struct al_model *m,
					 const char *level_name)
{
	char id[AN_LEVEL_NAME + 8];

	snprintf(id, sizeof(id), "%s.misses", level_name);
	return al_model_copy_string(m, id);
}

/*
 * Return columns of a table of places: NAMES names, the events, the misses at
 * each level, the ranks by which people see them, each level's share, the
 * label. NULL if memory is short.
 */
static struct al_column *create_miss_table_columns(
	struct al_model *m, const struct al_column *name_columns,
	const struct an_cacheresult *r, const struct an_geometry *g)
{
	struct al_column *column = al_model_alloc(m, COLUMNS * sizeof(*column));

	if (column == NULL)
		return NULL;
	memcpy(column, name_columns, NAMES * sizeof(*column));
	for (int i = 0; i < AN_N_EVENTS; i++)
		column[NAMES + i] =
			(struct al_column){.key = an_event_name[i],
					   .title = an_event_name[i],
					   .kind = AL_COLUMN_NUMBER};
	for (unsigned i = 0; i < AN_MAX_LEVELS; i++) {
		column[MISSES + i] = (struct al_column){
			.id = make_misses_column_id(m, g->level[i].name),
			.title = "misses",
			.kind = AL_COLUMN_NUMBER};
		column[RANKS + i] =
			(struct al_column){.kind = AL_COLUMN_NUMBER};
		column[SHARES + i] =
			(struct al_column){.title = "share",
					   .kind = AL_COLUMN_RATIO,
					   .numerator = MISSES + i,
					   .has_total = true,
					   .total = r->total.misses[i],
					   .factor = 100,
					   .decimals = 2,
					   .suffix = "%"};
	}
	column[LABEL] = name_columns[NAMES];
	return column;
}

/* Return the number by which people see rows sorted: the misses, more for code
   of the user's own. */
static uint64_t miss_sort_key_user_code_first(uint64_t misses,
					      uint64_t total_misses,
					      bool is_system)
{
	bool comes_first = !is_system && misses > 0 &&
			   misses >= total_misses / 100 * OWN_PERCENT;

	return misses + (comes_first ? UINT64_C(1) << 63 : 0);
}

static void add_cost_row_to_table(struct al_model *m, struct al_table *t,
				  const union al_cell *name_cells,
				  const struct an_cost_row *row,
				  const struct an_cost *total)
{
	const struct an_cost *cost = &row->cost;
	union al_cell cell[STORED];

	memcpy(cell, name_cells, NAMES * sizeof(*cell));
	for (unsigned i = 0; i < AN_N_EVENTS; i++)
		cell[NAMES + i].number = cost->event[i];
	for (unsigned i = 0; i < AN_MAX_LEVELS; i++) {
		cell[MISSES + i].number = cost->misses[i];
		cell[RANKS + i].number = miss_sort_key_user_code_first(
			cost->misses[i], total->misses[i],
			row->symbol.is_system);
	}
	al_table_add_row(m, t, cell);
}

/* Add a row for each of @costs. @function_of_line: function of each line, by
   the row's number in @costs; NULL: the rows are functions. */
static void add_rows_sorted_by_instructions(struct al_model *m,
					    struct al_table *t,
					    const struct an_cost_table *costs,
					    const char *const *function_of_line,
					    const struct an_cost *total)
{
	const struct an_cost_row **row = an_cost_table_sorted_rows(
		costs, an_cost_row_compare_instrs_desc);

	if (row == NULL && costs->n > 0)
		m->error = -ENOMEM;
	for (uint32_t i = 0; row != NULL && i < costs->n; i++) {
		const struct an_symbol *who = &row[i]->symbol;
		const union al_cell function[NAMES] = {
			[FUNCTION_NAME].text = who->function,
			[FUNCTION_FILE].text = who->file,
			[FUNCTION_OBJECT].text = who->object,
			[LINE_PATH].text = "",
			[LINE_FUNCTION].text = ""};
		const char *caller =
			function_of_line ? function_of_line[row[i] - costs->row]
					 : NULL;
		const union al_cell line[NAMES] = {
			[LINE_FILE].text = who->file,
			[LINE_NUMBER].number = who->line,
			[LINE_OBJECT].text = who->object,
			[LINE_PATH].text = who->path ?: "???",
			[LINE_FUNCTION].text = caller ?: "???"};

		add_cost_row_to_table(m, t, function_of_line ? line : function,
				      row[i], total);
	}
	free(row);
}

/* Show the places with most misses at a level. */
static void add_view_of_misses(struct al_model *m, const struct al_table *t,
			       const struct al_view *view_template,
			       unsigned level)
{
	unsigned *column = al_model_alloc(m, 3 * sizeof(*column));
	struct al_view v = *view_template;

	if (column == NULL)
		return;
	column[0] = MISSES + level;
	column[1] = SHARES + level;
	column[2] = LABEL;
	v.is_detail = true;
	v.table = t;
	v.column = column;
	v.n_columns = 3;
	v.sort = (int)(RANKS + level);
	al_model_add_view(m, &v);
}

static const char *format_misses_view_title(struct al_model *m,
					    const char *level_name)
{
	char title[AN_LEVEL_NAME + 16];

	snprintf(title, sizeof(title), "Where %s misses", level_name);
	return al_model_copy_string(m, title);
}

/* Return a table with one row for each function: @rows has one for each
   function and each source file inlined into it. */
static struct an_cost_table
merge_rows_by_function(const struct an_cost_table *rows, struct al_model *m)
{
	struct an_cost_table whole = {0};

	for (uint32_t i = 0; i < rows->n; i++) {
		struct an_symbol who = rows->row[i].symbol;

		int err;

		who.file = "";
		err = an_cost_table_add(&whole, &who, &rows->row[i].cost);
		if (err)
			m->error = err;
	}
	return whole;
}

static void add_cost_table_to_model(
	struct al_model *m, const char *key, const char *title,
	const struct al_column *name_columns, const struct an_cost_table *costs,
	const char *const *function_of_line, const struct an_cacheresult *r,
	const struct an_geometry *g, struct al_table **table_out)
{
	struct al_column *column =
		create_miss_table_columns(m, name_columns, r, g);

	*table_out = column ? al_model_add_table(m, key, title, column, COLUMNS)
			    : NULL;
	add_rows_sorted_by_instructions(m, *table_out, costs, function_of_line,
					&r->total);
}

static void add_source_line_table_to_model(struct al_model *m,
					   const struct an_cacheresult *r,
					   const struct an_geometry *g,
					   struct al_table **table_out)
{
	const char **function = an_cacheresult_list_line_functions(r);

	if (function == NULL && r->lines.n > 0)
		m->error = -ENOMEM;
	add_cost_table_to_model(m, "lines", "Lines", line_name, &r->lines,
				function, r, g, table_out);
	free(function);
}

/* ---- levels in the order of their cost ---- */

/* A level and how much its misses matter. */
struct rated_level {
	unsigned level;
	bool is_extra; /* matters too little to be shown unasked */
	double cost;
};

/* Return the weight of a miss at a level: one that goes to memory costs most.
   These are no latencies; they order the report alone. */
static double miss_weight(const struct an_level *level)
{
	return level->next == AN_MEMORY ? 100 : 10;
}

static int compare_level_cost_descending(const void *x, const void *y)
{
	const struct rated_level *a = x, *b = y;

	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return (a->level > b->level) - (a->level < b->level);
}

/* Rate the levels that miss, the most costly first. Return: their number;
   @n_important is set to the number of those that are not extra. */
static unsigned rate_and_sort_levels_with_misses(
	const struct an_cacheresult *r, const struct an_geometry *g,
	struct rated_level rated[AN_MAX_LEVELS], unsigned *n_important)
{
	uint64_t all = 0, per_10000 = r->total.event[AN_IR] / 10000;
	unsigned n = 0;

	*n_important = 0;
	for (int i = 0; i < g->n_levels; i++)
		all += r->total.misses[i];
	for (int i = 0; i < g->n_levels; i++) {
		uint64_t misses = r->total.misses[i];
		bool matters = misses > per_10000 || misses >= all / 10;

		if (misses == 0)
			continue;
		rated[n++] = (struct rated_level){
			(unsigned)i, !matters,
			(double)misses * miss_weight(&g->level[i])};
		*n_important += matters;
	}
	qsort(rated, n, sizeof(*rated), compare_level_cost_descending);
	return n;
}

/* Return the rows of a table, so that the report fits on a page. */
static size_t choose_rows_per_view(unsigned n_shown_levels)
{
	return n_shown_levels < 2    ? 10
	       : n_shown_levels == 2 ? 6
	       : n_shown_levels == 3 ? 3
				     : 2;
}

static void add_miss_views_by_level_cost(struct al_model *m,
					 const struct an_cacheresult *r,
					 const struct an_geometry *g,
					 const struct al_table *functions,
					 const struct al_table *lines)
{
	struct rated_level rated[AN_MAX_LEVELS];
	unsigned n_shown,
		n = rate_and_sort_levels_with_misses(r, g, rated, &n_shown);

	for (unsigned i = 0; i < n; i++) {
		unsigned level = rated[i].level;
		struct al_view v = {.title = format_misses_view_title(
					    m, g->level[level].name),
				    .is_extra = rated[i].is_extra,
				    .top = choose_rows_per_view(n_shown)};

		add_view_of_misses(m, functions, &v, level);
		v.title = NULL;
		add_view_of_misses(m, lines, &v, level);
	}
}

void an_cacheresult_add_to_model(const struct an_cacheresult *r,
				 const struct an_geometry *g,
				 struct al_model *m)
{
	struct an_cost_table whole = merge_rows_by_function(&r->functions, m);
	struct al_table *functions, *parts, *lines;

	an_cacheresult_add_levels(m, r, g);
	al_model_begin_object(m, "totals");
	for (int i = 0; i < AN_N_EVENTS; i++)
		al_model_add_number(m, an_event_name[i], NULL, NULL,
				    r->total.event[i]);
	al_model_end(m);
	add_cost_table_to_model(m, "functions", "Functions by file",
				function_name, &r->functions, NULL, r, g,
				&parts);
	add_source_line_table_to_model(m, r, g, &lines);
	add_cost_table_to_model(m, NULL, "whole functions", function_name,
				&whole, NULL, r, g, &functions);
	add_miss_views_by_level_cost(m, r, g, functions, lines);
	an_cost_table_release(&whole);
}
