/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff_markdown.c - writes a comparison as Markdown; see output.h
 *
 * Names come from programs. In Markdown they stand in code spans, whose fences
 * are longer than any run of '`' in them; '|' and control characters, which a
 * table interprets even in a code span, are replaced.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "base/text/path.h"
#include "base/text/printable.h"
#include "lib/diff/output.h"

enum {
	MOST_BYTES = 60000, /* size that the text must not exceed; GitHub limits
			       a comment to 65,536 characters */
	DATA_BYTES = 45000, /* size up to which rows of data objects are added,
			       so that there is room for lines */
	MOST_ROW = 2000,    /* bytes that one more row needs at most */
	LONGEST_NAME = 300, /* size of a name's buffer [bytes]; a longer name is
			       cut */
};

/* Return the length of the longest run of '`' in @s. */
static size_t longest_backtick_run_length(const char *s)
{
	size_t most = 0, n = 0;

	for (; *s; s++) {
		n = *s == '`' ? n + 1 : 0;
		most = n > most ? n : most;
	}
	return most;
}

void al_diff_markdown_write_fenced_code_span(FILE *out, const char *name)
{
	char text[LONGEST_NAME];
	size_t run;

	al_copy_unprintable_as_question_marks(text, sizeof(text), name);
	for (char *s = text; *s; s++)
		if (*s == '|')
			*s = '?';
	run = longest_backtick_run_length(text) + 1;
	for (size_t i = 0; i < run; i++)
		putc('`', out);
	fprintf(out, "%s%s%s", run > 1 ? " " : "", text, run > 1 ? " " : "");
	for (size_t i = 0; i < run; i++)
		putc('`', out);
}

void al_diff_markdown_write_change_cells(FILE *out, uint64_t old_count,
					 uint64_t new_count)
{
	char n[2][AL_NUMBER_BYTES], change[AL_DIFF_NUMBER],
		percent[AL_DIFF_NUMBER];

	fprintf(out, " %s | %s | %s | %s |",
		al_number_format_grouped(n[0], old_count),
		al_number_format_grouped(n[1], new_count),
		al_diff_format_signed_difference(change, old_count, new_count),
		al_diff_format_percent_new_or_gone(percent, old_count,
						   new_count));
}

void al_diff_markdown_write_head(FILE *out, const char *marker_name,
				 const struct al_diff_costs totals[2],
				 int event)
{
	char n[2][AL_NUMBER_BYTES], percent[AL_DIFF_NUMBER];
	uint64_t a = totals[0].event[event];
	uint64_t b = totals[1].event[event];

	fputs("<!-- alleria:", out);
	for (const char *s = marker_name; *s; s++)
		putc(strchr("abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+",
			    *s)
			     ? *s
			     : '_',
		     out);
	if (a == b)
		fputs(" -->\n**No total differs.**\n\n", out);
	else
		fprintf(out, " -->\n**%s %s** (%s -> %s)\n\n",
			al_diff_readable_event_name(event),
			al_diff_format_percent_new_or_gone(percent, a, b),
			al_number_format_grouped(n[0], a),
			al_number_format_grouped(n[1], b));
}

static void write_note_bullets(FILE *out, const char *label,
			       const struct al_diff_notes *n)
{
	for (size_t i = 0; i < n->n; i++) {
		fprintf(out, "- %s: ", label);
		al_diff_markdown_write_fenced_code_span(out, n->text[i]);
		putc('\n', out);
	}
}

void al_diff_markdown_write_totals(FILE *out,
				   const struct al_diff_costs totals[2])
{
	fputs("\n| event | base | this | change | |\n"
	      "|---|--:|--:|--:|--:|\n",
	      out);
	for (int i = 0; i < AL_DIFF_EVENTS; i++) {
		fprintf(out, "| %s |", al_diff_event_name[i]);
		al_diff_markdown_write_change_cells(out, totals[0].event[i],
						    totals[1].event[i]);
		putc('\n', out);
	}
}

