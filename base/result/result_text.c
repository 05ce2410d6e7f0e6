/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_text.c - prints a result as tables for people; see result_text.h */

#include "base/result/result_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/result/row_labels.h"
#include "base/text/line_writer.h"

enum {
	CELL = 48, /* [bytes] for a number or ratio with its suffix and the
		      NUL */
	GAP = 2,   /* [blanks] before each column of a table */
	LABEL_INDENT = 6, /* [blanks] before a label on a line of its own */
};

/* ---- cells ---- */

/* Format a size in the largest binary unit that divides it: 49152 as "48K". */
static void format_in_largest_exact_binary_unit(char to[CELL], uint64_t n)
{
	const char *unit = "\0KMGTPE";

	while (n != 0 && n % 1024 == 0 && unit[1] != '\0') {
		n /= 1024;
		unit++;
	}
	snprintf(to, CELL, "%llu%.1s", (unsigned long long)n, unit);
}

static void format_number_in_column_style(char to[CELL],
					  const struct al_column *c, uint64_t n)
{
	if (c->style == AL_STYLE_GROUPED)
		al_number_format_grouped(to, n);
	else if (c->style == AL_STYLE_BINARY)
		format_in_largest_exact_binary_unit(to, n);
	else
		snprintf(to, CELL, "%llu", (unsigned long long)n);
}

static void format_ratio(char to[CELL], const struct al_column *c,
			 const union al_cell *row)
{
	uint64_t whole = c->has_total ? c->total : row[c->denominator].number;

	if (whole == 0)
		strcpy(to, "-");
	else
		snprintf(to, CELL, "%.*f%s", (int)c->decimals,
			 c->factor * (double)row[c->numerator].number /
				 (double)whole,
			 c->suffix ? c->suffix : "");
}

/* Return the text of a cell in the column @column_index of the table, which is
   not a label column. @to receives a number or ratio, and is returned; a text
   is returned from @row. */
static const char *format_cell_text(char to[CELL], const struct al_table *t,
				    unsigned column_index,
				    const union al_cell *row)
{
	const struct al_column *c = &t->column[column_index];

	if (c->kind == AL_COLUMN_TEXT)
		return row[column_index].text ? row[column_index].text : "";
	if (c->kind == AL_COLUMN_NUMBER)
		format_number_in_column_style(to, c, row[column_index].number);
	else
		format_ratio(to, c, row);
	return to;
}

/* ---- lines ---- */

/* A view while it is printed. */
struct printing {
	const struct al_view *view;
	struct an_text *text;
	size_t *row; /* [n_rows] indices of the rows to be printed, in this
			order */
	size_t n_rows;
	struct al_row_label *label; /* [n_rows] NULL: no column has labels */
	size_t width[]; /* [view->n_columns] width of each column, without its
			   gap */
};

static const struct al_column *view_column_at(const struct printing *p,
					      unsigned view_index)
{
	return &p->view->table->column[p->view->column[view_index]];
}

/* Set the width of a column to the length of its longest cell or of its title,
   if that is longer; of a label column, to the length of its title. */
static void set_column_width_from_cells_or_title(struct printing *p,
						 unsigned view_index)
{
	const struct al_table *t = p->view->table;
	char to[CELL];

	p->width[view_index] = strlen(view_column_at(p, view_index)->title);
	if (view_column_at(p, view_index)->kind == AL_COLUMN_LABEL)
		return;
	for (size_t k = 0; k < p->n_rows; k++) {
		size_t n = strlen(format_cell_text(to, t,
						   p->view->column[view_index],
						   al_table_row(t, p->row[k])));

		p->width[view_index] =
			n > p->width[view_index] ? n : p->width[view_index];
	}
}

/* Set the width of each label column to the part of the line that the other
   columns leave; to SIZE_MAX if they leave none, or lines may have any
   length. */
static void set_label_widths_to_rest_of_line(struct printing *p)
{
	size_t used = 0;

	for (unsigned i = 0; i < p->view->n_columns; i++)
		if (view_column_at(p, i)->kind != AL_COLUMN_LABEL)
			used += GAP + p->width[i];
	for (unsigned i = 0; i < p->view->n_columns; i++)
		if (view_column_at(p, i)->kind == AL_COLUMN_LABEL)
			p->width[i] = p->text->columns > used + GAP
					      ? p->text->columns - used - GAP
					      : SIZE_MAX;
}

/* Write the gap and a cell to @f, padded to the width of its column. A cell
   that is left-aligned is not padded in the last column, and an empty one there
   is not written. */
