/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop_stride.c - finds source lines that miss because a loop steps by a cache
 * line or more
 *
 * Strides are those of the analysis "loops", misses those of the first level of
 * data of the cache analysis. Both are summed by source line; the analyses do
 * not state which of the line's accesses missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	LEAST_MISS_PERCENT = 50, /* least number of misses of the source line,
				    in percent of its steps of at least a
				    cache line */
	LEAST_HOT_PERCENT = 5,	 /* least percentage of all instructions that
				    are executed in the loop */
};

/* Steps of one source line in one loop that are at least a cache line long. */
struct long_steps {
	const char *file; /* source file */
	uint64_t line;	  /* source line */
	int64_t stride;	  /* [bytes] most frequent stride of the steps of at
			     least a cache line */
	uint64_t most;	  /* number of steps with the most frequent stride */
	uint64_t all;
};

/* Whether the level with @level_name in the table of levels is of code alone.
   */
static bool is_named_level_of_code_only(const struct al_model *cache,
					const struct al_table *levels,
					const char *level_name)
{
	for (size_t i = 0; levels && i < levels->n_rows; i++)
		if (strcmp(al_row_text_or_empty(levels, i, "name"),
			   level_name) == 0)
			return al_is_level_of_code_only(cache, levels, i);
	return false;
}

/* Return the first of the @n levels at @level that every access to data
   reaches; NULL if there is none. */
static const struct al_level_with_misses *
find_first_level_reached_by_all_data(const struct al_model *cache,
				     const struct al_level_with_misses *level,
				     unsigned n)
{
	uint64_t data = al_model_totals_number_or_0(cache, "Dr") +
			al_model_totals_number_or_0(cache, "Dw");
	uint64_t code = al_model_totals_number_or_0(cache, "Ir");
	const struct al_table *t = al_model_find_table(cache, "levels");

	for (unsigned i = 0; i < n; i++)
		if ((level[i].accesses == data ||
		     level[i].accesses == data + code) &&
		    !is_named_level_of_code_only(cache, t, level[i].name))
			return &level[i];
	return NULL;
}

/* Return the size of a cache line of a level [bytes]; 0: not known. */
static uint64_t line_bytes_of_level_or_0(const struct al_model *cache,
					 const char *level_name)
{
	const struct al_table *t = al_model_find_table(cache, "levels");

	for (size_t i = 0; t && i < t->n_rows; i++)
		if (strcmp(al_row_text_or_empty(t, i, "name"), level_name) == 0)
			return al_row_number_or_0(t, i, "line");
	return 0;
}

/* Return the misses of a source line; 0 if the level has no such line. */
static uint64_t misses_of_source_line_or_0(const struct al_level_with_misses *l,
					   const char *file, uint64_t line)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->lines->n_rows; i++)
		if (al_row_number_or_0(l->lines, i, "line") == line &&
		    strcmp(al_row_text_or_empty(l->lines, i, "file"), file) ==
			    0)
			sum += al_table_row(l->lines, i)[l->column].number;
	return sum;
}

/* Sum the steps of at least @least_bytes at the source line of @first, which is
   an object of the list "strides"; those of a line are adjacent. Return: the
   first object of another line. */
static const struct al_result_node *
sum_long_steps_return_next_line(const struct al_result_node *first,
				uint64_t least_bytes, struct long_steps *out)
{
	const struct al_result_node *s = first;

	*out = (struct long_steps){
		.file = al_node_text_or_empty(first, "file"),
		.line = al_node_number_or_0(first, "line"),
	};
	for (; s && al_node_number_or_0(s, "line") == out->line &&
	       strcmp(al_node_text_or_empty(s, "file"), out->file) == 0;
	     s = s->next) {
		const struct al_result_node *stride =
			al_model_find_member(s, "stride");
		uint64_t count = al_node_number_or_0(s, "count");
		double bytes = stride ? stride->value.real : 0;

		if (bytes < (double)least_bytes && -bytes < (double)least_bytes)
			continue;
		out->all += count;
		if (count <= out->most)
			continue;
		out->most = count;
		out->stride = (int64_t)bytes;
	}
	return s;
}

