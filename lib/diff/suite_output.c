/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suite_output.c - writes the comparison of two folders; see suite.h */

#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"
#include "lib/diff/output.h"
#include "lib/diff/suite.h"

enum {
	LONGEST_NAME = 300 /* [bytes] longest text of a limit and its
			      result, with the NUL */
};

int al_diff_suite_most_changed_event(const struct al_diff_suite *s,
				     uint64_t *absolute_change_sum)
{
	struct al_diff_costs sum[2] = {{{0}}, {{0}}};
	int event;

	for (size_t i = 0; i < s->n; i++)
		for (int e = 0; s->row[i].is_summed && e < AL_DIFF_EVENTS; e++)
			sum[1].event[e] +=
				al_diff_absolute_change(s->row[i].totals, e);
	event = al_diff_weighted_most_changed_event_or_0(sum);
	*absolute_change_sum = sum[1].event[event];
	return event;
}

static int compare_rows_largest_change_first(const void *x, const void *y,
					     void *event)
{
	const struct al_diff_suite_row *a =
		*(const struct al_diff_suite_row *const *)x;
	const struct al_diff_suite_row *b =
		*(const struct al_diff_suite_row *const *)y;
	uint64_t p = al_diff_absolute_change(a->totals, *(int *)event);
	uint64_t q = al_diff_absolute_change(b->totals, *(int *)event);

	return p != q ? (p < q ? 1 : -1) : strcmp(a->name, b->name);
}

const struct al_diff_suite_row **
al_diff_suite_new_sorted_changed_rows(const struct al_diff_suite *s, int event,
				      size_t *row_count)
{
	const struct al_diff_suite_row **sorted =
		calloc(s->n + 1, sizeof(*sorted));

	*row_count = 0;
	for (size_t i = 0; sorted && i < s->n; i++)
		if (s->row[i].is_summed &&
		    al_diff_any_event_differs(s->row[i].totals))
			sorted[(*row_count)++] = &s->row[i];
	if (sorted)
		qsort_r(sorted, *row_count, sizeof(*sorted),
			compare_rows_largest_change_first, &event);
	return sorted;
}

/* ---- text ---- */

/* Print the reports that changed most, and of how many the totals differ. */
static void print_top_changed_reports(const struct al_diff_suite *s, FILE *out)
{
	uint64_t change;
	int event = al_diff_suite_most_changed_event(s, &change);
	size_t n, shown;
	const struct al_diff_suite_row **row =
		al_diff_suite_new_sorted_changed_rows(s, event, &n);

	shown = s->top && n > s->top ? s->top : n;
	if (row && shown)
		al_diff_print_change_table_head(out, "By report",
						al_diff_event_name[event]);
	for (size_t i = 0; row && i < shown; i++)
		al_diff_print_change_row(
			out, row[i]->name, row[i]->totals[0].event[event],
			row[i]->totals[1].event[event], change);
	al_diff_print_line_cut_at_80_columns(
		out, "  the totals of %zu of %zu reports differ", n,
		al_diff_suite_count_summed_pairs(s));
	free(row);
}

static void print_unpaired_and_incomparable_rows(const struct al_diff_suite *s,
						 FILE *out)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct al_diff_suite_row *r = &s->row[i];

		if (r->is_in[0] != r->is_in[1])
			al_diff_print_line_cut_at_80_columns(
				out, "only in %s: %s", s->path[r->is_in[1]],
				r->name);
		else if (r->obstacle)
			al_diff_print_line_cut_at_80_columns(
				out, "NOT COMPARABLE: %s: %s", r->name,
				r->obstacle);
	}
}

