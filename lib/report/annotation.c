/* SPDX-License-Identifier: GPL-2.0-or-later */
/* annotation.c - reads and sums counts of source lines; see annotation.h */

#include "lib/report/annotation.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/text/escape.h"

void al_annotation_release(struct al_annotation *a)
{
	free(a->text);
	free(a->row);
	free(a->source);
	*a = (struct al_annotation){0};
}

/* Read @file up to its end or the first NUL into @a->text, NUL-terminated.
   Return: 0; -errno; -EPROTO if @file is empty. */
static int read_whole_file_into_text(struct al_annotation *a, FILE *file)
{
	size_t size = 0;
	ssize_t n = getdelim(&a->text, &size, '\0', file);

	if (n >= 0)
		return 0;
	return ferror(file) ? -errno : -EPROTO;
}

/* Append an annotated line, which the caller sets. Return: NULL if memory is
   short. */
static struct al_annotated_line *
append_uninitialised_line(struct al_annotation *a)
{
	return al_array_reserve(a->row, a->size, a->n + 1) ? NULL
							   : &a->row[a->n++];
}

/* Split @words at spaces, in place, and append each as the name of an event.
   Return: 0; -EPROTO if there are more than AL_MAX_COSTS events. */
static int split_and_append_event_names(struct al_annotation *a, char *words)
{
	char *save, *word = strtok_r(words, " ", &save);

	for (; word; word = strtok_r(NULL, " ", &save)) {
		if (a->n_events == AL_MAX_COSTS)
			return -EPROTO;
		a->event[a->n_events++] = word;
	}
	return 0;
}

/* Parse a line number and the counts after it, and append them as an annotated
   line of @function in @file. Counts missing at the end are 0. Return: 0;
   -EPROTO if no file or function precedes; -ENOMEM. */
static int parse_and_append_line_costs(struct al_annotation *a,
				       const char *file, const char *function,
				       char *line)
{
	struct al_annotated_line *row;

	if (!file || !function)
		return -EPROTO;
	row = append_uninitialised_line(a);
	if (!row)
		return -ENOMEM;
	*row = (struct al_annotated_line){.file = file, .function = function};
	row->line = strtoull(line, &line, 10);
	for (unsigned i = 0; i < a->n_events; i++)
		row->cost[i] = strtoull(line, &line, 10);
	return 0;
}

static bool starts_with(const char *line, const char *prefix)
{
	return !strncmp(line, prefix, strlen(prefix));
}

static int split_and_parse_cachegrind_out_text(struct al_annotation *a)
{
	const char *file = NULL, *function = NULL;
	char *save, *line = strtok_r(a->text, "\n", &save);
	int err = 0;

	for (; line && !err; line = strtok_r(NULL, "\n", &save)) {
		if (starts_with(line, "fl="))
			file = al_unescape_in_place(line + 3);
		else if (starts_with(line, "fn="))
			function = al_unescape_in_place(line + 3);
		else if (starts_with(line, "events: "))
			err = split_and_append_event_names(a, line + 8);
		else if (line[0] >= '0' && line[0] <= '9')
			err = parse_and_append_line_costs(a, file, function,
							  line);
	}
	return err;
}

int al_annotation_read_cachegrind_file(struct al_annotation *a, FILE *file)
{
	int err = read_whole_file_into_text(a, file);

	if (!err)
		err = split_and_parse_cachegrind_out_text(a);
	return !err && a->n_events == 0 ? -EPROTO : err;
}

unsigned al_annotation_event_index_or_n_events(const struct al_annotation *a,
					       const char *name)
{
	unsigned i = 0;

	while (i < a->n_events && strcmp(a->event[i], name) != 0)
		i++;
	return i;
}

static bool has_same_file_and_function(const struct al_annotated_line *a,
				       const struct al_annotated_line *b)
{
	return !strcmp(a->function, b->function) && !strcmp(a->file, b->file);
}

static int compare_event_costs_descending(const void *one, const void *other,
					  void *event_index)
{
	uint64_t a = ((const struct al_annotated_line *)one)
			     ->cost[*(unsigned *)event_index];
	uint64_t b = ((const struct al_annotated_line *)other)
			     ->cost[*(unsigned *)event_index];

	return (a < b) - (a > b);
}

/* The lines of a function in one source file are adjacent in a cachegrind.out
   file, so one pass sums them. */
struct al_annotated_line *
al_annotation_new_sorted_function_sums(const struct al_annotation *a,
				       unsigned sort_event_index,
				       size_t *function_count)
{
	struct al_annotated_line *f = calloc(a->n + 1, sizeof(*f));

	*function_count = 0;
	for (size_t i = 0; f && i < a->n; i++) {
		const struct al_annotated_line *row = &a->row[i];

		if (*function_count == 0 ||
		    !has_same_file_and_function(&f[*function_count - 1], row)) {
			f[(*function_count)++] = *row;
			continue;
		}
		for (unsigned e = 0; e < a->n_events; e++)
			f[*function_count - 1].cost[e] += row->cost[e];
	}
	if (f)
		qsort_r(f, *function_count, sizeof(*f),
			compare_event_costs_descending, &sort_event_index);
	return f;
}
