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
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	PER_1000 = 5,	   /* misses in 1000 instructions */
	MOST_PERCENT = 90, /* share of misses of the code that is counted */
};

/* The code that has 90 % of the misses. */
struct hot_places {
	size_t named; /* functions or lines with a name */
	bool has_code_without_name;
};

/* Find the rows with most misses that have 90 % of @total_misses. All code
   without a name of an object is one row, so such rows are not counted. */
static struct hot_places
count_named_rows_of_most_i1_misses(const struct al_table *t,
				   const char *name_key, uint64_t total_misses)
{
	struct hot_places found = {0, false};
	int column = al_table_find_column_index(t, "I1mr");
	uint64_t sum = 0;
	size_t n = 0;
	size_t *row = al_table_sort_nonzero_row_indices(t, column, false, &n);

	for (size_t i = 0; row && i < n; i++) {
		const char *name = al_row_text_or_empty(t, row[i], name_key);

		if (al_rounded_down_percent(sum, total_misses) >= MOST_PERCENT)
			break;
		sum += al_table_row(t, row[i])[column].number;
		if (*name && strcmp(name, "???") != 0)
			found.named++;
		else
			found.has_code_without_name = true;
	}
	free(row);
	return found;
}

/* Write "3 functions, 12 source lines", with code without names beside it. */
static void describe_places(char *out, size_t size, struct hot_places functions,
			    struct hot_places lines)
{
	size_t n = 0;

	if (functions.named)
		n += (size_t)snprintf(out, size, "%zu function%s",
				      functions.named,
				      functions.named == 1 ? "" : "s");
	if (functions.has_code_without_name)
		snprintf(out + n, size - n, "%scode without symbols",
			 n ? " and " : "");
	else if (!lines.has_code_without_name)
		snprintf(out + n, size - n, ", %zu source line%s", lines.named,
			 lines.named == 1 ? "" : "s");
}

void al_rule_hot_code(const struct al_model *m, struct al_findings *out)
{
	const struct al_table *functions =
		al_model_find_table(m, "whole functions");
	const struct al_table *lines = al_model_find_table(m, "lines");
	uint64_t instructions = al_model_totals_number_or_0(m, "Ir"),
		 misses = al_model_totals_number_or_0(m, "I1mr");
	struct al_finding f = {.rule = "hot-code", .misses = misses};
	struct hot_places hot[2];
	char places[100];

	if (!functions || !lines || misses < AL_FINDING_MISSES ||
	    misses < instructions / 1000 * PER_1000)
		return;
	hot[0] = count_named_rows_of_most_i1_misses(functions, "name", misses);
	hot[1] = count_named_rows_of_most_i1_misses(lines, "file", misses);
	al_finding_add_evidence(&f, "instructions", instructions);
	al_finding_add_evidence(&f, "misses", misses);
	al_finding_add_evidence(&f, "functions", hot[0].named);
	al_finding_add_evidence(&f, "lines", hot[1].named);
	describe_places(places, sizeof(places), hot[0], hot[1]);
	snprintf(
		f.text, sizeof(f.text),
		"Instructions miss their first level %.1f times in 1000; 90 %% "
		"of these misses are in %s.",
		1000.0 * (double)misses / (double)instructions, places);
	al_findings_insert_best_of_place(out, &f);
}
