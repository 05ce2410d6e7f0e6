/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_labels.h - the labels of a printed table's rows, and which of them are
 *                cut to the same text
 *
 * Threads: one at a time.
 */
#ifndef BASE_RESULT_ROW_LABELS_H
#define BASE_RESULT_ROW_LABELS_H

#include <stdbool.h>

#include "base/result/model.h"

struct al_row_label {
	char *cut;	   /* label, cut to the width of the last column */
	char *line;	   /* label, cut to the width of a line of its own */
	bool is_ambiguous; /* the label of another row is cut to the same text,
			      but has another `line` */
};

/* Return the labels of @row_count rows of @table, which @row_index lists, for
   al_row_labels_free(). @column: a label column of the table. @column_width,
   @line_width: [bytes]. NULL: memory is short. */
struct al_row_label *
al_row_labels_create(const struct al_table *table, const size_t *row_index,
		     size_t row_count, const struct al_column *column,
		     size_t column_width, size_t line_width);

/* @labels: may be NULL. */
void al_row_labels_free(struct al_row_label *labels, size_t row_count);

#endif