static void write_limit_results(FILE *out, const struct al_diff_report *r)
{
	char text[LONGEST_NAME];

	if (r->n_limits)
		putc('\n', out);
	for (size_t i = 0;
	     i < r->n_limits && !al_diff_markdown_has_no_room_for_row(out);
	     i++) {
		al_diff_format_limit_verdict(text, sizeof(text), &r->limit[i]);
		fputs(r->limit[i].exceeded ? "- :x: " : "- :white_check_mark: ",
		      out);
		al_diff_markdown_write_fenced_code_span(out, text);
		putc('\n', out);
	}
}

static void write_line_table_row(FILE *out, const struct al_diff_line *l,
				 int event)
{
	char place[64], name[LONGEST_NAME];

	al_diff_format_line_numbers_and_match(place, sizeof(place), l);
	snprintf(name, sizeof(name), "%s:%s", al_path_base_name(l->path),
		 place);
	fputs("| ", out);
	al_diff_markdown_write_fenced_code_span(out, name);
	fputs(" in ", out);
	al_diff_markdown_write_fenced_code_span(out, l->function);
	fputs(" |", out);
	al_diff_markdown_write_change_cells(out, l->costs[0].event[event],
					    l->costs[1].event[event]);
	putc('\n', out);
}

static void
write_function_table_row(FILE *out, const struct al_diff_function *f, int event)
{
	fputs("| ", out);
	al_diff_markdown_write_fenced_code_span(out, f->name);
	if (f->match == AL_DIFF_RENAMED) {
		fputs(" -> ", out);
		al_diff_markdown_write_fenced_code_span(out, f->b_name);
	} else if (f->match != AL_DIFF_SAME) {
		fprintf(out, " %s", al_diff_match_name(f->match));
	}
	if (f->inlined_into) {
		fputs(", inlined into ", out);
		al_diff_markdown_write_fenced_code_span(out, f->inlined_into);
	}
	fputs(" |", out);
	al_diff_markdown_write_change_cells(out, f->costs[0].event[event],
					    f->costs[1].event[event]);
	putc('\n', out);
}

void al_diff_markdown_write_table_head(FILE *out, const char *title,
				       const char *count_name)
{
	fprintf(out,
		"\n| %s, %s | base | this | change | |\n"
		"|---|--:|--:|--:|--:|\n",
		title, count_name);
}

bool al_diff_markdown_has_no_room_for_row(FILE *out)
{
	return ftell(out) >= MOST_BYTES - MOST_ROW;
}

/* Write a table of the lines l[@first_index] to l[@end_index - 1], with its
   head. Stop before a row for which the text has no room left. */
static void write_line_table_until_full(FILE *out,
					const struct al_diff_line *const *l,
					size_t first_index, size_t end_index,
					int event)
{
	al_diff_markdown_write_table_head(out, "line",
					  al_diff_event_name[event]);
	for (size_t i = first_index;
	     i < end_index && !al_diff_markdown_has_no_room_for_row(out); i++)
		write_line_table_row(out, l[i], event);
}

/* Return how many of the functions, sorted by |B - A| of @event, differ in that
   event. */
static size_t
count_functions_changed(const struct al_diff_function *const *sorted_by_change,
			size_t function_count, int event)
{
	size_t n = 0;

	while (n < function_count &&
	       al_diff_absolute_change(sorted_by_change[n]->costs, event))
		n++;
	return n;
}

static size_t
count_lines_changed(const struct al_diff_line *const *sorted_by_change,
		    size_t line_count, int event)
{
	size_t n = 0;

	while (n < line_count &&
	       al_diff_absolute_change(sorted_by_change[n]->costs, event))
		n++;
	return n;
}

static void write_function_table_if_any(FILE *out,
					const struct al_diff_function *const *f,
					size_t function_count, size_t top,
					int event)
{
	size_t shown = function_count < top ? function_count : top;

	if (shown)
		al_diff_markdown_write_table_head(out, "function",
						  al_diff_event_name[event]);
	for (size_t i = 0; i < shown; i++)
		if (ftell(out) < MOST_BYTES / 2)
			write_function_table_row(out, f[i], event);
}

