/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar_float.c - finds scalar floating-point operations in hot loops that
 *                  vectors could execute
 *
 * Whether a loop can be vectorised is a result of the analysis "loops" with its
 * option of=FUNCTION. Operations are counted by source line: those of code
 * outside the loop on one of its lines count, too.
 */
#include <stdio.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	LEAST_HOT_PERCENT = 10, /* least percentage of all instructions that the
				   loop executes */
	LEAST_SCALAR_PERCENT =
		50, /* least percentage of the floating-point operations of the
		       loop's lines that are scalar */
};

/* Floating-point operations of source lines. */
struct operations {
	uint64_t all, scalar;
};

/* Whether row @row_index of the lines of "mix" is one of the lines of a loop
   and of its object. */
static bool is_row_among_lines_of_loop(const struct al_table *mix_lines,
				       size_t row_index,
				       const struct al_result_node *loop)
{
	const struct al_result_node *list = al_model_find_member(loop, "lines");
	const char *object = al_node_text_or_empty(loop, "object");
	const char *file = al_row_text_or_empty(mix_lines, row_index, "file");
	const char *function =
		al_row_text_or_empty(mix_lines, row_index, "function");
	uint64_t line = al_row_number_or_0(mix_lines, row_index, "line");

	if (strcmp(al_row_text_or_empty(mix_lines, row_index, "object"),
		   object) != 0)
		return false;
	for (const struct al_result_node *in = list ? list->first : NULL; in;
	     in = in->next)
		if (al_node_number_or_0(in, "line") == line &&
		    strcmp(al_node_text_or_empty(in, "file"), file) == 0 &&
		    strcmp(al_node_text_or_empty(in, "function"), function) ==
			    0)
			return true;
	return false;
}

/* Return the sum of the floating-point operations of the source lines of a
   loop. */
static struct operations
sum_float_operations_of_loop_lines(const struct al_model *mix,
				   const struct al_result_node *loop)
{
	const struct al_table *t = al_model_find_table(mix, "lines");
	struct operations sum = {0, 0};

	for (size_t i = 0; t && i < t->n_rows; i++) {
		uint64_t all = al_row_number_or_0(t, i, "flops");

		if (all == 0 || !is_row_among_lines_of_loop(t, i, loop))
			continue;
		sum.all += all;
		sum.scalar += all - al_row_number_or_0(t, i, "vector_flops");
	}
	return sum;
}

/* Whether vectors could execute a loop without inner loops; with sums in
   another order if @is_reduction_out is set to true. */
static bool is_innermost_and_vectorisable(const struct al_result_node *loop,
					  bool *is_reduction_out)
{
	const char *vectors = al_node_text_or_empty(loop, "vectorisable");

	*is_reduction_out = strcmp(vectors, "reduction") == 0;
	return strcmp(al_node_text_or_empty(loop, "innermost"), "true") == 0 &&
	       (*is_reduction_out || strcmp(vectors, "true") == 0);
}

static void add_scalar_finding(const struct al_result_node *loop,
			       const struct operations *done, bool is_reduction,
			       uint64_t all_instructions,
			       struct al_findings *out)
{
	uint64_t instructions = al_node_number_or_0(loop, "instructions");
	struct al_finding f = {
		.rule = "scalar-float",
		.function = al_node_text_or_empty(loop, "function"),
		.file = al_node_text_or_empty(loop, "file"),
		.line = al_node_number_or_0(loop, "line"),
		.misses = done->scalar,
		.is_about_operations = true,
	};
	char number[2][AL_NUMBER_BYTES];

	al_finding_add_evidence_if_space(&f, "scalar_operations", done->scalar);
	al_finding_add_evidence_if_space(&f, "operations", done->all);
	al_finding_add_evidence_if_space(&f, "loop_instructions", instructions);
	al_finding_add_evidence_if_space(&f, "instructions", all_instructions);
	al_finding_add_evidence_if_space(
		&f, "iterations", al_node_number_or_0(loop, "iterations"));
	snprintf(f.text, sizeof(f.text),
		 "%.80s executes %s of %s floating-point operations one by "
		 "one in its loop at %.80s:%llu, which has %.1f %% of all "
		 "instructions and could use vectors%s.",
		 f.function, al_number_format_grouped(number[0], done->scalar),
		 al_number_format_grouped(number[1], done->all), f.file,
		 (unsigned long long)f.line,
		 100.0 * (double)instructions / (double)all_instructions,
		 is_reduction ? " if its sums may be added in another order"
			      : "");
	al_findings_insert(out, &f);
}

void al_rule_add_scalar_floats(const struct al_model *loops,
			       const struct al_model *mix,
			       struct al_findings *out)
{
	const struct al_result_node *list =
		al_model_find_member(&loops->root, "loops");
	const struct al_result_node *loop = list ? list->first : NULL;
	uint64_t all = al_node_number_or_0(&mix->root, "total");

	for (; loop; loop = loop->next) {
		bool is_reduction;
		struct operations done;

		if (!is_innermost_and_vectorisable(loop, &is_reduction) ||
		    al_rounded_down_percent(
			    al_node_number_or_0(loop, "instructions"), all) <
			    LEAST_HOT_PERCENT)
			continue;
		done = sum_float_operations_of_loop_lines(mix, loop);
		if (done.scalar >= AL_FINDING_MISSES &&
		    done.scalar >= al_node_number_or_0(loop, "iterations") &&
		    al_rounded_down_percent(done.scalar, done.all) >=
			    LEAST_SCALAR_PERCENT)
			add_scalar_finding(loop, &done, is_reduction, all, out);
	}
}
