/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar_float.c - finds functions with scalar floating-point operations in a
 * hot loop that vectors could execute
 *
 * Whether a loop can be vectorised is what the analysis "loops" found with
 * `of`. Operations are counted by function: those outside the loop count, too.
 */
#include <stdio.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	LEAST_HOT_PERCENT = 10, /* least percentage of all instructions that the
				   loop executes */
	LEAST_SCALAR_PERCENT =
		50, /* least percentage of the function's floating-point
		       operations that are scalar */
};

/* Floating-point operations of a function. */
struct operations {
	uint64_t all, scalar;
};

/* Return the sum of the operations of the functions with the name @name and the
   object @object; zeros if there is none. */
static struct operations sum_operations_of_function(const struct al_model *mix,
						    const char *name,
						    const char *object)
{
	const struct al_table *t = al_model_find_table(mix, "whole functions");
	struct operations sum = {0, 0};

	for (size_t i = 0; t && i < t->n_rows; i++) {
		uint64_t all = al_row_number_or_0(t, i, "flops");

		if (strcmp(al_row_text_or_empty(t, i, "name"), name) != 0 ||
		    strcmp(al_row_text_or_empty(t, i, "object"), object) != 0)
			continue;
		sum.all += all;
		sum.scalar += all - al_row_number_or_0(t, i, "vector_flops");
	}
	return sum;
}

/* Whether vectors could execute a loop without inner loops; with sums in
   another order if @is_reduction_out is set to true. */
static bool is_vectorisable_innermost(const struct al_result_node *loop,
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
	snprintf(
		f.text, sizeof(f.text),
		"%.80s executes %s of %s floating-point operations one by "
		"one, and its loop at %.80s:%llu, %.1f %% of all instructions, "
		"could use vectors%s.",
		f.function, al_number_format_grouped(number[0], done->scalar),
		al_number_format_grouped(number[1], done->all), f.file,
		(unsigned long long)f.line,
		100.0 * (double)instructions / (double)all_instructions,
		is_reduction ? " if its sums may be added in another order"
			     : "");
	al_findings_insert_best_of_rule_and_place(out, &f);
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

		if (!is_vectorisable_innermost(loop, &is_reduction) ||
		    al_rounded_down_percent(
			    al_node_number_or_0(loop, "instructions"), all) <
			    LEAST_HOT_PERCENT)
			continue;
		done = sum_operations_of_function(
			mix, al_node_text_or_empty(loop, "function"),
			al_node_text_or_empty(loop, "object"));
		if (done.scalar >= AL_FINDING_MISSES &&
		    done.scalar >= al_node_number_or_0(loop, "iterations") &&
		    al_rounded_down_percent(done.scalar, done.all) >=
			    LEAST_SCALAR_PERCENT)
			add_scalar_finding(loop, &done, is_reduction, all, out);
	}
}
