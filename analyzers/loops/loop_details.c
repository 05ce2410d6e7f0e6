/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_details.c - builds the lists and tables of the strides, dependences and
   lines of loops */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/loops/loops.h"
#include "base/tables/compare.h"

/* Return the source file of the line of a stride; "" if it is NULL. */
static const char *file_of_stride(const struct an_loop_stride *s)
{
	return s->file ? s->file : "";
}

static int compare_strides_line_then_most_frequent(const void *one,
						   const void *other)
{
	const struct an_loop_stride *a = one, *b = other;
	int order = strcmp(file_of_stride(a), file_of_stride(b));

	if (!order)
		order = al_compare_u64(a->line, b->line);

	if (!order)
		order = al_compare_u64(b->count, a->count);
	return order ? order
		     : (a->stride > b->stride) - (a->stride < b->stride);
}

/* Return the sum of the counts of all strides of the source line of @s. */
static uint64_t sum_stride_counts_of_line(const struct an_loop_row *r,
					  const struct an_loop_stride *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n_strides; i++)
		if (r->stride[i].line == s->line &&
		    r->stride[i].file == s->file)
			n += r->stride[i].count;
	return n;
}

/* The columns of a stride or dependence table that name the loop. */
enum {
	OF_FUNCTION,
	OF_FILE,
	OF_LINE,
	OF_OBJECT,
	OF_ADDRESS,
	OF_VERSION,
	OF_LOOP_COLUMNS
};

#define OF_LOOP_COLUMN_LIST                                                    \
	[OF_FUNCTION] = {.key = "loop_function"},                              \
	[OF_FILE] = {.key = "loop_file"},                                      \
	[OF_LINE] = AL_PLAIN_NUMBER_COLUMN("loop_line"),                       \
	[OF_OBJECT] = {.key = "loop_object"},                                  \
	[OF_ADDRESS] = AL_PLAIN_NUMBER_COLUMN("loop_address"),                 \
	[OF_VERSION] = AL_NUMBER_COLUMN("loop_version", NULL)

static void set_cells_of_loop(const struct an_loop_row *r, union al_cell *cell)
{
	cell[OF_FUNCTION].text = r->symbol.function;
	cell[OF_FILE].text = r->symbol.file;
	cell[OF_LINE].number = r->symbol.line;
	cell[OF_OBJECT].text = r->symbol.object;
	cell[OF_ADDRESS].number = r->address;
	cell[OF_VERSION].number = r->version;
}

/* ---- strides ---- */

enum {
	STRIDE_FILE = OF_LOOP_COLUMNS,
	STRIDE_LINE,
	STRIDE_BYTES,
	STRIDE_COUNT,
	STRIDE_COLUMNS
};

static const struct al_column stride_column[STRIDE_COLUMNS] = {
	OF_LOOP_COLUMN_LIST,
	[STRIDE_FILE] = {.key = "file"},
	[STRIDE_LINE] = AL_PLAIN_NUMBER_COLUMN("line"),
	[STRIDE_BYTES] = {.key = "stride"}, /* text: it can be negative */
	[STRIDE_COUNT] = AL_NUMBER_COLUMN("count", NULL),
};

