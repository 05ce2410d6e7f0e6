/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place_tables.c - adds tables of functions and lines to a model; see
   place_counts.h */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/place_columns.h"
#include "analyzers/place_counts.h"

struct row {
	struct an_symbol symbol;
	const uint64_t *count;
};

/* Order rows by their first count, the largest first; equal ones by object,
   file, line number and function. */
static int compare_rows_first_count_descending(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	int d = (a->count[0] < b->count[0]) - (a->count[0] > b->count[0]);

	if (d == 0)
		d = strcmp(a->symbol.object, b->symbol.object);
	if (d == 0)
		d = strcmp(a->symbol.file, b->symbol.file);
	if (d == 0)
		d = (a->symbol.line > b->symbol.line) -
		    (a->symbol.line < b->symbol.line);
	return d ? d : strcmp(a->symbol.function, b->symbol.function);
}

/* Return an array with a row for each line of @p, the largest first count
   first. The caller frees it. Return NULL, and set the model's error,
   if memory is short. */
static struct row *
alloc_rows_sorted_by_first_count(const struct an_place_counts *p,
				 struct al_model *model_for_error)
{
	struct row *row = malloc((p->lines.n + 1) * sizeof(*row));

	if (row == NULL) {
		model_for_error->error = -ENOMEM;
		return NULL;
	}
	for (uint32_t i = 0; i < p->lines.n; i++) {
		row[i].symbol = an_place_counts_symbol_at_index(p, i);
		row[i].count = p->count + (size_t)i * p->n_counts;
	}
	if (p->lines.n > 0)
		qsort(row, p->lines.n, sizeof(*row),
		      compare_rows_first_count_descending);
	return row;
}

static void clear_line_number(struct an_symbol *s)
{
	s->line = 0;
}

static void clear_line_number_and_file(struct an_symbol *s)
{
	s->line = 0;
	s->file = "";
}

static void clear_function_name(struct an_symbol *s)
{
	s->function = "";
}

/*
 * Return sums of the counts of @p: @simplify clears members of the symbol of
 * each line, and the counts of lines with equal results are added. The caller
 * releases the sums. The model's error is set if memory is short.
 * @most_counted_function_per_line_out: [p->lines.n] receives, for each line of
 *         the result, the function of its line of @p with the largest first
 *         count.
 */
static struct an_place_counts
sum_counts_by_simplified_symbol(const struct an_place_counts *p,
				struct al_model *m,
				void (*simplify)(struct an_symbol *),
				const char **most_counted_function_per_line_out)
{
	struct an_place_counts group = {.n_counts = p->n_counts};
	struct row *row = alloc_rows_sorted_by_first_count(p, m);

	for (uint32_t i = 0; row && i < p->lines.n && !m->error; i++) {
		struct an_symbol s = row[i].symbol;
		uint32_t n = group.lines.n;

		simplify(&s);
		m->error =
			an_place_counts_add_to_line(&group, &s, row[i].count);
		if (group.lines.n > n)
			most_counted_function_per_line_out[n] =
				row[i].symbol.function;
	}
	free(row);
	return group;
}

static const struct al_column *join_name_and_count_columns(
	struct al_model *m, const struct al_column *name_columns,
	const struct al_column *count_columns, unsigned n_count_columns)
{
	struct al_column *all = al_model_alloc_uninitialised(
		m, (AN_NAMES + n_count_columns + 1) * sizeof(*all));

	if (all == NULL)
		return NULL;
	memcpy(all, name_columns, AN_NAMES * sizeof(*all));
	memcpy(all + AN_NAMES, count_columns, n_count_columns * sizeof(*all));
	all[AN_NAMES + n_count_columns] = name_columns[AN_NAMES];
	return all;
}

/* Set the first AN_NAMES cells of a row of the table of lines if
   @is_line_table, else of a table of functions. */
static void set_name_cells(union al_cell cell[AN_NAMES],
			   const struct an_symbol *s, const char *function,
			   bool is_line_table)
{
	if (is_line_table) {
		cell[AN_LINE_FILE].text = s->file;
		cell[AN_LINE_NUMBER].number = s->line;
		cell[AN_LINE_OBJECT].text = s->object;
		cell[AN_LINE_PATH].text = s->path ?: "???";
		cell[AN_LINE_FUNCTION].text = function;
		return;
	}
	cell[AN_FUNCTION_NAME].text = function;
	cell[AN_FUNCTION_FILE].text = s->file;
	cell[AN_FUNCTION_OBJECT].text = s->object;
	cell[AN_LINE_PATH].text = cell[AN_LINE_FUNCTION].text = "";
}

/* Add a row to @t for each line of @p, the largest first count first.
   @main_function: [p->lines.n] the function that the row of a line names, by
   index in p->lines, not by row. */
static void add_row_of_each_line_sorted(struct al_model *m, struct al_table *t,
					const struct an_place_counts *p,
					const char *const *main_function,
					bool is_line_table)
{
	struct row *row = alloc_rows_sorted_by_first_count(p, m);
	union al_cell *cell = calloc(AN_NAMES + p->n_counts, sizeof(*cell));

	for (uint32_t i = 0; row && cell && i < p->lines.n; i++) {
		size_t number = (size_t)(row[i].count - p->count) / p->n_counts;

		set_name_cells(cell, &row[i].symbol, main_function[number],
			       is_line_table);
		for (unsigned k = 0; k < p->n_counts; k++)
			cell[AN_NAMES + k].number = row[i].count[k];
		al_table_add_row(m, t, cell);
	}
	if (cell == NULL)
		m->error = -ENOMEM;
	free(cell);
	free(row);
}

static struct al_table *add_table_of_summed_counts(
	struct al_model *m, const char *key, const char *title,
	const struct al_column *count_columns, const struct an_place_counts *p,
	unsigned n_columns, void (*simplify)(struct an_symbol *))
{
	bool is_line = simplify == clear_function_name;
	const char **function = calloc(p->lines.n + 1, sizeof(*function));
	struct an_place_counts group = {0};
	const struct al_column *all = join_name_and_count_columns(
		m, is_line ? an_line_columns : an_function_columns,
		count_columns, n_columns);
	struct al_table *t = NULL;

	if (function == NULL)
		m->error = -ENOMEM;
	else if (all != NULL) {
		t = al_model_add_table(m, key, title, all,
				       AN_NAMES + n_columns + 1);
		group = sum_counts_by_simplified_symbol(p, m, simplify,
							function);
		add_row_of_each_line_sorted(m, t, &group, function, is_line);
	}
	an_place_counts_release(&group);
	free(function);
	return t;
}

struct an_place_tables
an_place_counts_add_tables(const struct an_place_counts *p, struct al_model *m,
			   const struct al_column *column, unsigned n_columns)
{
	return (struct an_place_tables){
		.functions = add_table_of_summed_counts(
			m, "functions", "Functions by file", column, p,
			n_columns, clear_line_number),
		.lines = add_table_of_summed_counts(m, "lines", "Lines", column,
						    p, n_columns,
						    clear_function_name),
		.whole = add_table_of_summed_counts(m, NULL, "whole functions",
						    column, p, n_columns,
						    clear_line_number_and_file),
		.label = AN_NAMES + n_columns,
	};
}
