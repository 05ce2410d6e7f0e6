/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff_text.c - writes a comparison for a terminal; see output.h */

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "base/text/path.h"
#include "base/text/printable.h"
#include "lib/diff/output.h"

enum {
	LINE = 512, /* size of a line's buffer [bytes]; a longer line is cut */
	NAME = 24,  /* width of the column of names [characters] */
};

void al_diff_print_line_cut_at_80_columns(FILE *out, const char *format, ...)
{
	char line[LINE];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	al_write_unprintable_as_question_marks(out, line, AL_COLUMNS);
	putc('\n', out);
}

/* Write "@label: a, b, c" with all notes, in lines broken between two notes if
   the next one would exceed 80 columns. Write nothing if there are none. */
static void
print_label_and_notes_within_80_columns(FILE *out, const char *label,
					const struct al_diff_notes *n)
{
	size_t column = strlen(label) + 1, bytes;
	char *text;

	if (n->n == 0)
		return;
	fprintf(out, "%s:", label);
	for (size_t i = 0; i < n->n; i++) {
		bytes = strlen(n->text[i]);
		text = malloc(bytes + 1);
		if (text == NULL)
			continue;
		al_copy_unprintable_as_question_marks(text, bytes + 1,
						      n->text[i]);
		if (i && column + bytes + 2 > AL_COLUMNS) {
			fputs(",\n ", out);
			column = 1;
		} else if (i) {
			putc(',', out);
		}
		fprintf(out, " %s", text);
		column += bytes + 2;
		free(text);
	}
	putc('\n', out);
}

static void print_inputs_and_notes(const struct al_diff *d, FILE *out)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];

	al_diff_print_line_cut_at_80_columns(
		out, "alleria diff: %s -> %s%s%s", a->path,
		b->label ? b->label : b->path, b->command ? ": " : "",
		b->command ? b->command : "");
	print_label_and_notes_within_80_columns(out, "same", &d->same);
	print_label_and_notes_within_80_columns(out, "differs", &d->builds);
	print_label_and_notes_within_80_columns(out, "noted", &d->noted);
	print_label_and_notes_within_80_columns(out, "NOT COMPARABLE",
						&d->obstacles);
}

void al_diff_print_totals(const struct al_diff_costs totals[2], FILE *out)
{
	char n[2][AL_NUMBER_BYTES], change[AL_DIFF_NUMBER],
		percent[AL_DIFF_NUMBER];

	fputs("\n                       old            new         change\n",
	      out);
	for (int i = 0; i < AL_DIFF_EVENTS; i++) {
		uint64_t a = totals[0].event[i];
		uint64_t b = totals[1].event[i];

		al_diff_print_line_cut_at_80_columns(
			out, "  %-5s %18s %14s %14s %9s", al_diff_event_name[i],
			al_number_format_grouped(n[0], a),
			al_number_format_grouped(n[1], b),
			al_diff_format_signed_difference(change, a, b),
			al_diff_format_percent_new_or_gone(percent, a, b));
	}
}

void al_diff_print_change_table_head(FILE *out, const char *title,
				     const char *count_name)
{
	char head[96];

	snprintf(head, sizeof(head), "%s, %s", title, count_name);
	al_diff_print_line_cut_at_80_columns(out, "%-*s%14s %14s %14s %7s",
					     NAME + 2, head, "old", "new",
					     "change", "of all");
}

/* Print the row; a name longer than NAME bytes stands on a line of its own
   before it. */
void al_diff_print_change_row(FILE *out, const char *name, uint64_t old_count,
			      uint64_t new_count, uint64_t total_change)
{
	char n[2][AL_NUMBER_BYTES], change[AL_DIFF_NUMBER], share[16] = "-";
	uint64_t distance = old_count < new_count ? new_count - old_count
						  : old_count - new_count;

	if (total_change)
		snprintf(share, sizeof(share), "%.1f%%",
			 100 * (double)distance / (double)total_change);
	if (strlen(name) > NAME) {
		al_diff_print_line_cut_at_80_columns(out, "  %s", name);
		name = "";
	}
	al_diff_print_line_cut_at_80_columns(
		out, "  %-*s%14s %14s %14s %7s", NAME, name,
		al_number_format_grouped(n[0], old_count),
		al_number_format_grouped(n[1], new_count),
		al_diff_format_signed_difference(change, old_count, new_count),
		share);
}