static bool has_stride_or_column_walk_finding_at(const struct al_findings *f,
						 const char *file,
						 uint64_t line)
{
	for (unsigned i = 0; i < f->n; i++)
		if ((strcmp(f->item[i].rule, "stride") == 0 ||
		     strcmp(f->item[i].rule, "column-walk") == 0) &&
		    f->item[i].line == line && f->item[i].file &&
		    strcmp(f->item[i].file, file) == 0)
			return true;
	return false;
}

static void add_loop_stride_finding(struct al_findings *out,
				    const struct al_result_node *loop,
				    const struct al_level_with_misses *l,
				    const struct long_steps *steps,
				    uint64_t misses)
{
	struct al_finding f = {
		.rule = "loop-stride",
		.function = al_node_text_or_empty(loop, "function"),
		.file = steps->file,
		.line = steps->line,
		.misses = misses,
	};
	char number[2][AL_NUMBER_BYTES];

	al_finding_add_evidence_if_space(&f, "misses", misses);
	al_finding_add_evidence_if_space(&f, "level_misses", l->misses);
	al_finding_add_evidence_if_space(&f, "stride",
					 (uint64_t)llabs(steps->stride));
	al_finding_add_evidence_if_space(&f, "steps", steps->most);
	al_finding_add_evidence_if_space(&f, "long_steps", steps->all);
	al_finding_add_evidence_if_space(
		&f, "iterations", al_node_number_or_0(loop, "iterations"));
	al_finding_add_evidence_if_space(&f, "loop_line",
					 al_node_number_or_0(loop, "line"));
	snprintf(f.text, sizeof(f.text),
		 "%.80s:%llu in %.80s steps by %lld bytes in the loop at line "
		 "%llu, a cache line or more each time: %s %s misses in %s "
		 "steps, %.1f %% of all misses.",
		 f.file, (unsigned long long)f.line, f.function,
		 (long long)steps->stride,
		 (unsigned long long)al_node_number_or_0(loop, "line"),
		 al_number_format_grouped(number[0], misses), l->name,
		 al_number_format_grouped(number[1], steps->all),
		 100.0 * (double)misses / (double)l->misses);
	al_findings_insert(out, &f);
}

/* Add a finding for each source line with at least AL_FINDING_MISSES long steps
   in a loop, if the line has enough misses for a finding, and misses in
   LEAST_MISS_PERCENT of these steps or more, and no finding of the rules
   "stride" and "column-walk". */
static void
add_long_stride_findings_of_loop(const struct al_result_node *loop,
				 const struct al_level_with_misses *l,
				 uint64_t line_bytes, struct al_findings *out)
{
	const struct al_result_node *list =
		al_model_find_member(loop, "strides");
	const struct al_result_node *s = list ? list->first : NULL;

	while (s) {
		struct long_steps steps;
		uint64_t misses;

		s = sum_long_steps_return_next_line(s, line_bytes, &steps);
		if (steps.line == 0 || steps.all < AL_FINDING_MISSES)
			continue;
		misses = misses_of_source_line_or_0(l, steps.file, steps.line);
		if (misses >= AL_FINDING_MISSES &&
		    al_rounded_down_percent(misses, l->misses) >=
			    AL_FINDING_PERCENT &&
		    al_rounded_down_percent(misses, steps.all) >=
			    LEAST_MISS_PERCENT &&
		    !has_stride_or_column_walk_finding_at(out, steps.file,
							  steps.line))
			add_loop_stride_finding(out, loop, l, &steps, misses);
	}
}

void al_rule_add_loop_strides(const struct al_model *loops,
			      const struct al_model *cache,
			      struct al_findings *out)
{
	struct al_level_with_misses level[AL_MAX_MISSING];
	unsigned n = al_find_levels_with_misses(cache, level);
	const struct al_level_with_misses *l =
		find_first_level_reached_by_all_data(cache, level, n);
	uint64_t line_bytes = l ? line_bytes_of_level_or_0(cache, l->name) : 0;
	uint64_t instructions = al_model_totals_number_or_0(cache, "Ir");
	const struct al_result_node *list =
		al_model_find_member(&loops->root, "loops");
	const struct al_result_node *loop = list ? list->first : NULL;

	for (; loop && line_bytes; loop = loop->next)
		if (al_rounded_down_percent(
			    al_node_number_or_0(loop, "instructions"),
			    instructions) >= LEAST_HOT_PERCENT)
			add_long_stride_findings_of_loop(loop, l, line_bytes,
							 out);
}
