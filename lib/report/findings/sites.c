/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites.c - reads the table "sites"; see sites.h */

#include "lib/report/findings/sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STRIDE_PERCENT = 90, /* least percentage of steps at the most frequent
				stride */
	MISS_FACTOR = 4, /* least number of misses, as a multiple of those of a
			    walk that uses every byte of a line before the next
			    line */
	USED_PART = 4,	 /* at most 1 / USED_PART of the bytes is used */
	/* least percentage of walks (sequences of steps of one stride) that
	   begin near the walk before */
	NEIGHBOUR_PERCENT = 50,
	NAME = 80, /* greatest length of a name in a sentence [bytes] */
};

static struct al_site read_site(const struct al_table *t, size_t row)
{
	return (struct al_site){
		.function = al_row_text_or_empty(t, row, "function"),
		.file = al_row_text_or_empty(t, row, "file"),
		.line = al_row_number_or_0(t, row, "line"),
		.size = al_row_number_or_0(t, row, "size"),
		.accesses = al_row_number_or_0(t, row, "accesses"),
		.misses = al_row_number_or_0(t, row, "misses"),
		.stride = al_row_number_or_0(t, row, "stride"),
		.steps = al_row_number_or_0(t, row, "steps"),
		.steps_at_stride =
			al_row_number_or_0(t, row, "steps_at_stride"),
		.walks = al_row_number_or_0(t, row, "walks"),
		.neighbour_walks =
			al_row_number_or_0(t, row, "neighbour_walks"),
		.lines = al_row_number_or_0(t, row, "lines"),
		.used_bytes = al_row_number_or_0(t, row, "used_bytes"),
		.single_lines = al_row_number_or_0(t, row, "single_lines")};
}

/* Add the counts of site @s to those of @sum, whose stride and size are not
   changed. */
static void add_access_site_counts(struct al_site *sum, const struct al_site *s)
{
	sum->accesses += s->accesses;
	sum->misses += s->misses;
	sum->steps += s->steps;
	sum->steps_at_stride += s->steps_at_stride;
	sum->walks += s->walks;
	sum->neighbour_walks += s->neighbour_walks;
	sum->lines += s->lines;
	sum->used_bytes += s->used_bytes;
	sum->single_lines += s->single_lines;
}

static bool has_same_line_and_function(const struct al_site *a,
				       const struct al_site *b)
{
	return a->line == b->line && !strcmp(a->file, b->file) &&
	       !strcmp(a->function, b->function);
}

/* Add the counts of site @s to the element of @sums with the same line, file
   and function, or append @s if there is none. @line_count: number of elements.
   */
static void add_site_to_line_sums(struct al_site *sums, size_t *line_count,
				  const struct al_site *s)
{
	for (size_t i = 0; i < *line_count; i++)
		if (has_same_line_and_function(&sums[i], s)) {
			add_access_site_counts(&sums[i], s);
			return;
		}
	sums[(*line_count)++] = *s;
}

/* Set @l to the name, line size and sum of misses of the level that table
   @sites_table_or_null, "sites", is about. Return: false if the model has no
   such table. */
static bool read_sites_level(const struct al_model *m,
			     const struct al_table *sites_table_or_null,
			     struct al_site_level *l)
{
	const struct al_result_node *evidence =
		al_model_find_member(&m->root, "evidence");

	if (!sites_table_or_null || !evidence)
		return false;
	*l = (struct al_site_level){
		.name = al_model_find_member(evidence, "level")->value.text,
		.line = al_model_find_member(evidence, "line")->value.number};
	for (size_t i = 0; i < sites_table_or_null->n_rows; i++)
		l->misses +=
			al_row_number_or_0(sites_table_or_null, i, "misses");
	return true;
}

static bool has_site_line_or_function(const struct al_site *s)
{
	return strcmp(s->function, "???") != 0 || s->line != 0;
}

void al_sites_report_by_line(const struct al_model *m,
			     al_site_condition *site_condition,
			     al_site_reporter *report, struct al_findings *out)
{
	const struct al_table *t = al_model_find_table(m, "sites");
	struct al_site_level level;
	struct al_site *sum;
	size_t n = 0;

	if (!read_sites_level(m, t, &level))
		return;
	sum = calloc(t->n_rows + 1, sizeof(*sum));
	for (size_t i = 0; sum && i < t->n_rows; i++) {
		struct al_site s = read_site(t, i);

		if (has_site_line_or_function(&s) && site_condition(&s, &level))
			add_site_to_line_sums(sum, &n, &s);
	}
	for (size_t i = 0; i < n; i++)
		if (sum[i].misses >= AL_FINDING_MISSES &&
		    al_rounded_down_percent(sum[i].misses, level.misses) >=
			    AL_FINDING_PERCENT)
			report(&sum[i], &level, out);
	free(sum);
}

bool al_site_uses_quarter_of_bytes_at_most(const struct al_site *s,
					   const struct al_site_level *l)
{
	return s->lines > 0 && s->used_bytes * USED_PART <= s->lines * l->line;
}

bool al_site_misses_by_large_stride(const struct al_site *s,
				    const struct al_site_level *l)
{
	return al_rounded_down_percent(s->steps_at_stride, s->steps) >=
		       STRIDE_PERCENT &&
	       s->stride >= l->line &&
	       s->misses * l->line >= MISS_FACTOR * s->size * s->accesses &&
	       al_site_uses_quarter_of_bytes_at_most(s, l);
}

bool al_site_has_mostly_adjacent_walk_starts(const struct al_site *s)
{
	return s->walks > 1 &&
	       al_rounded_down_percent(s->neighbour_walks, s->walks) >=
		       NEIGHBOUR_PERCENT;
}

void al_site_format_place(char *out, const struct al_site *s)
{
	if (s->line)
		snprintf(out, AL_SITE_PLACE, "%.*s:%llu in %.*s", NAME, s->file,
			 (unsigned long long)s->line, NAME, s->function);
	else
		snprintf(out, AL_SITE_PLACE, "%.*s", NAME, s->function);
}

void al_site_init_finding(struct al_finding *f, const char *rule,
			  const struct al_site *s)
{
	*f = (struct al_finding){.rule = rule,
				 .function = s->function,
				 .file = s->file,
				 .line = s->line,
				 .misses = s->misses};
	al_finding_add_evidence_if_space(f, "misses", s->misses);
}