static void format_function_and_match(char *to, size_t size,
				      const struct al_diff_function *f)
{
	size_t n = 0;

	n += (size_t)snprintf(to, size, "%s", f->name);
	if (n < size && f->match == AL_DIFF_RENAMED)
		n += (size_t)snprintf(to + n, size - n, " -> %s ~%u %%",
				      f->b_name, f->similarity);
	if (n < size && f->n_names[0] > 1)
		n += (size_t)snprintf(to + n, size - n, " x%u", f->n_names[0]);
	if (n < size && f->match == AL_DIFF_NEW)
		n += (size_t)snprintf(to + n, size - n, ", new");
	if (n < size && f->match == AL_DIFF_GONE)
		n += (size_t)snprintf(to + n, size - n, ", gone");
	if (n < size && f->inlined_into)
		snprintf(to + n, size - n, ", inlined into %s",
			 f->inlined_into);
}

static void
print_most_changed_functions_and_count(const struct al_diff_report *r,
				       FILE *out, int event,
				       uint64_t total_change)
{
	const struct al_diff *d = r->diff;
	char name[LINE];
	size_t n, shown;
	const struct al_diff_function **f =
		al_diff_list_changed_functions_sorted(d, event, &n);

	for (shown = 0; shown < n && shown < r->top; shown++)
		if (!al_diff_absolute_change(f[shown]->costs, event))
			break;
	putc('\n', out);
	if (shown)
		al_diff_print_change_table_head(out, "By function",
						al_diff_event_name[event]);
	for (size_t i = 0; i < shown; i++) {
		format_function_and_match(name, sizeof(name), f[i]);
		al_diff_print_change_row(out, name, f[i]->costs[0].event[event],
					 f[i]->costs[1].event[event],
					 total_change);
	}
	al_diff_print_line_cut_at_80_columns(
		out, "  %zu of %zu functions differ", n, d->n_functions);
	free(f);
}

/* Print a table of the functions that were renamed, or that only one run has,
   by their change of Ir, at most r->top, and the number of the others. */
static void print_renamed_new_gone_functions(const struct al_diff_report *r,
					     FILE *out)
{
	const struct al_diff *d = r->diff;
	char name[LINE];
	size_t n, shown = 0, moved = 0;
	const struct al_diff_function **f =
		al_diff_list_changed_functions_sorted(d, 0, &n);

	for (size_t i = 0; i < n; i++) {
		if (f[i]->match == AL_DIFF_SAME || ++moved > r->top)
			continue;
		if (shown++ == 0) {
			putc('\n', out);
			al_diff_print_change_table_head(out,
							"Renamed, new, gone",
							al_diff_event_name[0]);
		}
		format_function_and_match(name, sizeof(name), f[i]);
		al_diff_print_change_row(out, name, f[i]->costs[0].event[0],
					 f[i]->costs[1].event[0], 0);
	}
	if (moved > shown)
		al_diff_print_line_cut_at_80_columns(out, "  %zu more",
						     moved - shown);
	free(f);
}

static void
print_changed_lines_and_differing_count(const struct al_diff_report *r,
					FILE *out, int event,
					uint64_t total_change)
{
	const struct al_diff *d = r->diff;
	char name[64];
	const char *path = NULL, *function = NULL;
	size_t n, shown;
	const struct al_diff_line **l =
		al_diff_list_changed_lines_sorted(d, event, &n);

	for (shown = 0; shown < n && shown < r->top; shown++)
		if (!al_diff_absolute_change(l[shown]->costs, event))
			break;
	putc('\n', out);
	if (shown)
		al_diff_print_change_table_head(out, "By line",
						al_diff_event_name[event]);
	for (size_t i = 0; i < shown; i++) {
		if (l[i]->path != path || l[i]->function != function)
			al_diff_print_line_cut_at_80_columns(
				out, "  %s  %s", l[i]->function,
				strcmp(l[i]->path, "???") == 0
					? l[i]->object
					: al_path_base_name(l[i]->path));
		path = l[i]->path;
		function = l[i]->function;
		snprintf(name, sizeof(name), "  ");
		al_diff_format_line_numbers_and_match(name + 2,
						      sizeof(name) - 2, l[i]);
		al_diff_print_change_row(out, name, l[i]->costs[0].event[event],
					 l[i]->costs[1].event[event],
					 total_change);
	}
	al_diff_print_line_cut_at_80_columns(out, "  %zu of %zu lines differ",
					     n, d->n_lines);
	free(l);
}

