/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what_if_report.c - compares a cache hierarchy with changed ones; see
 * what_if_report.h
 *
 * All hierarchies get the same executions, so their tables have the same rows
 * in the same order; only the counts of the cache levels differ.
 */
#include "lib/report/what_if_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/settings.h"
#include "lib/report/findings/findings.h"
#include "lib/report/results.h"

enum {
	TOP = 5,     /* greatest number of functions printed without --top */
	NAME = 26,   /* [bytes] longer names of functions are cut */
	COLUMN = 64, /* [bytes] of the id of a column with its NUL */
	CHANGE = 32, /* [bytes] of a formatted difference with its NUL */
};

/* Results of the cache hierarchy as given and of one changed by --what-if. */
struct what_if_pair {
	const char *change; /* text of --what-if; begins with a level's name */
	const struct al_model *a; /* result of the hierarchy as given */
	const struct al_model *b; /* result of the changed hierarchy */
	const struct al_table *levels_a, *levels_b;
	/* tables "whole functions" of results a and b */
	const struct al_table *functions_a, *functions_b;
};

/* Set the results of both analyses and their tables. Return: false if an
   analysis was stopped, or a table is missing or has another number of rows
   than its counterpart. */
static bool find_result_pair(struct what_if_pair *p, const struct al_run *run,
			     unsigned consumer_number,
			     size_t plain_analysis_index,
			     size_t changed_analysis_index)
{
	const struct al_settings *s = run->settings;
	int err_a = al_result_of_analysis(run, consumer_number,
					  plain_analysis_index, &p->a);
	int err_b = al_result_of_analysis(run, consumer_number,
					  changed_analysis_index, &p->b);

	p->change = s->cache[s->analysis[changed_analysis_index].cache].what_if;
	if (err_a || err_b)
		return false;
	p->levels_a = al_model_find_table(p->a, "levels");
	p->levels_b = al_model_find_table(p->b, "levels");
	p->functions_a = al_model_find_table(p->a, "whole functions");
	p->functions_b = al_model_find_table(p->b, "whole functions");
	return p->levels_a && p->levels_b && p->functions_a && p->functions_b &&
	       p->levels_a->n_rows == p->levels_b->n_rows &&
	       p->functions_a->n_rows == p->functions_b->n_rows;
}

/* Return the row, in both tables of levels, of the level that @p->change names;
   0 if no level has this name. */
static size_t find_what_if_level_row_or_0(const struct what_if_pair *p)
{
	size_t n = strcspn(p->change, ".*/");

	for (size_t i = 0; i < p->levels_b->n_rows; i++) {
		const char *name = al_row_text_or_empty(p->levels_b, i, "name");

		if (!strncmp(name, p->change, n) && !name[n])
			return i;
	}
	return 0;
}

/* Return the index of the column of the misses at the level in row @level_row
   of the tables of levels. It is the same in the tables of functions of both
   cache hierarchies, the given and the changed one. 0: there is no such column.
   */
static unsigned find_misses_column_of_level_or_0(const struct what_if_pair *p,
						 size_t level_row)
{
	char id[COLUMN];
	int i;

	snprintf(id, sizeof(id), "%s.misses",
		 al_row_text_or_empty(p->levels_a, level_row, "name"));
	i = al_table_find_column_index(p->functions_a, id);
	return i < 0 ? 0 : (unsigned)i;
}

static uint64_t misses_of_function(const struct al_table *functions,
				   size_t function_row, unsigned misses_column)
{
	return al_table_row(functions, function_row)[misses_column].number;
}

/* ---- JSON ---- */

/* Write the counts of the given hierarchy, @a, and of the changed one, @b. */
static void write_count_pair(struct an_sink *out, const char *key, uint64_t a,
			     uint64_t b)
{
	out->begin(out, key);
	out->number(out, "a", a);
	out->number(out, "b", b);
	out->end(out);
}

static void write_totals_of_both_results(const struct what_if_pair *p,
					 struct an_sink *out)
{
	const struct al_result_node *a =
		al_model_find_member(&p->a->root, "totals");

	out->begin(out, "totals");
	for (const struct al_result_node *n = a ? a->first : NULL; n;
	     n = n->next)
		write_count_pair(out, n->key, n->value.number,
				 al_model_totals_number_or_0(p->b, n->key));
	out->end(out);
}

