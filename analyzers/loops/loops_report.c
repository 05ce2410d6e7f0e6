/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loops_report.c - builds the result of the loops analysis */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/loops/loops.h"
#include "base/tables/compare.h"

enum {
	LOOP_FUNCTION,
	LOOP_FILE,
	LOOP_LINE,
	LOOP_INSTRUCTIONS,
	LOOP_ENTRIES,
	LOOP_ITERATIONS,
	LOOP_LEAST,
	LOOP_MOST,
	LOOP_DEPTH,
	LOOP_SPIN,
	LOOP_VECTOR,
	LOOP_LIMIT,	/* smallest distance that forbids vectors */
	LOOP_FROM,	/* line of the later access of the dependence with
			   distance LOOP_LIMIT */
	LOOP_FORBIDDEN, /* 1: vectors are forbidden */
	LOOP_SHARE,
	LOOP_LIMIT_OR_DASH,
	LOOP_FROM_OR_DASH,
	LOOP_LABEL,
	LOOP_COLUMNS
};

static char *alloc_loop_label_up_to_max_bytes(const union al_cell *row,
					      size_t max_bytes)
{
	char label[256], *copy;

	snprintf(label, sizeof(label), "%s  (%s:%llu)%s",
		 row[LOOP_FUNCTION].text, row[LOOP_FILE].text,
		 (unsigned long long)row[LOOP_LINE].number,
		 row[LOOP_SPIN].number ? "  spins" : "");
	copy = strdup(label);
	if (copy != NULL && strlen(copy) > max_bytes && max_bytes > 3)
		strcpy(copy + max_bytes - 3, "...");
	return copy;
}

/* A column with the number of column @number_; "-" if no dependence forbids
   vectors. */
#define NUMBER_OR_DASH_COLUMN(title_, number_)                                 \
	{                                                                      \
		.title = (title_), .kind = AL_COLUMN_RATIO,                    \
		.numerator = (number_), .denominator = LOOP_FORBIDDEN,         \
		.factor = 1                                                    \
	}

static const struct al_column loop_column[LOOP_COLUMNS] = {
	[LOOP_FUNCTION] = {.id = "function"},
	[LOOP_FILE] = {.id = "file"},
	[LOOP_LINE] = {.id = "line", .kind = AL_COLUMN_NUMBER},
	[LOOP_INSTRUCTIONS] = AL_NUMBER_COLUMN(NULL, "instructions"),
	[LOOP_ENTRIES] = AL_NUMBER_COLUMN(NULL, "entries"),
	[LOOP_ITERATIONS] = AL_NUMBER_COLUMN(NULL, "iterations"),
	[LOOP_LEAST] = AL_NUMBER_COLUMN(NULL, "min"),
	[LOOP_MOST] = AL_NUMBER_COLUMN(NULL, "max"),
	[LOOP_DEPTH] = AL_NUMBER_COLUMN(NULL, "depth"),
	[LOOP_SPIN] = {.id = "spin", .kind = AL_COLUMN_NUMBER},
	[LOOP_VECTOR] = {.id = "vectorisable", .title = "vectors"},
	[LOOP_LIMIT] = {.id = "limit", .kind = AL_COLUMN_NUMBER},
	[LOOP_FROM] = {.id = "from", .kind = AL_COLUMN_NUMBER},
	[LOOP_FORBIDDEN] = {.id = "forbidden", .kind = AL_COLUMN_NUMBER},
	[LOOP_SHARE] = AL_SHARE_COLUMN("of all", LOOP_INSTRUCTIONS, 1),
	[LOOP_LIMIT_OR_DASH] = NUMBER_OR_DASH_COLUMN("distance", LOOP_LIMIT),
	[LOOP_FROM_OR_DASH] = NUMBER_OR_DASH_COLUMN("line", LOOP_FROM),
	[LOOP_LABEL] =
		AL_LABEL_COLUMN("loop", alloc_loop_label_up_to_max_bytes),
};

/* Compare two rows for a sorting by executed instructions, most first, then by
   address, version and names. */
