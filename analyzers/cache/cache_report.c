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
#include "analyzers/place_columns.h"

static void put_events(const struct an_cost *cost, struct an_sink *sink)
{
	for (int i = 0; i < AN_N_EVENTS; i++)
		sink->number(sink, an_event_name[i], cost->event[i]);
}

void an_cacheresult_report_totals(const struct an_cacheresult *r,
				  struct an_sink *sink)
{
	put_events(&r->total, sink);
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

void an_cacheresult_report_levels(const struct an_cacheresult *r,
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

enum {
	MISSES = AN_NAMES + AN_N_EVENTS, /* first column of misses at a level */
	RANKS = MISSES + AN_MAX_LEVELS,	 /* first column of ranks at a level */
	STORED = RANKS + AN_MAX_LEVELS,
	SHARES = STORED, /* first column of shares of a level's misses */
	LABEL = SHARES + AN_MAX_LEVELS,
	COLUMNS,
	OWN_PERCENT = 1, /* least share of a level's misses with which the
			    user's own code comes before that of the system */
};

/* Return "D1.misses". */
static const char *make_misses_column_id(struct al_model *m, const char *level)
{
	char id[AN_LEVEL_NAME + 8];

	snprintf(id, sizeof(id), "%s.misses", level);
	return al_model_copy_string(m, id);
}

/*
 * Return columns of a table of places: AN_NAMES names, the events, the misses at
 * each level, the ranks by which people see them, each level's share, the
 * label. NULL if memory is short.
 */
static struct al_column *make_columns(struct al_model *m,
				      const struct al_column *name,
				      const struct an_cacheresult *r,
				      const struct an_geometry *g)
{
	struct al_column *column = al_model_alloc(m, COLUMNS * sizeof(*column));

	if (column == NULL)
		return NULL;
	memcpy(column, name, AN_NAMES * sizeof(*column));
	for (int i = 0; i < AN_N_EVENTS; i++)
		column[AN_NAMES + i] =
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
	column[LABEL] = name[AN_NAMES];
	return column;
}

/* Return the number by which people see rows sorted: the misses, more for code
   of the user's own. */
static uint64_t sort_key_of_misses(uint64_t misses, uint64_t all,
				   bool is_system)
{
	bool comes_first =
		!is_system && misses > 0 && misses >= all / 100 * OWN_PERCENT;

	return misses + (comes_first ? UINT64_C(1) << 63 : 0);
}

static void add_row(struct al_model *m, struct al_table *t,
		    const union al_cell *name, const struct an_cost_row *row,
		    const struct an_cost *total)
{
	const struct an_cost *cost = &row->cost;
	union al_cell cell[STORED];

	memcpy(cell, name, AN_NAMES * sizeof(*cell));
	for (unsigned i = 0; i < AN_N_EVENTS; i++)
		cell[AN_NAMES + i].number = cost->event[i];
	for (unsigned i = 0; i < AN_MAX_LEVELS; i++) {
		cell[MISSES + i].number = cost->misses[i];
		cell[RANKS + i].number =
			sort_key_of_misses(cost->misses[i], total->misses[i],
					   row->symbol.is_system);
	}
	al_table_add_row(m, t, cell);
}

/* Add a row for each of @costs. @function_of: function of each line, by the row's
   number in @costs; NULL: the rows are functions. */
static void add_sorted_rows(struct al_model *m, struct al_table *t,
			    const struct an_cost_table *costs,
			    const char *const *function_of,
			    const struct an_cost *total)
{
	const struct an_cost_row **row =
		an_cost_table_sorted_rows(costs, an_cost_row_compare);

	if (row == NULL && costs->n > 0)
		m->error = -ENOMEM;
	for (uint32_t i = 0; row != NULL && i < costs->n; i++) {
		const struct an_symbol *who = &row[i]->symbol;
		const union al_cell function[AN_NAMES] = {
			[AN_FUNCTION_NAME].text = who->function,
			[AN_FUNCTION_FILE].text = who->file,
			[AN_FUNCTION_OBJECT].text = who->object,
			[AN_LINE_PATH].text = "",
			[AN_LINE_FUNCTION].text = ""};
		const char *caller =
			function_of ? function_of[row[i] - costs->row] : NULL;
		const union al_cell line[AN_NAMES] = {
			[AN_LINE_FILE].text = who->file,
			[AN_LINE_NUMBER].number = who->line,
			[AN_LINE_OBJECT].text = who->object,
			[AN_LINE_PATH].text = who->path ?: "???",
			[AN_LINE_FUNCTION].text = caller ?: "???"};

		add_row(m, t, function_of ? line : function, row[i], total);
	}
	free(row);
}

/* Show the places with most misses at a level. */
static void add_view_of_misses(struct al_model *m, const struct al_table *t,
			       const struct al_view *base, unsigned level)
{
	unsigned *column = al_model_alloc(m, 3 * sizeof(*column));
	struct al_view v = *base;

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

static const char *describe_misses(struct al_model *m, const char *level)
{
	char title[AN_LEVEL_NAME + 16];

	snprintf(title, sizeof(title), "Where %s misses", level);
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

static void add_table(struct al_model *m, const char *key, const char *title,
		      const struct al_column *name,
		      const struct an_cost_table *costs,
		      const char *const *function_of,
		      const struct an_cacheresult *r,
		      const struct an_geometry *g, struct al_table **table)
{
	struct al_column *column = make_columns(m, name, r, g);

	*table = column ? al_model_add_table(m, key, title, column, COLUMNS)
			: NULL;
	add_sorted_rows(m, *table, costs, function_of, &r->total);
}

static void add_table_of_lines(struct al_model *m,
			       const struct an_cacheresult *r,
			       const struct an_geometry *g,
			       struct al_table **table)
{
	const char **function = an_cacheresult_line_functions(r);

	if (function == NULL && r->lines.n > 0)
		m->error = -ENOMEM;
	add_table(m, "lines", "Lines", an_line_columns, &r->lines, function, r,
		  g, table);
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

static int compare_cost(const void *x, const void *y)
{
	const struct rated_level *a = x, *b = y;

	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return (a->level > b->level) - (a->level < b->level);
}

/* Rate the levels that miss, the most costly first. Return: their number;
   @n_shown is set to the number of those that are not extra. */
static unsigned sort_levels_by_miss_cost(
	const struct an_cacheresult *r, const struct an_geometry *g,
	struct rated_level rated[AN_MAX_LEVELS], unsigned *n_shown)
{
	uint64_t all = 0, per_10000 = r->total.event[AN_IR] / 10000;
	unsigned n = 0;

	*n_shown = 0;
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
		*n_shown += matters;
	}
	qsort(rated, n, sizeof(*rated), compare_cost);
	return n;
}

/* Return the rows of a table, so that the report fits on a page. */
static size_t rows_per_view(unsigned n_shown)
{
	return n_shown < 2 ? 10 : n_shown == 2 ? 6 : n_shown == 3 ? 3 : 2;
}

static void add_views_of_all_levels(struct al_model *m,
				    const struct an_cacheresult *r,
				    const struct an_geometry *g,
				    const struct al_table *functions,
				    const struct al_table *lines)
{
	struct rated_level rated[AN_MAX_LEVELS];
	unsigned n_shown, n = sort_levels_by_miss_cost(r, g, rated, &n_shown);

	for (unsigned i = 0; i < n; i++) {
		unsigned level = rated[i].level;
		struct al_view v = {
			.title = describe_misses(m, g->level[level].name),
			.is_extra = rated[i].is_extra,
			.top = rows_per_view(n_shown)};

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
	add_table(m, "functions", "Functions by file", an_function_columns,
		  &r->functions, NULL, r, g, &parts);
	add_table_of_lines(m, r, g, &lines);
	add_table(m, NULL, "whole functions", an_function_columns, &whole, NULL,
		  r, g, &functions);
	add_views_of_all_levels(m, r, g, functions, lines);
	an_cost_table_release(&whole);
}