static void print_limit_holds_or_exceeding_pairs(const struct al_diff_suite *s,
						 size_t limit_index, FILE *out)
{
	char text[LONGEST_NAME];
	size_t exceeded = al_diff_suite_count_pairs_exceeding(s, limit_index);

	if (exceeded == 0)
		al_diff_print_line_cut_at_80_columns(
			out, "limit: %s holds in all reports",
			s->limits->limit[limit_index].text);
	for (size_t i = 0; exceeded && i < s->n; i++) {
		const struct al_diff_limit *l = s->row[i].limit;

		if (!l || !l[limit_index].text || !l[limit_index].exceeded)
			continue;
		al_diff_format_limit_verdict(text, sizeof(text),
					     &l[limit_index]);
		al_diff_print_line_cut_at_80_columns(out, "limit: %s in %s",
						     text, s->row[i].name);
	}
}

void al_diff_suite_write_text(const struct al_diff_suite *s, FILE *out)
{
	al_diff_print_line_cut_at_80_columns(
		out, "alleria diff: %s -> %s: %zu reports compared", s->path[0],
		s->path[1], al_diff_suite_count_summed_pairs(s));
	al_diff_print_totals(s->totals, out);
	putc('\n', out);
	print_top_changed_reports(s, out);
	print_unpaired_and_incomparable_rows(s, out);
	if (s->limits->n)
		putc('\n', out);
	for (size_t i = 0; i < s->limits->n; i++)
		print_limit_holds_or_exceeding_pairs(s, i, out);
	if (s->limits->n)
		al_diff_print_line_cut_at_80_columns(out, "status %u",
						     s->status);
}

/* ---- JSON ---- */

static const char *
get_word_gone_new_or_same_for_row(const struct al_diff_suite_row *r)
{
	return al_diff_match_name(
		al_diff_match_of_runs(r->is_in[0], r->is_in[1]));
}

static void write_suite_row_json_object(const struct al_diff_suite *s,
					const struct al_diff_suite_row *r,
					struct an_sink *out)
{
	out->begin(out, NULL);
	out->string(out, "name", r->name);
	out->string(out, "match", get_word_gone_new_or_same_for_row(r));
	if (r->is_in[0] && r->is_in[1]) {
		out->string(out, "comparable",
			    al_diff_comparability_name(r->comparable));
		out->begin(out, "totals");
		al_diff_json_write_costs(out, r->totals);
		out->end(out);
		out->begin_list(out, "limits");
		for (size_t i = 0; r->limit && i < s->limits->n; i++)
			if (r->limit[i].text)
				al_diff_json_write_limit_result(out,
								&r->limit[i]);
		out->end(out);
	}
	out->end(out);
}

/* Return the worst value of @comparable among all pairs; AL_DIFF_ALL_SAME if
   there is no pair. */
static enum al_diff_comparable
least_comparable_of_all_pairs(const struct al_diff_suite *s)
{
	enum al_diff_comparable least = AL_DIFF_ALL_SAME;

	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].comparable > least)
			least = s->row[i].comparable;
	return least;
}

void al_diff_suite_write_json(const struct al_diff_suite *s, FILE *file)
{
	struct al_json json;
	struct an_sink *out = &json.sink;

	al_json_init(&json, file);
	out->begin(out, NULL);
	out->number(out, "schema", AL_DIFF_SCHEMA);
	out->string(
		out, "comparable",
		al_diff_comparability_name(least_comparable_of_all_pairs(s)));
	out->begin(out, "totals");
	al_diff_json_write_costs(out, s->totals);
	out->end(out);
	out->begin_list(out, "reports");
	for (size_t i = 0; i < s->n; i++)
		write_suite_row_json_object(s, &s->row[i], out);
	out->end(out);
	out->begin_list(out, "limits");
	for (size_t i = 0; i < s->limits->n; i++) {
		size_t exceeded = al_diff_suite_count_pairs_exceeding(s, i);

		out->begin(out, NULL);
		out->string(out, "limit", s->limits->limit[i].text);
		out->number(out, "exceeded_in", exceeded);
		al_json_write_bool(out, "exceeded", exceeded > 0);
		out->end(out);
	}
	out->end(out);
	out->end(out);
}

/* ---- Markdown ---- */

