/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row_labels_test.c - tests which labels are cut to the same text, and how
   tables print these */
#include "base/result/row_labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/result/result_text.h"
#include "tests/tap.h"

enum { NAME, COUNT, NOTE, STORED, LABEL = STORED, ALL, ROWS = 4 };

static char *label(const union al_cell *row, size_t most)
{
	return strndup(row[NAME].text, most);
}

static const struct al_column column[ALL] = {
	[NAME] = {.key = "name", .title = "name"},
	[COUNT] = {.key = "n", .title = "n", .kind = AL_COLUMN_NUMBER},
	[NOTE] = {.id = "note"},
	[LABEL] = {.title = "who",
		   .kind = AL_COLUMN_LABEL,
		   .label = label,
		   .note = NOTE},
};

static const struct al_table *add_table_and_view(struct al_model *m)
{
	static const union al_cell row[ROWS][STORED] = {
		{{.text = "list one"}, {.number = 1000009}, {.text = ""}},
		{{.text = "list other"}, {.number = 1000008}, {.text = "n"}},
		{{.text = "tree"}, {.number = 1000007}, {.text = "oak"}},
		{{.text = "list one"}, {.number = 1000006}, {.text = ""}},
	};
	static const unsigned shown[] = {COUNT, LABEL};
	struct al_table *t = al_model_add_table(m, "t", "T", column, ALL);

	for (int i = 0; i < ROWS; i++)
		al_table_add_row(m, t, row[i]);
	al_model_add_view_copy(m, &(struct al_view){.table = t,
						    .column = shown,
						    .n_columns = 2,
						    .sort = COUNT});
	return t;
}

/* Return a bit for each row: whether its label is ambiguous. */
static unsigned ambiguous_rows(const struct al_table *t, size_t column_width,
			       size_t line_width)
{
	static const size_t all[ROWS] = {0, 1, 2, 3};
	struct al_row_label *l = al_row_labels_create(
		t, all, ROWS, &column[LABEL], column_width, line_width);
	unsigned mask = 0;

	for (unsigned i = 0; i < ROWS; i++)
		mask |= (unsigned)l[i].is_ambiguous << i;
	al_row_labels_free(l, ROWS);
	return mask;
}

static char out[1024];

static void put_line(struct an_text *text, const char *line)
{
	(void)text;
	strcat(strcat(out, line), "\n");
}

int main(void)
{
	struct al_model m;
	struct an_text text = {19, put_line, put_line};
	const struct al_table *t;

	al_model_init(&m);
	t = add_table_and_view(&m);
	is_u64(ambiguous_rows(t, 6, 8), 1 | 2 | 8,
	       "labels that are cut to the same text");
	is_u64(ambiguous_rows(t, 8, 8), 0, "labels that are whole");
	is_u64(ambiguous_rows(t, 4, 5), 0, "lines that do not tell more");
	al_model_print_numbers_and_main_views(&m, &(struct al_shown){0}, &text);
	is_str(out,
	       "          n  who\n"
	       "  1,000,009  list o\n      list one\n"
	       "  1,000,008  list o\n      list other\n"
	       "  1,000,007  tree\n"
	       "  1,000,006  list o\n      list one\n",
	       "rows with such labels");
	*out = '\0';
	text.columns = 24;
	al_model_print_numbers_and_main_views(&m, &(struct al_shown){0}, &text);
	is_str(out,
	       "          n  who\n"
	       "  1,000,009  list one\n"
	       "  1,000,008  list other\n"
	       "  1,000,007  tree (oak)\n"
	       "  1,000,006  list one\n",
	       "a note follows its label if there is room");
	al_model_release(&m);
	return done_testing();
}
