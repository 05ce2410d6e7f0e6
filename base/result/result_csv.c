/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_csv.c - writes a table as comma-separated values; see result_csv.h */

#include "base/result/result_csv.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER = 24 /* [bytes] for a number's digits and the NUL */ };

struct output {
	int (*write)(void *to, const void *data, size_t bytes);
	void *to;
	int error;
};

static void write_bytes(struct output *o, const char *data, size_t bytes)
{
	if (!o->error && bytes > 0)
		o->error = o->write(o->to, data, bytes);
}

/* Write a string. If it has a comma, quote, CR or LF, write it in quotes, with
   its quotes doubled. */
static void write_text_quoted_if_needed(struct output *o, const char *s)
{
	const char *quote;

	if (strpbrk(s, ",\"\r\n") == NULL) {
		write_bytes(o, s, strlen(s));
		return;
	}
	write_bytes(o, "\"", 1);
	for (; (quote = strchr(s, '"')) != NULL; s = quote + 1) {
		write_bytes(o, s, (size_t)(quote - s));
		write_bytes(o, "\"\"", 2);
	}
	write_bytes(o, s, strlen(s));
	write_bytes(o, "\"", 1);
}

/* Write the cell of column @c, nothing for a text that is NULL; the key of the
   column if @cell_or_null is NULL. */
static void write_csv_cell_or_key(struct output *o, const struct al_column *c,
				  const union al_cell *cell_or_null)
{
	char number[NUMBER];

	if (cell_or_null == NULL) {
		write_text_quoted_if_needed(o, c->key);
	} else if (c->kind == AL_COLUMN_NUMBER) {
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)cell_or_null->number);
		write_text_quoted_if_needed(o, number);
	} else if (cell_or_null->text != NULL) {
		write_text_quoted_if_needed(o, cell_or_null->text);
	}
}

/* Write the line of a row; the line of the keys if @row_or_null is NULL.
   Columns without a key are left out. */
static void write_csv_row_or_keys(struct output *o, const struct al_table *t,
				  const union al_cell *row_or_null)
{
	const char *separator = "";

	for (unsigned i = 0; i < t->n_stored; i++) {
		if (t->column[i].key == NULL)
			continue;
		write_bytes(o, separator, strlen(separator));
		write_csv_cell_or_key(o, &t->column[i],
				      row_or_null ? &row_or_null[i] : NULL);
		separator = ",";
	}
	write_bytes(o, "\n", 1);
}

int al_table_write_csv(const struct al_table *t,
		       int (*write)(void *to, const void *data, size_t bytes),
		       void *to)
{
	struct output o = {write, to, 0};

	write_csv_row_or_keys(&o, t, NULL);
	for (size_t i = 0; i < t->n_rows && !o.error; i++)
		write_csv_row_or_keys(&o, t, al_table_row(t, i));
	return o.error;
}