void an_loop_row_add_list_of_strides(const struct an_loop_row *r,
				     struct al_model *m)
{
	al_model_begin_list(m, "strides");
	for (size_t i = 0; i < r->n_strides; i++) {
		const struct an_loop_stride *s = &r->stride[i];

		al_model_begin_object(m, NULL);
		al_model_add_uncopied_string(m, stride_column[STRIDE_FILE].key,
					     file_of_stride(s));
		al_model_add_number(m, stride_column[STRIDE_LINE].key, NULL,
				    NULL, s->line);
		al_model_add_real(m, stride_column[STRIDE_BYTES].key, NULL,
				  "bytes", (double)s->stride);
		al_model_add_number(m, stride_column[STRIDE_COUNT].key, NULL,
				    NULL, s->count);
		al_model_add_real(
			m, "share", NULL, NULL,
			(double)s->count /
				(double)sum_stride_counts_of_line(r, s));
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

static void add_stride_table_row(const struct an_loop_row *r,
				 const struct an_loop_stride *s,
				 struct al_model *m, struct al_table *t)
{
	union al_cell cell[STRIDE_COLUMNS];
	char bytes[24]; /* a number of 64 bits with its sign, and the NUL */

	snprintf(bytes, sizeof(bytes), "%" PRId64, s->stride);
	set_cells_of_loop(r, cell);
	cell[STRIDE_FILE].text = file_of_stride(s);
	cell[STRIDE_LINE].number = s->line;
	cell[STRIDE_BYTES].text =
		al_model_copy_string_empty_if_no_memory(m, bytes);
	cell[STRIDE_COUNT].number = s->count;
	al_table_add_row(m, t, cell);
}

void an_loops_add_stride_table(struct an_loop_row *const *rows,
			       size_t row_count, struct al_model *m)
{
	struct al_table *t = al_model_add_table(m, NULL, "strides",
						stride_column, STRIDE_COLUMNS);

	for (size_t i = 0; i < row_count; i++)
		for (size_t k = 0; k < rows[i]->n_strides; k++)
			add_stride_table_row(rows[i], &rows[i]->stride[k], m,
					     t);
}

/* ---- dependences ---- */

static int compare_dependences_forbidding_first(const void *one,
						const void *other)
{
	const struct an_loop_dependence *a = one, *b = other;
	int order = b->forbids - a->forbids;

	if (!order)
		order = al_compare_u64(a->distance, b->distance);
	if (!order)
		order = al_compare_u64(b->count, a->count);
	if (!order)
		order = al_compare_u64(a->line, b->line);
	if (!order)
		order = al_compare_u64(a->source_line, b->source_line);
	return order ? order : a->kind - b->kind;
}

enum {
	DEPENDENCE_LINE = OF_LOOP_COLUMNS,
	DEPENDENCE_SOURCE_LINE,
	DEPENDENCE_DISTANCE,
	DEPENDENCE_COUNT,
	DEPENDENCE_KIND,
	DEPENDENCE_FORBIDS,
	DEPENDENCE_COLUMNS
};

static const struct al_column dependence_column[DEPENDENCE_COLUMNS] = {
	OF_LOOP_COLUMN_LIST,
	[DEPENDENCE_LINE] = AL_PLAIN_NUMBER_COLUMN("line"),
	[DEPENDENCE_SOURCE_LINE] = AL_PLAIN_NUMBER_COLUMN("source_line"),
	[DEPENDENCE_DISTANCE] = {.key = "distance",
				 .unit = "iterations",
				 .kind = AL_COLUMN_NUMBER},
	[DEPENDENCE_COUNT] = AL_NUMBER_COLUMN("count", NULL),
	[DEPENDENCE_KIND] = {.key = "kind"},
	[DEPENDENCE_FORBIDS] = {.key = "forbids"},
};

static void set_cells_of_dependence(const struct an_loop_dependence *d,
				    union al_cell *cell)
{
	static const char *const kind[] = {"flow", "anti", "output"};

	cell[DEPENDENCE_LINE].number = d->line;
	cell[DEPENDENCE_SOURCE_LINE].number = d->source_line;
	cell[DEPENDENCE_DISTANCE].number = d->distance;
	cell[DEPENDENCE_COUNT].number = d->count;
	cell[DEPENDENCE_KIND].text =
		d->is_reduction ? "reduction" : kind[d->kind];
	cell[DEPENDENCE_FORBIDS].text = d->forbids ? "true" : "false";
}

void an_loop_row_add_list_of_dependences(const struct an_loop_row *r,
					 struct al_model *m)
{
	union al_cell cell[DEPENDENCE_COLUMNS];

	al_model_begin_list(m, "dependences");
	for (size_t i = 0; i < r->n_dependences; i++) {
		set_cells_of_dependence(&r->dependence[i], cell);
		al_model_begin_object(m, NULL);
		for (int k = DEPENDENCE_LINE; k <= DEPENDENCE_COUNT; k++)
			al_model_add_number(m, dependence_column[k].key, NULL,
					    dependence_column[k].unit,
					    cell[k].number);
		al_model_add_uncopied_string(
			m, dependence_column[DEPENDENCE_KIND].key,
			cell[DEPENDENCE_KIND].text);
		al_model_add_true_false_or_null(
			m, dependence_column[DEPENDENCE_FORBIDS].key,
			cell[DEPENDENCE_FORBIDS].text);
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

void an_loops_add_dependence_table(struct an_loop_row *const *rows,
				   size_t row_count, struct al_model *m)
{
	union al_cell cell[DEPENDENCE_COLUMNS];
	struct al_table *t = al_model_add_table(
		m, NULL, "dependences", dependence_column, DEPENDENCE_COLUMNS);

	for (size_t i = 0; i < row_count; i++)
		for (size_t k = 0; k < rows[i]->n_dependences; k++) {
			set_cells_of_loop(rows[i], cell);
			set_cells_of_dependence(&rows[i]->dependence[k], cell);
			al_table_add_row(m, t, cell);
		}
}

/* ---- lines ---- */

static int compare_lines_by_file_and_number(const void *one, const void *other)
{
	const struct an_loop_line *a = one, *b = other;
	int order = strcmp(a->file, b->file);

	if (!order)
		order = al_compare_u64(a->line, b->line);
	return order ? order : strcmp(a->function, b->function);
}

void an_loop_row_add_list_of_lines_if_any(const struct an_loop_row *r,
					  struct al_model *m)
{
	if (r->n_lines == 0)
		return;
	al_model_begin_list(m, "lines");
	for (size_t i = 0; i < r->n_lines; i++) {
		al_model_begin_object(m, NULL);
		al_model_add_uncopied_string(m, "function",
					     r->line[i].function);
		al_model_add_uncopied_string(m, "file", r->line[i].file);
		al_model_add_number(m, "line", NULL, NULL, r->line[i].line);
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

void an_loop_row_sort_lists(const struct an_loop_row *r)
{
	if (r->n_lines > 0)
		qsort(r->line, r->n_lines, sizeof(*r->line),
		      compare_lines_by_file_and_number);
	if (r->n_strides > 0)
		qsort(r->stride, r->n_strides, sizeof(*r->stride),
		      compare_strides_line_then_most_frequent);
	if (r->n_dependences > 0)
		qsort(r->dependence, r->n_dependences, sizeof(*r->dependence),
		      compare_dependences_forbidding_first);
}
