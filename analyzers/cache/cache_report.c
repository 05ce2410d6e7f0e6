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
#include "analyzers/cache/own_lines.h"
#include "analyzers/place_columns.h"

static void report_event_counts_by_name(const struct an_cost *cost,
					struct an_sink *sink)
{
	for (int i = 0; i < AN_N_EVENTS; i++)
		sink->number(sink, an_event_name[i], cost->event[i]);
}

void an_cacheresult_report_event_totals(const struct an_cacheresult *r,
					struct an_sink *sink)
{
	report_event_counts_by_name(&r->total, sink);
}

static const char *
describe_level_split_or_why_whole(const struct an_cacheresult *r,
				  const struct an_geometry *g, int level)
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

void an_cacheresult_report_partitions(const struct an_cacheresult *r,
				      const struct an_geometry *g,
				      struct an_sink *sink)
{
	sink->begin(sink, "levels");
	for (int i = 0; i < g->n_levels; i++)
		sink->string(sink, g->level[i].name,
			     describe_level_split_or_why_whole(r, g, i));
	sink->end(sink);
	if (r->partition_sums.n > 1)
		an_partition_load_report(&r->partition_sums, sink);
}

/* ---- functions and lines ---- */

enum {
	MISSES = AN_NAMES + AN_N_EVENTS, /* first of AN_MAX_LEVELS columns:
					    misses at each level */
	RANKS = MISSES + AN_MAX_LEVELS,	 /* first of AN_MAX_LEVELS columns: sort
					   keys of the views of each level */
	NOTES = RANKS + AN_MAX_LEVELS,	 /* first of AN_MAX_LEVELS columns: note
					  of the label, at each level */
	STORED = NOTES + AN_MAX_LEVELS,
	SHARES = STORED, /* first of AN_MAX_LEVELS columns: percentage of all
			    misses at each level */
	LABELS = SHARES + AN_MAX_LEVELS, /* first of AN_MAX_LEVELS columns */
	COLUMNS = LABELS + AN_MAX_LEVELS,
	OWN_PERCENT = 1, /* [%] of a level's misses that a row of the user's own
			    code must have at least to be sorted before all rows
			    of system code */
};

/* Return the id of a column of a level, such as "D1.misses". It lives as long
   as the model. */
static const char *make_level_column_id(struct al_model *m,
					const char *level_name,
					const char *column_name)
{
	char id[AN_LEVEL_NAME + 8];

	snprintf(id, sizeof(id), "%s.%s", level_name, column_name);
	return al_model_copy_string_empty_if_no_memory(m, id);
}

/*
 * Return the columns of a table of functions or lines: AN_NAMES names, the
 * events; and for each level the misses, the sort key of the views, the note,
 * the percentage of the misses and the label. NULL if memory is short.
 */
static struct al_column *create_name_event_miss_columns(
	struct al_model *m, const struct al_column *name_columns,
	const struct an_cacheresult *r, const struct an_geometry *g)
{
	struct al_column *column =
		al_model_alloc_uninitialised(m, COLUMNS * sizeof(*column));

	if (column == NULL)
		return NULL;
	memcpy(column, name_columns, AN_NAMES * sizeof(*column));
	for (int i = 0; i < AN_N_EVENTS; i++)
		column[AN_NAMES + i] =
			(struct al_column){.key = an_event_name[i],
					   .title = an_event_name[i],
					   .kind = AL_COLUMN_NUMBER};
	for (unsigned i = 0; i < AN_MAX_LEVELS; i++) {
		column[MISSES + i] = (struct al_column){
			.id = make_level_column_id(m, g->level[i].name,
						   "misses"),
			.title = "misses",
			.kind = AL_COLUMN_NUMBER};
		column[RANKS + i] =
			(struct al_column){.kind = AL_COLUMN_NUMBER};
		column[NOTES + i] = (struct al_column){
			.id = make_level_column_id(m, g->level[i].name,
						   "note")};
		column[SHARES + i] =
			(struct al_column){.title = "share",
					   .kind = AL_COLUMN_RATIO,
					   .numerator = MISSES + i,
					   .has_total = true,
					   .total = r->total.misses[i],
					   .factor = 100,
					   .decimals = 2,
					   .suffix = "%"};
		column[LABELS + i] = name_columns[AN_NAMES];
		column[LABELS + i].note = NOTES + i;
	}
	return column;
}

/* Return the number by which a view sorts a row, greatest first: its misses,
   plus 2^63 if it is the user's own code and has at least OWN_PERCENT of
   @total_misses_for_percent. */
static uint64_t user_code_first_sort_key(uint64_t misses,
					 uint64_t total_misses_for_percent,
					 bool is_system)
{
	bool comes_first =
		!is_system && misses > 0 &&
		misses >= total_misses_for_percent / 100 * OWN_PERCENT;

	return misses + (comes_first ? UINT64_C(1) << 63 : 0);
}

