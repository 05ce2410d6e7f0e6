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
#include "base/text/printable.h"

enum {
	NUMBER = 24, /* [bytes] of a number's digits */
};

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

/* The names that begin a row. */
enum { FUNCTION_NAME, FUNCTION_FILE, FUNCTION_OBJECT };
enum {
	LINE_FILE,
	LINE_NUMBER,
	LINE_OBJECT,
	LINE_PATH,
	LINE_FUNCTION,
	LINE_NOTE,
	NAMES, /* number of columns of names; those of functions leave three
		  empty */
};

/* Return a copy of @s without default template arguments. If it is longer than
   @most bytes, it is cut and ends in "...". The caller frees it; NULL if memory
   is short. */
static char *copy_shortened_name(const char *s, size_t most)
{
	char *copy = strdup(s);

	if (copy == NULL)
		return NULL;
	al_template_drop_defaults(copy);
	if (strlen(copy) > most)
		strcpy(copy + most - 3, "...");
	return copy;
}

static bool is_unknown(const char *name)
{
	return strcmp(name, "???") == 0;
}

/* Return "libz.so.1 (no symbols)", of which the object is cut at its beginning
   if it does not fit in @most bytes. The caller frees the string; NULL if memory
   is short. */
static char *label_object(const char *object, const char *what, size_t most)
{
	size_t n = strlen(object) + strlen(what) + 1;
	char *name = malloc(n);

	if (name == NULL)
		return NULL;
	snprintf(name, n, "%s%s", object, what);
	if (n - 1 > most) {
		memmove(name, name + n - 1 - most, most + 1);
		memcpy(name, "...", 3);
	}
	return name;
}

/* Return "function  [object]" of at most @most bytes. The object is left out if
   it needs more than half of @most. Code without symbols is named by its object
   alone. The caller frees the string; NULL if memory is short. */
static char *label_function(const union al_cell *row, size_t most)
{
	const char *object = row[FUNCTION_OBJECT].text;
	size_t suffix_size = strlen(object) + strlen("  []");
	bool has_object = suffix_size <= most / 2;
	char *name, *function;

	if (is_unknown(row[FUNCTION_NAME].text) && !is_unknown(object))
		return label_object(object, " (no symbols)", most);
	function = copy_shortened_name(row[FUNCTION_NAME].text,
				       has_object ? most - suffix_size : most);
	name = function ? malloc(strlen(function) + suffix_size + 1) : NULL;
	if (name != NULL && has_object)
		snprintf(name, strlen(function) + suffix_size + 1, "%s  [%s]",
			 function, object);
	else if (name != NULL)
		strcpy(name, function);
	free(function);
	return name;
}

/* Return the name of an object whose code has no lines, or no names either. */
static char *label_lineless_code(const union al_cell *row, size_t most)
{
	bool is_nameless = is_unknown(row[LINE_FUNCTION].text);

	return label_object(
		row[LINE_OBJECT].text,
		is_nameless ? " (no symbols)" : " (no line numbers)", most);
}

/* Return the name of a line, "file:line", with its note in parentheses. The note
   is left out if there is not enough room; a name longer than @most bytes is cut
   at its beginning. The caller frees the string; NULL if memory is short. */
static char *label_line(const union al_cell *row, size_t most)
{
	const char *file = row[LINE_FILE].text, *note = row[LINE_NOTE].text;
	size_t n = strlen(file) + strlen(note) + NUMBER + 4, len;
	char *name;

	if (row[LINE_NUMBER].number == 0)
		return label_lineless_code(row, most);
	name = malloc(n);
	if (name == NULL)
		return NULL;
	len = (size_t)snprintf(name, n, "%s:%llu", file,
			       (unsigned long long)row[LINE_NUMBER].number);
	if (len > most) {
		memmove(name, name + len - most, most + 1);
		memcpy(name, "...", 3);
	} else if (*note && len + strlen(note) + 3 <= most) {
		snprintf(name + len, n - len, " (%s)", note);
	}
	return name;
}