static int compare_rows_most_instructions_first(const void *one,
						const void *other)
{
	const struct an_loop_row *a = *(struct an_loop_row *const *)one,
				 *b = *(struct an_loop_row *const *)other;
	int order = al_compare_u64(b->instructions, a->instructions);

	if (!order)
		order = al_compare_u64(a->address, b->address);
	if (!order)
		order = al_compare_u64(a->version, b->version);
	if (!order)
		order = strcmp(a->symbol.function, b->symbol.function);
	return order ? order : strcmp(a->symbol.object, b->symbol.object);
}

/* Return the source file of the line of a stride; "": unknown. */
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

static void add_list_of_strides(const struct an_loop_row *r, struct al_model *m)
{
	al_model_begin_list(m, "strides");
	for (size_t i = 0; i < r->n_strides; i++) {
		const struct an_loop_stride *s = &r->stride[i];

		al_model_begin_object(m, NULL);
		al_model_add_uncopied_string(m, "file", file_of_stride(s));
		al_model_add_number(m, "line", NULL, NULL, s->line);
		al_model_add_real(m, "stride", NULL, "bytes",
				  (double)s->stride);
		al_model_add_number(m, "count", NULL, NULL, s->count);
		al_model_add_real(
			m, "share", NULL, NULL,
			(double)s->count /
				(double)sum_stride_counts_of_line(r, s));
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

/* ---- dependences ---- */

static int compare_dependences_forbidding_then_nearest(const void *one,
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

static void add_list_of_dependences(const struct an_loop_row *r,
				    struct al_model *m)
{
	static const char *const kind[] = {"flow", "anti", "output"};

	al_model_begin_list(m, "dependences");
	for (size_t i = 0; i < r->n_dependences; i++) {
		const struct an_loop_dependence *d = &r->dependence[i];

		al_model_begin_object(m, NULL);
		al_model_add_number(m, "line", NULL, NULL, d->line);
		al_model_add_number(m, "source_line", NULL, NULL,
				    d->source_line);
		al_model_add_number(m, "distance", NULL, "iterations",
				    d->distance);
		al_model_add_number(m, "count", NULL, NULL, d->count);
		al_model_add_uncopied_string(m, "kind",
					     d->is_reduction ? "reduction"
							     : kind[d->kind]);
		al_model_add_word(m, "forbids", d->forbids ? "true" : "false");
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

static void add_vectorisable_and_limit(const struct an_loop_row *r,
				       struct al_model *m)
{
	static const char *const word[] = {
		[AN_VECTORISABLE_UNKNOWN] = "null",
		[AN_VECTORISABLE_YES] = "true",
		[AN_VECTORISABLE_NO] = "false",
	};

	if (r->vectorisable == AN_VECTORISABLE_REDUCTION)
		al_model_add_uncopied_string(m, "vectorisable", "reduction");
	else
		al_model_add_word(m, "vectorisable", word[r->vectorisable]);
	if (r->vector_limit != 0)
		al_model_add_number(m, "vector_limit", NULL, "elements",
				    r->vector_limit);
}

static void sort_strides_and_dependences(const struct an_loop_row *r)
{
	if (r->n_strides > 0)
		qsort(r->stride, r->n_strides, sizeof(*r->stride),
		      compare_strides_line_then_most_frequent);
	if (r->n_dependences > 0)
		qsort(r->dependence, r->n_dependences, sizeof(*r->dependence),
		      compare_dependences_forbidding_then_nearest);
}

static void sort_details_and_add_loop_object(const struct an_loop_row *r,
					     struct al_model *m)
{
	sort_strides_and_dependences(r);
	al_model_begin_object(m, NULL);
	al_model_add_uncopied_string(m, "function", r->symbol.function);
	al_model_add_uncopied_string(m, "file", r->symbol.file);
	al_model_add_number(m, "line", NULL, NULL, r->symbol.line);
	al_model_add_uncopied_string(m, "object", r->symbol.object);
	al_model_add_number(m, "address", NULL, NULL, r->address);
	al_model_add_number(m, "version", NULL, NULL, r->version);
	al_model_add_number(m, "entries", NULL, NULL, r->entries);
	al_model_add_number(m, "iterations", NULL, NULL, r->iterations);
	al_model_add_number(m, "iterations_min", NULL, NULL, r->least);
	al_model_add_number(m, "iterations_max", NULL, NULL, r->most);
	al_model_add_number(m, "instructions", NULL, NULL, r->instructions);
	al_model_add_number(m, "depth", NULL, NULL, r->depth);
	al_model_add_number(m, "spin", NULL, NULL, r->is_spin);
	al_model_add_word(m, "innermost", r->has_inner_loop ? "false" : "true");
	add_list_of_strides(r, m);
	add_list_of_dependences(r, m);
	add_vectorisable_and_limit(r, m);
	al_model_end_object_or_list(m);
}

static void add_loop_table_row(const struct an_loop_row *r, struct al_model *m,
			       struct al_table *t)
{
	static const char *const word[] = {"", "allowed", "reduction",
					   "forbidden"};
	const union al_cell cell[] = {
		[LOOP_FUNCTION].text = r->symbol.function,
		[LOOP_FILE].text = r->symbol.file,
		[LOOP_LINE].number = r->symbol.line,
		[LOOP_INSTRUCTIONS].number = r->instructions,
		[LOOP_ENTRIES].number = r->entries,
		[LOOP_ITERATIONS].number = r->iterations,
		[LOOP_LEAST].number = r->least,
		[LOOP_MOST].number = r->most,
		[LOOP_DEPTH].number = r->depth,
		[LOOP_SPIN].number = r->is_spin,
		[LOOP_VECTOR].text = word[r->vectorisable],
		[LOOP_LIMIT].number = r->vector_limit,
		[LOOP_FROM].number =
			r->vector_limit ? r->dependence[0].line : 0,
		[LOOP_FORBIDDEN].number = r->vector_limit != 0,
	};

	al_table_add_row(m, t, cell);
}

static bool has_searched_loop(const struct an_loop_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->row[i].vectorisable != AN_VECTORISABLE_UNKNOWN)
			return true;
	return false;
}

static void add_loop_table_and_view(const struct an_loop_rows *rows,
				    struct an_loop_row *const *sorted_rows,
				    struct al_model *m)
{
	static const unsigned columns[] = {
		LOOP_SHARE, LOOP_ENTRIES, LOOP_ITERATIONS, LOOP_LEAST,
		LOOP_MOST,  LOOP_DEPTH,	  LOOP_LABEL};
	static const unsigned dependence_columns[] = {
		LOOP_SHARE,	    LOOP_ITERATIONS,   LOOP_VECTOR,
		LOOP_LIMIT_OR_DASH, LOOP_FROM_OR_DASH, LOOP_LABEL};
	struct al_column *column =
		al_model_copy_columns(m, loop_column, LOOP_COLUMNS);
	struct al_table *t;

	if (column == NULL)
		return;
	column[LOOP_SHARE].total = rows->instructions;
	t = al_model_add_table(m, NULL, "Loops", column, LOOP_COLUMNS);
	for (size_t i = 0; i < rows->n; i++)
		add_loop_table_row(sorted_rows[i], m, t);
	al_model_add_view(m, AL_VIEW("Loops", t, columns,
				     .sort = LOOP_INSTRUCTIONS, .top = 15));
	if (t == NULL || !has_searched_loop(rows))
		return;
	t = al_model_add_table(m, NULL, "Dependences of loops", column,
			       LOOP_COLUMNS);
	for (size_t i = 0; i < rows->n; i++)
		if (sorted_rows[i]->vectorisable != AN_VECTORISABLE_UNKNOWN)
			add_loop_table_row(sorted_rows[i], m, t);
	al_model_add_view(m,
			  AL_VIEW("Dependences of loops", t, dependence_columns,
				  .sort = LOOP_INSTRUCTIONS, .top = 15));
}

void an_loops_add_result_to_model(const void *state, struct al_model *m)
{
	const struct an_loop_rows *rows =
		&((const struct an_loop_state *)state)->rows;
	struct an_loop_row **row = malloc((rows->n + 1) * sizeof(*row));

	if (row == NULL) {
		m->error = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < rows->n; i++)
		row[i] = &rows->row[i];
	if (rows->n > 0)
		qsort(row, rows->n, sizeof(*row),
		      compare_rows_most_instructions_first);
	al_model_add_number(m, "irreducible", NULL, NULL, rows->irreducible);
	al_model_begin_list(m, "loops");
	for (size_t i = 0; i < rows->n; i++)
		sort_details_and_add_loop_object(row[i], m);
	al_model_end_object_or_list(m);
	add_loop_table_and_view(rows, row, m);
	free(row);
}
