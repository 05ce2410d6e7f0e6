/* SPDX-License-Identifier: GPL-2.0-or-later */
/* annotation.c - counts of source lines; see annotation.h */

#include "lib/report/annotation.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/escape.h"

void al_annotation_release(struct al_annotation *a)
{
	free(a->text);
	free(a->row);
	*a = (struct al_annotation){0};
}

/* The whole file, NUL-terminated. */
static int read_all(struct al_annotation *a, FILE *file)
{
	size_t size = 0;
	ssize_t n = getdelim(&a->text, &size, '\0', file);

	if (n >= 0)
		return 0;
	return ferror(file) ? -errno : -EPROTO;
}

static struct al_annotated_line *add_row(struct al_annotation *a)
{
	size_t size = a->size ? 2 * a->size : 1024;
	void *bigger;

	if (a->n == a->size) {
		bigger = realloc(a->row, size * sizeof(*a->row));
		if (!bigger)
			return NULL;
		a->row = bigger;
		a->size = size;
	}
	return &a->row[a->n++];
}

static int take_events(struct al_annotation *a, char *words)
{
	char *save, *word = strtok_r(words, " ", &save);

	for (; word; word = strtok_r(NULL, " ", &save)) {
		if (a->n_events == AL_MAX_COSTS)
			return -EPROTO;
		a->event[a->n_events++] = word;
	}
	return 0;
}

/* Counts that are left out at the end are 0. */
static int take_row(struct al_annotation *a, const char *file,
		    const char *function, char *line)
{
	struct al_annotated_line *row;

	if (!file || !function)
		return -EPROTO;
	row = add_row(a);
	if (!row)
		return -ENOMEM;
	*row = (struct al_annotated_line){.file = file, .function = function};
	row->line = strtoull(line, &line, 10);
	for (unsigned i = 0; i < a->n_events; i++)
		row->cost[i] = strtoull(line, &line, 10);
	return 0;
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

static int take_lines(struct al_annotation *a)
{
	const char *file = NULL, *function = NULL;
	char *save, *line = strtok_r(a->text, "\n", &save);
	int err = 0;

	for (; line && !err; line = strtok_r(NULL, "\n", &save)) {
		if (begins(line, "fl="))
			file = al_unescape(line + 3);
		else if (begins(line, "fn="))
			function = al_unescape(line + 3);
		else if (begins(line, "events: "))
			err = take_events(a, line + 8);
		else if (line[0] >= '0' && line[0] <= '9')
			err = take_row(a, file, function, line);
	}
	return err;
}

int al_annotation_read(struct al_annotation *a, FILE *file)
{
	int err = read_all(a, file);

	if (!err)
		err = take_lines(a);
	return !err && a->n_events == 0 ? -EPROTO : err;
}

unsigned al_annotation_event(const struct al_annotation *a, const char *name)
{
	unsigned i = 0;

	while (i < a->n_events && strcmp(a->event[i], name) != 0)
		i++;
	return i;
}

static bool is_same(const struct al_annotated_line *a,
		    const struct al_annotated_line *b)
{
	return !strcmp(a->function, b->function) && !strcmp(a->file, b->file);
}

static int larger(const void *one, const void *other, void *by)
{
	uint64_t a =
		((const struct al_annotated_line *)one)->cost[*(unsigned *)by];
	uint64_t b = ((const struct al_annotated_line *)other)
			     ->cost[*(unsigned *)by];

	return (a < b) - (a > b);
}

/* Rows of a function in a file follow each other. */
struct al_annotated_line *al_annotation_functions(const struct al_annotation *a,
						  unsigned by, size_t *n)
{
	struct al_annotated_line *f = calloc(a->n + 1, sizeof(*f));

	*n = 0;
	for (size_t i = 0; f && i < a->n; i++) {
		const struct al_annotated_line *row = &a->row[i];

		if (*n == 0 || !is_same(&f[*n - 1], row)) {
			f[(*n)++] = *row;
			continue;
		}
		for (unsigned e = 0; e < a->n_events; e++)
			f[*n - 1].cost[e] += row->cost[e];
	}
	if (f)
		qsort_r(f, *n, sizeof(*f), larger, &by);
	return f;
}