static void write_new_geometry_of_changed_level(const struct what_if_pair *p,
						struct an_sink *out)
{
	static const char *const key[] = {"size", "assoc", "line"};
	size_t row = find_what_if_level_row_or_0(p);

	out->begin(out, "level");
	out->string(out, "name",
		    al_row_text_or_empty(p->levels_b, row, "name"));
	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		out->number(out, key[i],
			    al_row_number_or_0(p->levels_b, row, key[i]));
	out->end(out);
}

static void write_level_counts_of_both_results(const struct what_if_pair *p,
					       struct an_sink *out)
{
	static const char *const key[] = {"reads", "read_misses", "writes",
					  "write_misses", "writebacks"};

	out->begin_list(out, "levels");
	for (size_t i = 0; i < p->levels_a->n_rows; i++) {
		out->begin(out, NULL);
		out->string(out, "name",
			    al_row_text_or_empty(p->levels_a, i, "name"));
		for (size_t k = 0; k < sizeof(key) / sizeof(*key); k++)
			write_count_pair(
				out, key[k],
				al_row_number_or_0(p->levels_a, i, key[k]),
				al_row_number_or_0(p->levels_b, i, key[k]));
		out->end(out);
	}
	out->end(out);
}

/* Whether the function in row @function_row has different numbers of misses at
   any level in the results of the two cache hierarchies. */
static bool has_function_different_misses(const struct what_if_pair *p,
					  size_t function_row)
{
	for (size_t i = 0; i < p->levels_a->n_rows; i++) {
		unsigned column = find_misses_column_of_level_or_0(p, i);

		if (misses_of_function(p->functions_a, function_row, column) !=
		    misses_of_function(p->functions_b, function_row, column))
			return true;
	}
	return false;
}

static void write_function_misses_of_both(const struct what_if_pair *p,
					  size_t function_row,
					  struct an_sink *out)
{
	out->begin(out, NULL);
	out->string(out, "name",
		    al_row_text_or_empty(p->functions_a, function_row, "name"));
	out->string(
		out, "object",
		al_row_text_or_empty(p->functions_a, function_row, "object"));
	out->begin(out, "misses");
	for (size_t i = 0; i < p->levels_a->n_rows; i++) {
		unsigned column = find_misses_column_of_level_or_0(p, i);

		write_count_pair(out,
				 al_row_text_or_empty(p->levels_a, i, "name"),
				 misses_of_function(p->functions_a,
						    function_row, column),
				 misses_of_function(p->functions_b,
						    function_row, column));
	}
	out->end(out);
	out->end(out);
}

void al_what_if_write_run_comparison(const struct al_run *run,
				     unsigned consumer_number,
				     size_t plain_analysis_index,
				     size_t changed_analysis_index,
				     struct an_sink *out)
{
	struct what_if_pair p;
	bool is_built =
		find_result_pair(&p, run, consumer_number, plain_analysis_index,
				 changed_analysis_index);

	out->begin(out, NULL);
	out->string(out, "change", p.change);
	if (is_built) {
		write_new_geometry_of_changed_level(&p, out);
		write_totals_of_both_results(&p, out);
		write_level_counts_of_both_results(&p, out);
		out->begin_list(out, "functions");
		for (size_t i = 0; i < p.functions_a->n_rows; i++)
			if (has_function_different_misses(&p, i))
				write_function_misses_of_both(&p, i, out);
		out->end(out);
	}
	out->end(out);
}

/* ---- for a terminal ---- */

static uint64_t absolute_difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Print a line with misses @a and @b, their difference as a number and in
   percent of @a, and @name. */
static void print_both_counts_and_change(struct al_text *out, uint64_t a,
					 uint64_t b, const char *name)
{
	char before[AL_NUMBER_BYTES], after[AL_NUMBER_BYTES],
		by[AL_NUMBER_BYTES], change[CHANGE] = "-", percent[CHANGE] = "";

	if (a != b)
		snprintf(change, sizeof(change), "%c%s", b > a ? '+' : '-',
			 al_number_format_grouped(by,
						  absolute_difference(a, b)));
	if (a != b && a != 0)
		snprintf(percent, sizeof(percent), "%+.2f%%",
			 100.0 * ((double)b - (double)a) / (double)a);
	al_text_printf_line_cut_to_columns(out, "  %13s %13s %13s %8s  %.*s",
					   al_number_format_grouped(before, a),
					   al_number_format_grouped(after, b),
					   change, percent, NAME, name);
}

