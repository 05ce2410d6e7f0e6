/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hot_code.c - finds code that is fetched again and again from beyond the first
 * level of instructions
 *
 * Code that misses once when it is first executed does not count: the misses
 * are compared with the instructions executed. Why they miss, by size or by
 * conflict, is not known here.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	PER_1000 = 5,	   /* misses in 1000 instructions */
	MOST_PERCENT = 90, /* share of misses of the code that is counted */
};

/* Return how many rows, those with most misses first, have 90 % of
   @total_misses. */
static size_t count_top_rows_covering_misses(const struct al_table *t,
					     uint64_t total_misses)
{
	int column = al_table_find_column(t, "I1mr");
	uint64_t sum = 0;
	size_t n = 0, counted = 0;
	size_t *row = al_table_sort_nonzero_row_indices(t, column, false, &n);

	while (row && counted < n &&
	       al_rounded_down_percent(sum, total_misses) < MOST_PERCENT)
		sum += al_table_row(t, row[counted++])[column].number;
	free(row);
	return counted;
}

void al_rule_hot_code(const struct al_model *m, struct al_findings *out)
{
	const struct al_table *functions =
		al_model_find_table(m, "whole functions");
	const struct al_table *lines = al_model_find_table(m, "lines");
	uint64_t instructions = al_model_total_of_key(m, "Ir"),
		 misses = al_model_total_of_key(m, "I1mr");
	struct al_finding f = {.rule = "hot-code", .misses = misses};
	size_t n_functions, n_lines;

	if (!functions || !lines || misses < AL_FINDING_MISSES ||
	    misses < instructions / 1000 * PER_1000)
		return;
	n_functions = count_top_rows_covering_misses(functions, misses);
	n_lines = count_top_rows_covering_misses(lines, misses);
	al_finding_add_evidence(&f, "instructions", instructions);
	al_finding_add_evidence(&f, "misses", misses);
	al_finding_add_evidence(&f, "functions", n_functions);
	al_finding_add_evidence(&f, "lines", n_lines);
	snprintf(
		f.text, sizeof(f.text),
		"Instructions miss their first level %.1f times in 1000; 90 %% "
		"of these misses are in %zu %s, %zu source %s.",
		1000.0 * (double)misses / (double)instructions, n_functions,
		n_functions == 1 ? "function" : "functions", n_lines,
		n_lines == 1 ? "line" : "lines");
	al_findings_insert_by_misses(out, &f);
}