static void write_top_changed_reports_markdown(const struct al_diff_suite *s,
					       FILE *out)
{
	uint64_t change;
	int event = al_diff_suite_most_changed_event(s, &change);
	size_t n, shown;
	const struct al_diff_suite_row **row =
		al_diff_suite_new_sorted_changed_rows(s, event, &n);

	shown = s->top && n > s->top ? s->top : n;
	if (row && shown)
		al_diff_markdown_write_table_head(out, "report",
						  al_diff_event_name[event]);
	for (size_t i = 0;
	     row && i < shown && !al_diff_markdown_has_no_room_for_row(out);
	     i++) {
		fputs("| ", out);
		al_diff_markdown_write_fenced_code_span(out, row[i]->name);
		fputs(" |", out);
		al_diff_markdown_write_change_cells(
			out, row[i]->totals[0].event[event],
			row[i]->totals[1].event[event]);
		putc('\n', out);
	}
	fprintf(out, "\nThe totals of %zu of %zu reports differ.\n", n,
		al_diff_suite_count_summed_pairs(s));
	free(row);
}

static void
write_unpaired_and_incomparable_rows_md(const struct al_diff_suite *s,
					FILE *out)
{
	putc('\n', out);
	for (size_t i = 0;
	     i < s->n && !al_diff_markdown_has_no_room_for_row(out); i++) {
		const struct al_diff_suite_row *r = &s->row[i];

		if (r->is_summed)
			continue;
		fputs("- ", out);
		al_diff_markdown_write_fenced_code_span(out, r->name);
		if (r->obstacle) {
			fputs(" not comparable: ", out);
			al_diff_markdown_write_fenced_code_span(out,
								r->obstacle);
			putc('\n', out);
		} else {
			fprintf(out, " %s\n",
				get_word_gone_new_or_same_for_row(r));
		}
	}
}

static void write_limits_held_or_exceeded_md(const struct al_diff_suite *s,
					     FILE *out)
{
	char text[LONGEST_NAME];

	putc('\n', out);
	for (size_t k = 0;
	     k < s->limits->n && !al_diff_markdown_has_no_room_for_row(out);
	     k++) {
		if (al_diff_suite_count_pairs_exceeding(s, k) == 0) {
			fputs("- :white_check_mark: ", out);
			al_diff_markdown_write_fenced_code_span(
				out, s->limits->limit[k].text);
			putc('\n', out);
		}
		for (size_t i = 0;
		     i < s->n && !al_diff_markdown_has_no_room_for_row(out);
		     i++) {
			const struct al_diff_limit *l = s->row[i].limit;

			if (!l || !l[k].text || !l[k].exceeded)
				continue;
			al_diff_format_limit_verdict(text, sizeof(text), &l[k]);
			fputs("- :x: ", out);
			al_diff_markdown_write_fenced_code_span(out, text);
			fputs(" in ", out);
			al_diff_markdown_write_fenced_code_span(out,
								s->row[i].name);
			putc('\n', out);
		}
	}
}

/* Return the event of the head of the Markdown: that in which the reports
   differ most or, if its total does not differ, that in which the totals do. */
static int head_event(const struct al_diff_suite *s)
{
	uint64_t change;
	int event = al_diff_suite_most_changed_event(s, &change);

	return s->totals[0].event[event] != s->totals[1].event[event]
		       ? event
		       : al_diff_weighted_most_changed_event_or_0(s->totals);
}

void al_diff_suite_write_markdown(const struct al_diff_suite *s, FILE *file)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return;
	al_diff_markdown_write_head(out, "suite", s->totals, head_event(s));
	al_diff_markdown_write_totals(out, s->totals);
	write_limits_held_or_exceeded_md(s, out);
	write_unpaired_and_incomparable_rows_md(s, out);
	write_top_changed_reports_markdown(s, out);
	if (fclose(out) == 0)
		fwrite(text, 1, bytes, file);
	free(text);
}