/* Write a table of the first @top lines, and one of the other lines, which is
   folded until the reader opens it. Write nothing if there are no lines. */
static void
write_top_and_folded_line_tables(FILE *out, const struct al_diff_line *const *l,
				 size_t line_count, size_t top, int event)
{
	size_t shown = line_count < top ? line_count : top;

	if (shown)
		write_line_table_until_full(out, l, 0, shown, event);
	if (shown == line_count)
		return;
	fprintf(out, "\n<details><summary>%zu more lines differ</summary>\n",
		line_count - shown);
	write_line_table_until_full(out, l, shown, line_count, event);
	fputs("\n</details>\n", out);
}

/* Write a table of the first @top data objects whose @count changed, if there
   are any. */
static void write_markdown_data_table_if_any(FILE *out, const struct al_diff *d,
					     enum al_diff_data_count count,
					     size_t top)
{
	char name[LONGEST_NAME], buffer[AL_DIFF_NUMBER];
	const char *count_name = al_diff_data_count_name(buffer, d, count);
	size_t n;
	const struct al_diff_data **data =
		al_diff_list_changed_data_sorted(d, count, &n);

	if (count_name == NULL)
		n = 0;
	if (n > 0)
		al_diff_markdown_write_table_head(out, "data object",
						  count_name);
	for (size_t i = 0; i < n && i < top && ftell(out) < DATA_BYTES; i++) {
		al_diff_format_data_name_and_match(name, sizeof(name), data[i]);
		fputs("| ", out);
		al_diff_markdown_write_fenced_code_span(out, name);
		fputs(" |", out);
		al_diff_markdown_write_change_cells(out,
						    data[i]->count[0][count],
						    data[i]->count[1][count]);
		putc('\n', out);
	}
	free(data);
}

static void write_function_data_and_line_tables(FILE *out,
						const struct al_diff_report *r,
						int event)
{
	size_t n_lines, n_functions;
	const struct al_diff_line **l =
		al_diff_list_changed_lines_sorted(r->diff, event, &n_lines);
	const struct al_diff_function **f =
		al_diff_list_changed_functions_sorted(r->diff, event,
						      &n_functions);

	if (f)
		write_function_table_if_any(
			out, f, count_functions_changed(f, n_functions, event),
			r->top, event);
	for (int i = 0; i < AL_DIFF_DATA_COUNTS; i++)
		write_markdown_data_table_if_any(
			out, r->diff, (enum al_diff_data_count)i, r->top);
	if (l)
		write_top_and_folded_line_tables(
			out, l, count_lines_changed(l, n_lines, event), r->top,
			event);
	fprintf(out, "\n%zu of %zu functions and %zu of %zu lines differ.\n",
		n_functions, r->diff->n_functions, n_lines, r->diff->n_lines);
	free(l);
	free(f);
}

static void write_markdown_document(FILE *out, const struct al_diff_report *r)
{
	const struct al_diff *d = r->diff;
	const struct al_diff_costs totals[2] = {d->in[0]->totals,
						d->in[1]->totals};
	const char *program = d->in[1]->program;
	int event = al_diff_most_changed_total_event(d);

	al_diff_markdown_write_head(
		out, program ? al_path_base_name(program) : "", totals, event);
	write_note_bullets(out, "not comparable", &d->obstacles);
	write_note_bullets(out, "noted", &d->noted);
	write_note_bullets(out, "differs", &d->builds);
	al_diff_markdown_write_totals(out, totals);
	write_limit_results(out, r);
	write_function_data_and_line_tables(out, r, event);
}

/* Write the text to memory first and then to @file, because ftell(), by which
   the writers limit the size of the text, fails on a pipe. */
void al_diff_write_markdown(const struct al_diff_report *r, FILE *file)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return;
	write_markdown_document(out, r);
	if (fclose(out) == 0)
		fwrite(text, 1, bytes, file);
	free(text);
}
