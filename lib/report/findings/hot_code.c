/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hot_code.c - finds code that is fetched again and again from beyond the first
 * level of instructions
 *
 * The misses are compared with the number of instructions executed, so code
 * that misses only when it is first executed is no finding. Whether the code
 * misses because of its size or because of conflicts is not known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	PER_1000 = 5,	   /* least number of I1 misses of the run in 1000
			      of its instructions */
	MOST_PERCENT = 90, /* percentage of the misses that the code with most
			      misses is to have */
};

/* The functions or lines with most misses, which have 90 % of all misses. */
struct hot_places {
	size_t named; /* number of functions or lines with a name */
	bool has_code_without_name;
};

/* Count the rows with most misses in column "I1mr" that together have 90 % of
   @total_misses. Rows without a name are not counted, because all code without
   names of an object is one row; the result only states whether there is one.
   @name_key: key of the column with the names. */
static struct hot_places count_hot_named_i1_rows_flag_unnamed(
	const struct al_table *t, const char *name_key, uint64_t total_misses)
{
	struct hot_places found = {0, false};
	int column = al_table_find_column_index(t, "I1mr");
	uint64_t sum = 0;
	size_t n = 0;
	size_t *row = al_table_sorted_nonzero_rows(t, column, false, 0, &n);

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

/* Write "3 functions, 12 source lines" to @out; " and code without symbols"
   replaces the lines if a function without a name is among them. Also leave the
   lines out if one without a name is among them. */
static void format_hot_function_and_line_counts(char *out, size_t size,
						struct hot_places functions,
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

void al_rule_add_hot_code_fetch_misses(const struct al_model *m,
				       struct al_findings *out)
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
	hot[0] =
		count_hot_named_i1_rows_flag_unnamed(functions, "name", misses);
	hot[1] = count_hot_named_i1_rows_flag_unnamed(lines, "file", misses);
	al_finding_add_evidence_if_space(&f, "instructions", instructions);
	al_finding_add_evidence_if_space(&f, "misses", misses);
	al_finding_add_evidence_if_space(&f, "functions", hot[0].named);
	al_finding_add_evidence_if_space(&f, "lines", hot[1].named);
	format_hot_function_and_line_counts(places, sizeof(places), hot[0],
					    hot[1]);
	snprintf(
		f.text, sizeof(f.text),
		"Instructions miss their first level %.1f times in 1000; 90 %% "
		"of these misses are in %s.",
		1000.0 * (double)misses / (double)instructions, places);
	al_findings_insert(out, &f);
}