static void write_padded_cell(FILE *f, const struct printing *p,
			      unsigned view_index, const char *cell)
{
	const struct al_column *c = view_column_at(p, view_index);
	bool is_last = view_index + 1 == p->view->n_columns;
	bool is_left = c->kind == AL_COLUMN_TEXT ||
		       c->kind == AL_COLUMN_LABEL || c->left_aligned;
	int pad = strlen(cell) < p->width[view_index]
			  ? (int)(p->width[view_index] - strlen(cell))
			  : 0;

	if (is_last && *cell == '\0')
		return;
	if (is_left)
		fprintf(f, "%*s%s%*s", GAP, "", cell, is_last ? 0 : pad, "");
	else
		fprintf(f, "%*s%s", GAP + pad, "", cell);
}

static void write_row_cell(FILE *f, const struct printing *p,
			   unsigned view_column_index, size_t i)
{
	char to[CELL];
	bool is_label =
		view_column_at(p, view_column_index)->kind == AL_COLUMN_LABEL;

	write_padded_cell(
		f, p, view_column_index,
		is_label ? p->label[i].cut
			 : format_cell_text(
				   to, p->view->table,
				   p->view->column[view_column_index],
				   al_table_row(p->view->table, p->row[i])));
}

static const size_t TITLES = SIZE_MAX;

/* Print row @i of p->row, or the titles of the columns if @i is TITLES. Return:
   0 or -ENOMEM. */
static int print_row_or_titles(const struct printing *p, size_t i)
{
	char *line = NULL;
	size_t size;
	FILE *f = open_memstream(&line, &size);
	int err;

	if (f == NULL)
		return -ENOMEM;
	for (unsigned c = 0; c < p->view->n_columns; c++)
		if (i != TITLES)
			write_row_cell(f, p, c, i);
		else
			write_padded_cell(f, p, c, view_column_at(p, c)->title);
	err = fclose(f) == 0 ? 0 : -ENOMEM;
	if (!err)
		p->text->line(p->text, line);
	free(line);
	return err;
}

/* Print the label of row @i of p->row on a line of its own if a different label
   of another row is cut to the same text. Return: 0 or -ENOMEM. */
static int print_label_line_if_ambiguous(const struct printing *p, size_t i)
{
	char *line;

	if (p->label == NULL || !p->label[i].is_ambiguous)
		return 0;
	if (asprintf(&line, "%*s%s", LABEL_INDENT, "", p->label[i].line) < 0)
		return -ENOMEM;
	p->text->line(p->text, line);
	free(line);
	return 0;
}

/* Return the heading of a view with a title, which the caller frees; NULL:
   memory is short. If the view has cut_title(), the title is cut so that the
   heading fits into a line. */
static char *alloc_heading_cut_to_line(const struct al_view *v,
				       const struct an_text *text)
{
	return v->cut_title && text->columns > 0
		       ? v->cut_title(v->title, text->columns)
		       : strdup(v->title);
}

static int print_heading_if_any(const struct printing *p)
{
	char *heading;

	if (p->view->title == NULL)
		return 0;
	heading = alloc_heading_cut_to_line(p->view, p->text);
	if (heading == NULL)
		return -ENOMEM;
	p->text->heading(p->text, heading);
	free(heading);
	return 0;
}

/* Create p->label if the view's last column has labels. Return: 0 or -ENOMEM.
   */
static int create_labels_if_last_column_has_some(struct printing *p)
{
	unsigned last = p->view->n_columns - 1;
	size_t columns = p->text->columns;

	if (view_column_at(p, last)->kind != AL_COLUMN_LABEL)
		return 0;
	p->label = al_row_labels_create(
		p->view->table, p->row, p->n_rows, view_column_at(p, last),
		p->width[last],
		columns > LABEL_INDENT ? columns - LABEL_INDENT : SIZE_MAX);
	return p->label ? 0 : -ENOMEM;
}

static int print_heading_titles_and_rows(struct printing *p)
{
	int err;

	for (unsigned i = 0; i < p->view->n_columns; i++)
		set_column_width_from_cells_or_title(p, i);
	set_label_widths_to_rest_of_line(p);
	err = create_labels_if_last_column_has_some(p);
	if (!err)
		err = print_heading_if_any(p);
	if (!err)
		err = print_row_or_titles(p, TITLES);
	for (size_t i = 0; i < p->n_rows && !err; i++) {
		err = print_row_or_titles(p, i);
		if (!err)
			err = print_label_line_if_ambiguous(p, i);
	}
	return err;
}

/* Return the greatest number of rows of a view that are printed; 0: all. */
static size_t max_row_count_of_view(const struct al_view *v,
				    const struct al_shown *limits)
{
	bool is_limited = limits->max != 0 &&
			  (v->is_one_of_many || limits->max_is_for_all_views);

	if (v->top == 0 || limits->top != 0)
		return v->top ? limits->top : 0;
	return is_limited && limits->max < v->top ? limits->max : v->top;
}

static void print_count_of_cut_rows(struct an_text *text, size_t cut_rows,
				    size_t all_rows)
{
	char line[AL_COLUMNS];

	snprintf(line, sizeof(line), "  ... and %zu more; --top=%zu prints all",
		 cut_rows, all_rows);
	text->line(text, line);
}