/* Add a row. @notes: [AN_MAX_LEVELS]; NULL: there are none. */
static void add_row_of_costs_and_sort_keys(
	struct al_model *m, struct al_table *t, const union al_cell *name_cells,
	const char *const *notes, const struct an_cost_row *row,
	const struct an_cost *total_for_sort_keys)
{
	const struct an_cost *cost = &row->cost;
	union al_cell cell[STORED];

	memcpy(cell, name_cells, AN_NAMES * sizeof(*cell));
	for (unsigned i = 0; i < AN_N_EVENTS; i++)
		cell[AN_NAMES + i].number = cost->event[i];
	for (unsigned i = 0; i < AN_MAX_LEVELS; i++) {
		cell[MISSES + i].number = cost->misses[i];
		cell[RANKS + i].number = user_code_first_sort_key(
			cost->misses[i], total_for_sort_keys->misses[i],
			row->symbol.is_system);
		cell[NOTES + i].text = notes ? notes[i] : "";
	}
	al_table_add_row(m, t, cell);
}

/* Names in the rows of a table of lines, beside those of the lines' symbols. A
   NULL pointer to this struct means that the rows are functions. */
struct line_names {
	const char *const *function; /* [rows] name of each line's function;
					NULL: no names are known */
	/* [rows] notes of each line, see an_own_lines; NULL: no line has one */
	const char *(*note)[AN_MAX_LEVELS];
};

/* Set the name cells of a row, of a line if @names is not NULL, else of a
   function. @row_index: index of the row in its cost table. */
static void set_name_cells_of_function_or_line(union al_cell cell[AN_NAMES],
					       const struct an_symbol *symbol,
					       const struct line_names *names,
					       size_t row_index)
{
	const char *function =
		names && names->function ? names->function[row_index] : NULL;
	const union al_cell of_function[AN_NAMES] = {
		[AN_FUNCTION_NAME].text = symbol->function,
		[AN_FUNCTION_FILE].text = symbol->file,
		[AN_FUNCTION_OBJECT].text = symbol->object,
		[AN_LINE_PATH].text = "",
		[AN_LINE_FUNCTION].text = ""};
	const union al_cell of_line[AN_NAMES] = {
		[AN_LINE_FILE].text = symbol->file,
		[AN_LINE_NUMBER].number = symbol->line,
		[AN_LINE_OBJECT].text = symbol->object,
		[AN_LINE_PATH].text = symbol->path ?: "???",
		[AN_LINE_FUNCTION].text = function ?: "???"};

	memcpy(cell, names ? of_line : of_function, sizeof(of_line));
}

static void
add_rows_sorted_by_instructions(struct al_model *m, struct al_table *t,
				const struct an_cost_table *costs,
				const struct line_names *names,
				const struct an_cost *total_for_sort_keys)
{
	const struct an_cost_row **row = an_cost_table_alloc_sorted_rows(
		costs, an_cost_row_compare_instrs_desc);
	union al_cell cell[AN_NAMES];

	if (row == NULL && costs->n > 0)
		m->error = -ENOMEM;
	for (uint32_t i = 0; row != NULL && i < costs->n; i++) {
		size_t row_index = (size_t)(row[i] - costs->row);

		set_name_cells_of_function_or_line(cell, &row[i]->symbol, names,
						   row_index);
		add_row_of_costs_and_sort_keys(
			m, t, cell,
			names && names->note ? names->note[row_index] : NULL,
			row[i], total_for_sort_keys);
	}
	free(row);
}

/* Add a view of table @t, sorted by the sort keys of level @level (RANKS):
   first the rows of the user's own code that have at least OWN_PERCENT of the
   level's misses, then all others; each of both by the misses, most first.
   @view_template has the title and the number of rows. */
static void add_view_sorted_by_level_misses(struct al_model *m,
					    const struct al_table *t,
					    const struct al_view *view_template,
					    unsigned level)
{
	unsigned *column = al_model_alloc_uninitialised(m, 3 * sizeof(*column));
	struct al_view v = *view_template;

	if (column == NULL)
		return;
	column[0] = MISSES + level;
	column[1] = SHARES + level;
	column[2] = LABELS + level;
	v.is_detail = true;
	v.table = t;
	v.column = column;
	v.n_columns = 3;
	v.sort = (int)(RANKS + level);
	al_model_add_view_copy(m, &v);
}

/* Return "Where D1 misses", or "Where L2 and LL miss". @names: [@level_count]
   levels. */
static const char *format_misses_view_title(struct al_model *m,
					    const char *const *names,
					    unsigned level_count)
{
	char title[AN_MAX_LEVELS * (AN_LEVEL_NAME + 5) + 16] = "Where ";

	for (unsigned i = 0; i < level_count; i++) {
		size_t used = strlen(title);

		snprintf(title + used, sizeof(title) - used, "%s%s",
			 i == 0		       ? ""
			 : i + 1 < level_count ? ", "
					       : " and ",
			 names[i]);
	}
	strcat(title, level_count > 1 ? " miss" : " misses");
	return al_model_copy_string_empty_if_no_memory(m, title);
}

/* Return a table with one row for each function: @rows has one for each
   function and each source file inlined into it. */