/* Return the absolute change of the sum of a count over all data objects. */
static uint64_t
absolute_difference_of_data_totals(const struct al_diff *d,
				   enum al_diff_data_count count)
{
	uint64_t sum[2] = {0, 0};

	for (size_t i = 0; i < d->n_data; i++)
		for (int side = 0; side < 2; side++)
			sum[side] += d->data[i].count[side][count];
	return sum[0] < sum[1] ? sum[1] - sum[0] : sum[0] - sum[1];
}

/* Print a table of the data objects whose @count changed most, if there are
   any. */
static void print_changed_data_objects(const struct al_diff_report *r,
				       FILE *out, enum al_diff_data_count count)
{
	uint64_t total_change =
		absolute_difference_of_data_totals(r->diff, count);
	char name[LINE], buffer[AL_DIFF_NUMBER];
	const char *count_name =
		al_diff_data_count_name(buffer, r->diff, count);
	size_t n;
	const struct al_diff_data **data =
		al_diff_list_changed_data_sorted(r->diff, count, &n);

	if (count_name == NULL)
		n = 0;
	if (n > 0) {
		putc('\n', out);
		al_diff_print_change_table_head(out, "By data object",
						count_name);
	}
	for (size_t i = 0; i < n && i < r->top; i++) {
		al_diff_format_data_name_and_match(name, sizeof(name), data[i]);
		al_diff_print_change_row(out, name, data[i]->count[0][count],
					 data[i]->count[1][count],
					 total_change);
	}
	free(data);
}

/* Print the changes of data objects, if both runs have the analysis "data". */
static void print_data_object_tables(const struct al_diff_report *r, FILE *out)
{
	const struct al_diff *d = r->diff;
	size_t n = 0;

	if (d->n_data == 0)
		return;
	for (int i = 0; i < AL_DIFF_DATA_COUNTS; i++)
		print_changed_data_objects(r, out, (enum al_diff_data_count)i);
	for (size_t i = 0; i < d->n_data; i++)
		n += al_diff_any_data_count_differs(&d->data[i]);
	if (n == 0)
		putc('\n', out);
	al_diff_print_line_cut_at_80_columns(
		out, "  %zu of %zu rows of data objects differ", n, d->n_data);
}

static void print_limit_results_and_exit_status(const struct al_diff_report *r,
						FILE *out)
{
	char text[LINE];

	if (r->n_limits == 0)
		return;
	putc('\n', out);
	for (size_t i = 0; i < r->n_limits; i++) {
		al_diff_format_limit_verdict(text, sizeof(text), &r->limit[i]);
		al_diff_print_line_cut_at_80_columns(out, "limit: %s", text);
	}
	al_diff_print_line_cut_at_80_columns(out, "status %u", r->status);
}

void al_diff_write_text(const struct al_diff_report *r, FILE *out)
{
	const struct al_diff *d = r->diff;
	const struct al_diff_costs totals[2] = {d->in[0]->totals,
						d->in[1]->totals};
	int event = al_diff_most_changed_total_event(d);
	uint64_t all = al_diff_absolute_change(totals, event);

	print_inputs_and_notes(d, out);
	al_diff_print_totals(totals, out);
	print_most_changed_functions_and_count(r, out, event, all);
	print_renamed_new_gone_functions(r, out);
	print_changed_lines_and_differing_count(r, out, event, all);
	print_data_object_tables(r, out);
	print_limit_results_and_exit_status(r, out);
}
