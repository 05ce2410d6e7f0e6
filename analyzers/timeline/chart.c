/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart.c - draws a timeline as rows of characters; see timeline.h */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyzers/timeline/timeline.h"

enum {
	WIDTH = 48, /* maximum number of characters of a row */
	LINE = 128, /* [bytes] size of a line with its NUL */
	NUMBER = 24,
	LABEL = 24,
};

/* Characters for the values of a row, from 0 to its maximum. */
static const char ink[] = " .:-=+*#%@";

/* A row of the chart: the value that each character of the row shows. */
struct row {
	double value[WIDTH];
	unsigned n;
	double max;
};

static unsigned count_characters_of_chart_row(const struct an_bins *b)
{
	return b->n < WIDTH ? b->n : WIDTH;
}

/* Return the first of the bins that character number @character, in the printed
   row of a chart, stands for. */
static uint32_t first_bin_of_row_character(const struct an_bins *b,
					   unsigned character)
{
	return (uint32_t)((uint64_t)character * b->n /
			  count_characters_of_chart_row(b));
}

static uint64_t sum_bins(const uint64_t *count, uint32_t first, uint32_t end)
{
	uint64_t sum = 0;

	for (uint32_t i = first; i < end; i++)
		sum += count[i];
	return sum;
}

/* Set the row to the sum of series @first_counts and @added_counts_or_null per
   1000 instructions. @added_counts_or_null: NULL: only @first_counts. */
static void set_row_to_events_per_1000_instrs(
	struct row *row, const struct an_time_chart *chart,
	const uint64_t *first_counts, const uint64_t *added_counts_or_null)
{
	const struct an_bins *bins = &chart->counts->bins;

	row->n = count_characters_of_chart_row(bins);
	row->max = 0;
	for (unsigned i = 0; i < row->n; i++) {
		uint32_t first = first_bin_of_row_character(bins, i),
			 end = first_bin_of_row_character(bins, i + 1);
		uint64_t instrs = sum_bins(
			an_bins_series(bins, AN_TIME_INSTRUCTIONS), first, end);
		uint64_t events =
			sum_bins(first_counts, first, end) +
			(added_counts_or_null
				 ? sum_bins(added_counts_or_null, first, end)
				 : 0);

		row->value[i] =
			instrs ? 1000.0 * (double)events / (double)instrs : 0;
		if (row->value[i] > row->max)
			row->max = row->value[i];
	}
}

/* Set the row to the largest number that a series has in each character's
   bins. */
static void set_row_to_maximum_of_each_character(struct row *row,
						 const struct an_bins *bins,
						 const uint64_t *count)
{
	row->n = count_characters_of_chart_row(bins);
	row->max = 0;
	for (unsigned i = 0; i < row->n; i++) {
		row->value[i] = 0;
		for (uint32_t bin = first_bin_of_row_character(bins, i);
		     bin < first_bin_of_row_character(bins, i + 1); bin++)
			if ((double)count[bin] > row->value[i])
				row->value[i] = (double)count[bin];
		if (row->value[i] > row->max)
			row->max = row->value[i];
	}
}

/* Print a row: its label, a character for each value, and the maximum. */
static void print_row_as_characters_and_maximum(const struct row *row,
						const char *label, int decimals,
						struct an_text *text)
{
	char cells[WIDTH + 1], line[LINE];

	for (unsigned i = 0; i < row->n; i++) {
		unsigned level =
			row->max > 0 ? (unsigned)(row->value[i] / row->max *
							  (sizeof(ink) - 2) +
						  0.5)
				     : 0;

		/* A value above 0 is never a space. */
		cells[i] = ink[level + (level == 0 && row->value[i] > 0)];
	}
	cells[row->n] = 0;
	snprintf(line, sizeof(line), "  %-12s |%s| %.*f", label, cells,
		 decimals, row->max);
	text->line(text, line);
}

/* Return the counts of a series; NULL if there is none of this name. */
static const uint64_t *get_series_by_name(const struct an_time_chart *chart,
					  const char *name)
{
	for (unsigned i = 0; i < chart->n_series; i++)
		if (strcmp(chart->series[i].name, name) == 0)
			return chart->series[i].count;
	return NULL;
}

static void print_miss_rate_rows_of_levels(const struct an_time_chart *chart,
					   struct an_text *text)
{
	const struct an_bins *b = &chart->counts->bins;
	char label[LABEL];
	struct row row;

	for (int i = 0; i < chart->geometry->n_levels; i++) {
		set_row_to_events_per_1000_instrs(
			&row, chart,
			an_bins_series(
				b, an_series_of_level(i, AN_LEVEL_READ_MISSES)),
			an_bins_series(b, an_series_of_level(
						  i, AN_LEVEL_WRITE_MISSES)));
		snprintf(label, sizeof(label), "%.4s misses",
			 chart->geometry->level[i].name);
		if (row.max > 0)
			print_row_as_characters_and_maximum(&row, label, 2,
							    text);
	}
}

static void
print_row_of_running_thread_counts(const struct an_time_chart *chart,
				   struct an_text *text)
{
	const uint64_t *count = get_series_by_name(chart, "running_threads");
	struct row row;

	if (count == NULL)
		return;
	set_row_to_maximum_of_each_character(&row, &chart->counts->bins, count);
	if (row.max > 1)
		print_row_as_characters_and_maximum(&row, "threads", 0, text);
}

void an_time_chart_print(const void *state, uint64_t unused,
			 struct an_text *text)
{
	const struct an_time_chart *chart = state;
	const struct an_bins *b = &chart->counts->bins;
	const uint64_t *pages = get_series_by_name(chart, "working_set");
	struct row row;
	char line[LINE];

	(void)unused;
	if (b->n == 0 || pages == NULL)
		return;
	text->heading(text, "Timeline");
	snprintf(line, sizeof(line), "  per 1000 instructions, %*s maximum",
		 WIDTH - 8, "");
	text->line(text, line);
	set_row_to_events_per_1000_instrs(&row, chart,
					  an_bins_series(b, AN_TIME_READS),
					  an_bins_series(b, AN_TIME_WRITES));
	print_row_as_characters_and_maximum(&row, "accesses", 2, text);
	print_miss_rate_rows_of_levels(chart, text);
	set_row_to_maximum_of_each_character(&row, b, pages);
	print_row_as_characters_and_maximum(&row, "pages used", 0, text);
	print_row_of_running_thread_counts(chart, text);
	snprintf(line, sizeof(line),
		 "  %" PRIu32 " intervals of %" PRIu64
		 " instructions; all numbers are in the JSON report",
		 b->n, an_bins_width(b));
	text->line(text, line);
}
