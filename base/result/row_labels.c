/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row_labels.c - the labels of a printed table's rows; see row_labels.h */

#include "base/result/row_labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compare two struct al_row_label * by the text that fits into the column, for
   qsort(). */
static int compare_cut_texts(const void *one, const void *other)
{
	const struct al_row_label *const *a = one, *const *b = other;

	return strcmp((*a)->cut, (*b)->cut);
}

/* Mark the labels @first to @end - 1, which are cut to the same text, as
   ambiguous if their lines differ. */
static void mark_equal_cuts_if_lines_differ(struct al_row_label **first,
					    struct al_row_label **end)
{
	bool differ = false;

	for (struct al_row_label **l = first; l < end; l++)
		differ |= strcmp((*l)->line, (*first)->line) != 0;
	for (struct al_row_label **l = first; l < end; l++)
		(*l)->is_ambiguous = differ;
}

/* Mark the labels that are ambiguous. Return: whether memory sufficed. */
static bool try_mark_ambiguous_labels(struct al_row_label *labels, size_t n)
{
	struct al_row_label **sorted = malloc((n + 1) * sizeof(*sorted));
	size_t first = 0;

	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &labels[i];
	qsort(sorted, n, sizeof(struct al_row_label *), compare_cut_texts);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && strcmp(sorted[i]->cut, sorted[first]->cut) == 0)
			continue;
		mark_equal_cuts_if_lines_differ(&sorted[first], &sorted[i]);
		first = i;
	}
	free(sorted);
	return true;
}

/* Return the label of a row and, if there is room, its note. The caller frees
   it; NULL if memory is short. */
static char *alloc_label_with_note(const struct al_column *column,
				   const union al_cell *row, size_t max_bytes)
{
	const char *note = column->note ? row[column->note].text : "";
	char *label = column->label(row, max_bytes), *both = NULL;

	if (label == NULL || !*note ||
	    strlen(label) + strlen(note) + 3 > max_bytes)
		return label;
	if (asprintf(&both, "%s (%s)", label, note) < 0)
		both = NULL;
	free(label);
	return both;
}

struct al_row_label *
al_row_labels_create(const struct al_table *table, const size_t *row_index,
		     size_t row_count, const struct al_column *column,
		     size_t column_width, size_t line_width)
{
	struct al_row_label *labels = calloc(row_count + 1, sizeof(*labels));
	bool is_complete = labels != NULL;

	for (size_t i = 0; i < row_count && is_complete; i++) {
		const union al_cell *row = al_table_row(table, row_index[i]);

		labels[i].cut =
			alloc_label_with_note(column, row, column_width);
		labels[i].line = alloc_label_with_note(column, row, line_width);
		is_complete = labels[i].cut && labels[i].line;
	}
	if (is_complete && try_mark_ambiguous_labels(labels, row_count))
		return labels;
	al_row_labels_free(labels, row_count);
	return NULL;
}

void al_row_labels_free(struct al_row_label *labels, size_t row_count)
{
	for (size_t i = 0; labels && i < row_count; i++) {
		free(labels[i].cut);
		free(labels[i].line);
	}
	free(labels);
}