static struct an_cost_table
sum_costs_by_function_over_files(const struct an_cost_table *rows,
				 struct al_model *m)
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

static void add_table_sorted_by_instructions(
	struct al_model *m, const char *key, const char *title,
	const struct al_column *name_columns, const struct an_cost_table *costs,
	const struct line_names *names, const struct an_cacheresult *r,
	const struct an_geometry *g, struct al_table **table_out)
{
	struct al_column *column =
		create_name_event_miss_columns(m, name_columns, r, g);

	*table_out = column ? al_model_add_table(m, key, title, column, COLUMNS)
			    : NULL;
	add_rows_sorted_by_instructions(m, *table_out, costs, names, &r->total);
}

/* Add the table "lines": each source line as the debug information has it, also
   lines of code that was inlined. */
static void add_source_line_table_to_model(struct al_model *m,
					   const struct an_cacheresult *r,
					   const struct an_geometry *g)
{
	const char **function = an_cacheresult_alloc_line_functions(r);
	const struct line_names names = {function, NULL};
	struct al_table *table;

	if (function == NULL && r->lines.n > 0)
		m->error = -ENOMEM;
	add_table_sorted_by_instructions(m, "lines", "Lines", an_line_columns,
					 &r->lines, &names, r, g, &table);
	free(function);
}

/* Add the table "own lines", and set @table_out to it, NULL on failure: code of
   a system header is charged to the line of the user's own code that it was
   inlined into. */
static void add_user_lines_table_with_system_inlines(
	struct al_model *m, const struct an_cacheresult *r,
	const struct an_geometry *g, struct al_table **table_out)
{
	struct an_own_lines own;
	int err = an_own_lines_charge_system_code(&own, r, m);
	const struct line_names names = {own.function, own.note};

	*table_out = NULL;
	if (err)
		m->error = err;
	else
		add_table_sorted_by_instructions(m, NULL, "own lines",
						 an_line_columns, &own.lines,
						 &names, r, g, table_out);
	an_own_lines_release(&own);
}

/* ---- levels ---- */

/* Return the number of rows of each view: fewer if more groups of levels are
   shown, so that the report fits on a page. */
static size_t choose_rows_per_view(unsigned n_shown_levels)
{
	return n_shown_levels < 2    ? 10
	       : n_shown_levels == 2 ? 6
	       : n_shown_levels == 3 ? 3
				     : 2;
}

/* Return the title of the views of a group of levels. */
static const char *
make_misses_view_title_of_level_group(struct al_model *m,
				      const struct an_geometry *g,
				      const struct an_level_group *group)
{
	const char *name[AN_MAX_LEVELS];

	for (unsigned i = 0; i < group->n; i++)
		name[i] = g->level[group->level[i]].name;
	return format_misses_view_title(m, name, group->n);
}

/* Add views of functions and lines for each group of cache levels that miss
   equally often in each function and line. */
static void add_views_of_each_equal_miss_level_group(
	struct al_model *m, const struct an_cacheresult *r,
	const struct an_geometry *g, const struct al_table *functions,
	const struct al_table *lines)
{
	struct an_level_group group[AN_MAX_LEVELS];
	unsigned n_shown = 0,
		 n = an_cacheresult_group_equal_miss_levels(r, g, group);

	for (unsigned i = 0; i < n; i++)
		n_shown += !group[i].is_extra;
	for (unsigned i = 0; i < n; i++) {
		struct al_view v = {
			.title = make_misses_view_title_of_level_group(
				m, g, &group[i]),
			.is_extra = group[i].is_extra,
			.is_one_of_many = true,
			.top = choose_rows_per_view(n_shown)};

		add_view_sorted_by_level_misses(m, functions, &v,
						group[i].level[0]);
		v.title = NULL;
		add_view_sorted_by_level_misses(m, lines, &v,
						group[i].level[0]);
	}
}

void an_cacheresult_add_to_model(const struct an_cacheresult *r,
				 const struct an_geometry *g,
				 struct al_model *m)
{
	struct an_cost_table whole =
		sum_costs_by_function_over_files(&r->functions, m);
	struct al_table *functions, *parts, *own_lines;

	an_cacheresult_add_level_table_and_views(m, r, g);
	al_model_begin_object(m, "totals");
	for (int i = 0; i < AN_N_EVENTS; i++)
		al_model_add_number(m, an_event_name[i], NULL, NULL,
				    r->total.event[i]);
	al_model_end_object_or_list(m);
	add_table_sorted_by_instructions(m, "functions", "Functions by file",
					 an_function_columns, &r->functions,
					 NULL, r, g, &parts);
	add_source_line_table_to_model(m, r, g);
	an_cacheresult_add_inlined_line_table(m, r);
	add_user_lines_table_with_system_inlines(m, r, g, &own_lines);
	add_table_sorted_by_instructions(m, NULL, "whole functions",
					 an_function_columns, &whole, NULL, r,
					 g, &functions);
	add_views_of_each_equal_miss_level_group(m, r, g, functions, own_lines);
	an_cost_table_release(&whole);
}