static uint64_t level_misses(const struct al_table *levels, size_t row)
{
	return al_row_number_or_0(levels, row, "misses");
}

/* Print a line for the level that --what-if changes and one for each level
   whose misses differ. Return the row of the level whose misses differ most; of
   the level that --what-if changes if no misses differ. */
static size_t
print_changed_levels_find_most_changed(const struct what_if_pair *p,
				       struct al_text *out)
{
	size_t most = find_what_if_level_row_or_0(p), changed = most;
	uint64_t by = 0;

	for (size_t i = 0; i < p->levels_a->n_rows; i++) {
		uint64_t a = level_misses(p->levels_a, i);
		uint64_t b = level_misses(p->levels_b, i);

		if (a != b || i == changed)
			print_both_counts_and_change(
				out, a, b,
				al_row_text_or_empty(p->levels_a, i, "name"));
		if (absolute_difference(a, b) > by) {
			by = absolute_difference(a, b);
			most = i;
		}
	}
	return most;
}

/* A function, and by how much its misses differ between the cache hierarchy as
   given and the changed one. */
struct changed_function {
	size_t row;  /* index in both tables "whole functions" */
	uint64_t by; /* [misses] absolute difference */
};

/* Compare two struct changed_function for qsort(): the larger change first;
   equal changes in the order of rows. */
static int compare_changes_largest_first(const void *x, const void *y)
{
	const struct changed_function *a = x, *b = y;

	if (a->by != b->by)
		return a->by > b->by ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Print at most @max_functions functions whose misses at a level differ, the
   largest difference first, after a heading; nothing if none differ. */
static void print_most_changed_functions(const struct what_if_pair *p,
					 size_t level_row,
					 unsigned max_functions,
					 struct al_text *out)
{
	const struct al_table *a = p->functions_a, *b = p->functions_b;
	unsigned column = find_misses_column_of_level_or_0(p, level_row);
	struct changed_function *f = calloc(a->n_rows + 1, sizeof(*f));

	for (size_t i = 0; f && i < a->n_rows; i++)
		f[i] = (struct changed_function){
			i,
			absolute_difference(misses_of_function(a, i, column),
					    misses_of_function(b, i, column))};
	if (f)
		qsort(f, a->n_rows, sizeof(*f), compare_changes_largest_first);
	for (size_t i = 0; f && i < a->n_rows && i < max_functions && f[i].by;
	     i++) {
		if (i == 0)
			al_text_printf_line_cut_to_columns(
				out, "%53s  function, %s misses", "",
				al_row_text_or_empty(p->levels_a, level_row,
						     "name"));
		print_both_counts_and_change(
			out, misses_of_function(a, f[i].row, column),
			misses_of_function(b, f[i].row, column),
			al_row_text_or_empty(a, f[i].row, "name"));
	}
	free(f);
}

static void print_comparison(const struct what_if_pair *p,
			     unsigned max_functions_or_0_for_default,
			     struct al_text *out)
{
	size_t row = find_what_if_level_row_or_0(p), most;
	char heading[2 * AL_COLUMNS];

	snprintf(heading, sizeof(heading),
		 "What if %.30s: %.15s of %" PRIu64 " bytes, %.20s", p->change,
		 al_row_text_or_empty(p->levels_b, row, "name"),
		 al_row_number_or_0(p->levels_b, row, "size"),
		 al_row_text_or_empty(p->levels_b, row, "ways"));
	out->text.heading(&out->text, heading);
	al_text_printf_line_cut_to_columns(out,
					   "  %13s %13s %13s %8s  misses of",
					   "as given", "changed", "change", "");
	most = print_changed_levels_find_most_changed(p, out);
	print_most_changed_functions(p, most,
				     max_functions_or_0_for_default
					     ? max_functions_or_0_for_default
					     : TOP,
				     out);
}

void al_what_if_print_all_comparisons(const struct al_run *run,
				      unsigned consumer_number,
				      struct al_text *out)
{
	const struct al_settings *s = run->settings;
	size_t plain = 0;
	struct what_if_pair p;

	while (plain < s->n_analyses &&
	       !s->analysis[plain].class->compares_caches)
		plain++;
	for (size_t i = 0; i < s->n_analyses; i++) {
		if (!al_settings_is_what_if_analysis(s, i))
			continue;
		if (find_result_pair(&p, run, consumer_number, plain, i))
			print_comparison(&p, s->top, out);
	}
}