static const struct al_column function_name[] = {
	[FUNCTION_NAME] = {.key = "name", .title = "function"},
	[FUNCTION_FILE] = {.key = "file", .title = "file"},
	[FUNCTION_OBJECT] = {.key = "object", .title = "object"},
	[NAMES] = {.title = "function",
		   .kind = AL_COLUMN_LABEL,
		   .label = label_function},
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
	[LINE_NOTE] = {.id = "note"},
	[NAMES] = {.title = "source line",
		   .kind = AL_COLUMN_LABEL,
		   .label = label_line},
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
static const char *make_misses_column_id(struct al_model *m, const char *level)
{
	char id[AN_LEVEL_NAME + 8];

	snprintf(id, sizeof(id), "%s.misses", level);
	return al_model_copy_string(m, id);
}

/*
 * Return columns of a table of places: NAMES names, the events, the misses at
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
	memcpy(column, name, NAMES * sizeof(*column));
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
	column[LABEL] = name[NAMES];
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

	memcpy(cell, name, NAMES * sizeof(*cell));
	for (unsigned i = 0; i < AN_N_EVENTS; i++)
		cell[NAMES + i].number = cost->event[i];
	for (unsigned i = 0; i < AN_MAX_LEVELS; i++) {
		cell[MISSES + i].number = cost->misses[i];
		cell[RANKS + i].number =
			sort_key_of_misses(cost->misses[i], total->misses[i],
					   row->symbol.is_system);
	}
	al_table_add_row(m, t, cell);
}

/* Names of lines beside those of their symbols; NULL: the rows are functions. */
struct line_names {
	const char *const *function; /* of each row; NULL: none is known */
	const char *const *note;     /* of each row; NULL: none has one */
};

/* Set the cells of names of a row. @i: number of the row in its cost table. */
static void set_names(union al_cell cell[NAMES], const struct an_symbol *who,
		      const struct line_names *names, size_t i)
{
	const char *function =
		names && names->function ? names->function[i] : NULL;
	const union al_cell of_function[NAMES] = {
		[FUNCTION_NAME].text = who->function,
		[FUNCTION_FILE].text = who->file,
		[FUNCTION_OBJECT].text = who->object,
		[LINE_PATH].text = "",
		[LINE_FUNCTION].text = "",
		[LINE_NOTE].text = ""};
	const union al_cell of_line[NAMES] = {
		[LINE_FILE].text = who->file,
		[LINE_NUMBER].number = who->line,
		[LINE_OBJECT].text = who->object,
		[LINE_PATH].text = who->path ?: "???",
		[LINE_FUNCTION].text = function ?: "???",
		[LINE_NOTE].text = names && names->note ? names->note[i] : ""};

	memcpy(cell, names ? of_line : of_function, sizeof(of_line));
}

static void add_sorted_rows(struct al_model *m, struct al_table *t,
			    const struct an_cost_table *costs,
			    const struct line_names *names,
			    const struct an_cost *total)
{
	const struct an_cost_row **row =
		an_cost_table_sorted_rows(costs, an_cost_row_compare);
	union al_cell cell[NAMES];

	if (row == NULL && costs->n > 0)
		m->error = -ENOMEM;
	for (uint32_t i = 0; row != NULL && i < costs->n; i++) {
		set_names(cell, &row[i]->symbol, names,
			  (size_t)(row[i] - costs->row));
		add_row(m, t, cell, row[i], total);
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

/* Return "Where D1 misses", or "Where L2 and LL miss". @names: [@n] levels. */
static const char *describe_misses(struct al_model *m, const char *const *names,
				   unsigned n)
{
	char title[AN_MAX_LEVELS * (AN_LEVEL_NAME + 5) + 16] = "Where ";

	for (unsigned i = 0; i < n; i++) {
		size_t used = strlen(title);

		snprintf(title + used, sizeof(title) - used, "%s%s",
			 i == 0	     ? ""
			 : i + 1 < n ? ", "
				     : " and ",
			 names[i]);
	}
	strcat(title, n > 1 ? " miss" : " misses");
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
		      const struct line_names *names,
		      const struct an_cacheresult *r,
		      const struct an_geometry *g, struct al_table **table)
{
	struct al_column *column = make_columns(m, name, r, g);

	*table = column ? al_model_add_table(m, key, title, column, COLUMNS)
			: NULL;
	add_sorted_rows(m, *table, costs, names, &r->total);
}

/* Add the lines as the debug information has them. */
static void add_table_of_lines(struct al_model *m,
			       const struct an_cacheresult *r,
			       const struct an_geometry *g)
{
	const char **function = an_cacheresult_line_functions(r);
	const struct line_names names = {function, NULL};
	struct al_table *table;

	if (function == NULL && r->lines.n > 0)
		m->error = -ENOMEM;
	add_table(m, "lines", "Lines", line_name, &r->lines, &names, r, g,
		  &table);
	free(function);
}

/* Add the lines as people see them. */
static void add_table_of_own_lines(struct al_model *m,
				   const struct an_cacheresult *r,
				   const struct an_geometry *g,
				   struct al_table **table)
{
	struct an_own_lines own;
	int err = an_own_lines_build(&own, r, m);
	const struct line_names names = {own.function, own.note};

	*table = NULL;
	if (err)
		m->error = err;
	else
		add_table(m, NULL, "own lines", line_name, &own.lines, &names,
			  r, g, table);
	an_own_lines_release(&own);
}

/* ---- levels ---- */

/* Return the rows of a table, so that the report fits on a page. */
static size_t rows_per_view(unsigned n_shown)
{
	return n_shown < 2 ? 10 : n_shown == 2 ? 6 : n_shown == 3 ? 3 : 2;
}

/* Return the title of the views of a group of levels. */
static const char *describe_group(struct al_model *m,
				  const struct an_geometry *g,
				  const struct an_level_group *group)
{
	const char *name[AN_MAX_LEVELS];

	for (unsigned i = 0; i < group->n; i++)
		name[i] = g->level[group->level[i]].name;
	return describe_misses(m, name, group->n);
}

/* Add views of functions and lines for each group of levels. */
static void add_views_of_all_levels(struct al_model *m,
				    const struct an_cacheresult *r,
				    const struct an_geometry *g,
				    const struct al_table *functions,
				    const struct al_table *lines)
{
	struct an_level_group group[AN_MAX_LEVELS];
	unsigned n_shown = 0, n = an_cacheresult_group_levels(r, g, group);

	for (unsigned i = 0; i < n; i++)
		n_shown += !group[i].is_extra;
	for (unsigned i = 0; i < n; i++) {
		struct al_view v = {.title = describe_group(m, g, &group[i]),
				    .is_extra = group[i].is_extra,
				    .top = rows_per_view(n_shown)};

		add_view_of_misses(m, functions, &v, group[i].level[0]);
		v.title = NULL;
		add_view_of_misses(m, lines, &v, group[i].level[0]);
	}
}

void an_cacheresult_add_to_model(const struct an_cacheresult *r,
				 const struct an_geometry *g,
				 struct al_model *m)
{
	struct an_cost_table whole = merge_rows_by_function(&r->functions, m);
	struct al_table *functions, *parts, *own_lines;

	an_cacheresult_add_levels(m, r, g);
	al_model_begin_object(m, "totals");
	for (int i = 0; i < AN_N_EVENTS; i++)
		al_model_add_number(m, an_event_name[i], NULL, NULL,
				    r->total.event[i]);
	al_model_end(m);
	add_table(m, "functions", "Functions by file", function_name,
		  &r->functions, NULL, r, g, &parts);
	add_table_of_lines(m, r, g);
	an_cacheresult_add_inlined(m, r);
	add_table_of_own_lines(m, r, g, &own_lines);
	add_table(m, NULL, "whole functions", function_name, &whole, NULL, r, g,
		  &functions);
	add_views_of_all_levels(m, r, g, functions, own_lines);
	an_cost_table_release(&whole);
}