/* Print the selected rows of a view that has a table, and set *@cut_rows to the
   number of those that are left out. Return: 0 or -ENOMEM. */
static int print_table_view(const struct al_view *v,
			    const struct al_shown *row_and_view_limits,
			    struct an_text *text, size_t *cut_rows)
{
	size_t max = max_row_count_of_view(v, row_and_view_limits);
	struct printing *p =
		malloc(sizeof(*p) + v->n_columns * sizeof(p->width[0]));
	int err = 0;

	*cut_rows = 0;
	if (p == NULL)
		return -ENOMEM;
	*p = (struct printing){.view = v, .text = text};
	p->row = al_table_sorted_nonzero_rows(v->table, v->sort, v->ascending,
					      max, &p->n_rows);
	if (max != 0 && p->n_rows > max)
		*cut_rows = p->n_rows - max;
	p->n_rows -= *cut_rows;
	if (p->row == NULL)
		err = -ENOMEM;
	else if (p->n_rows > 0)
		err = print_heading_titles_and_rows(p);
	if (*cut_rows != 0 && !err && !v->is_one_of_many)
		print_count_of_cut_rows(text, *cut_rows, *cut_rows + p->n_rows);
	al_row_labels_free(p->label, p->n_rows);
	free(p->row);
	free(p);
	return err;
}

/* Print the rows of a table that a view selects, or a drawing, and set
   *@cut_rows_out to the number of rows that are left out. Return: 0 or -ENOMEM.
   */
static int print_view(const struct al_view *v,
		      const struct al_shown *row_and_view_limits,
		      struct an_text *text, size_t *cut_rows_out)
{
	*cut_rows_out = 0;
	if (v->table != NULL)
		return print_table_view(v, row_and_view_limits, text,
					cut_rows_out);
	v->draw(v->state, v->what, text);
	return 0;
}

/* ---- results ---- */

static void print_title_and_top_level_numbers(const struct al_model *m,
					      struct an_text *text)
{
	char line[AL_COLUMNS], number[AL_NUMBER_BYTES];

	text->heading(text, m->title);
	for (const struct al_result_node *n = m->root.first; n; n = n->next) {
		if (n->kind == AL_RESULT_NUMBER)
			al_number_format_grouped(number, n->value.number);
		else if (n->kind == AL_RESULT_REAL)
			snprintf(number, sizeof(number), "%.4f", n->value.real);
		else
			continue;
		snprintf(line, sizeof(line), "  %-16s %20s%s%s", n->title,
			 number, n->unit ? " " : "", n->unit ? n->unit : "");
		text->line(text, line);
	}
}

/* Print how many rows all views with `is_one_of_many` together leave out. */
static void print_total_row_count_left_out_of_views(struct an_text *text,
						    size_t cut_rows)
{
	char line[AL_COLUMNS], number[AL_NUMBER_BYTES];

	snprintf(line, sizeof(line),
		 "%s more rows in these tables; --top=N prints N of each",
		 al_number_format_grouped(number, cut_rows));
	text->line(text, line);
}

/* Whether view @v is to be left out, because view @before may print at least
   v->needless_rows rows. */
static bool is_view_needless(const struct al_view *v,
			     const struct al_view *before,
			     const struct al_shown *limits)
{
	size_t max;

	if (v->needless_rows == 0)
		return false;
	max = max_row_count_of_view(before, limits);
	return max == 0 || max >= v->needless_rows;
}

static int
print_detail_or_other_views(const struct al_model *m, bool is_detail_wanted,
			    const struct al_shown *row_and_view_limits,
			    struct an_text *text)
{
	const struct al_view *before = NULL;
	size_t cut_rows, cut_rows_of_many = 0;
	int err = 0;

	for (const struct al_view *v = m->view; v && !err;
	     before = v, v = v->next) {
		if (v->is_detail != is_detail_wanted ||
		    (v->is_extra && !row_and_view_limits->full) ||
		    is_view_needless(v, before, row_and_view_limits))
			continue;
		err = print_view(v, row_and_view_limits, text, &cut_rows);
		if (v->is_one_of_many)
			cut_rows_of_many += cut_rows;
	}
	if (cut_rows_of_many > 0 && !err)
		print_total_row_count_left_out_of_views(text, cut_rows_of_many);
	return err;
}

int al_model_print_numbers_and_main_views(
	const struct al_model *m, const struct al_shown *row_and_view_limits,
	struct an_text *text)
{
	if (m->title != NULL)
		print_title_and_top_level_numbers(m, text);
	return print_detail_or_other_views(m, false, row_and_view_limits, text);
}

int al_model_print_detail_views(const struct al_model *m,
				const struct al_shown *row_and_view_limits,
				struct an_text *text)
{
	return print_detail_or_other_views(m, true, row_and_view_limits, text);
}
