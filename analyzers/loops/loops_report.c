/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loops_report.c - builds the result of the loops analysis */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/code_label.h"
#include "analyzers/loops/loops.h"
#include "analyzers/notes.h"
#include "base/tables/compare.h"

enum {
	LOOP_FUNCTION,
	LOOP_FILE,
	LOOP_LINE,
	LOOP_OBJECT,
	LOOP_ADDRESS,
	LOOP_VERSION,
	LOOP_ENTRIES,
	LOOP_ITERATIONS,
	LOOP_LEAST,
	LOOP_MOST,
	LOOP_INSTRUCTIONS,
	LOOP_DEPTH,
	LOOP_SPIN,
	LOOP_INNERMOST,
	LOOP_RECURRENCE,   /* an_loop_row.has_register_recurrence */
	LOOP_VECTORISABLE, /* the value in JSON */
	LOOP_VECTOR,	   /* the word for people */
	LOOP_LIMIT,	   /* smallest distance that forbids vectors */
	LOOP_FROM,	   /* line of the later access of the first listed
			      dependence if that forbids vectors; else 0 */
	LOOP_FORBIDDEN,	   /* 1: a dependence through memory forbids vectors */
	LOOP_SHARE,
	LOOP_LIMIT_OR_DASH,
	LOOP_FROM_OR_DASH,
	LOOP_LABEL,
	LOOP_COLUMNS
};

static char *alloc_loop_label_up_to_max_bytes(const union al_cell *row,
					      size_t max_bytes)
{
	const struct an_code_place place = {
		.function = row[LOOP_FUNCTION].text,
		.file = row[LOOP_FILE].text,
		.object = row[LOOP_OBJECT].text,
		.line = row[LOOP_LINE].number,
		.address = row[LOOP_ADDRESS].number,
	};

	return an_code_label_alloc(
		&place, row[LOOP_SPIN].number ? "spins: " : "", max_bytes);
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
	[LOOP_FUNCTION] = {.key = "function"},
	[LOOP_FILE] = {.key = "file"},
	[LOOP_LINE] = AL_PLAIN_NUMBER_COLUMN("line"),
	[LOOP_OBJECT] = {.key = "object"},
	[LOOP_ADDRESS] = AL_PLAIN_NUMBER_COLUMN("address"),
	[LOOP_VERSION] = AL_NUMBER_COLUMN("version", NULL),
	[LOOP_ENTRIES] = AL_NUMBER_COLUMN("entries", "entries"),
	[LOOP_ITERATIONS] = AL_NUMBER_COLUMN("iterations", "iterations"),
	[LOOP_LEAST] = AL_NUMBER_COLUMN("iterations_min", "min"),
	[LOOP_MOST] = AL_NUMBER_COLUMN("iterations_max", "max"),
	[LOOP_INSTRUCTIONS] = AL_NUMBER_COLUMN("instructions", "instructions"),
	[LOOP_DEPTH] = AL_NUMBER_COLUMN("depth", "depth"),
	[LOOP_SPIN] = AL_NUMBER_COLUMN("spin", NULL),
	[LOOP_INNERMOST] = {.key = "innermost"},
	[LOOP_RECURRENCE] = {.key = "register_recurrence"},
	[LOOP_VECTORISABLE] = {.key = "vectorisable"},
	[LOOP_VECTOR] = {.id = "vectors", .title = "vectors"},
	[LOOP_LIMIT] = AL_NUMBER_COLUMN("vector_limit", NULL),
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

/* Set the cells of all columns before LOOP_SHARE; the later ones are computed
   from these. */
static void set_loop_cells_before_share_column(const struct an_loop_row *r,
					       union al_cell cell[LOOP_SHARE])
{
	static const char *const vectors[] = {"", "allowed", "reduction",
					      "forbidden"};
	static const char *const word[] = {"null", "true", "reduction",
					   "false"};

	cell[LOOP_FUNCTION].text = r->symbol.function;
	cell[LOOP_FILE].text = r->symbol.file;
	cell[LOOP_LINE].number = r->symbol.line;
	cell[LOOP_OBJECT].text = r->symbol.object;
	cell[LOOP_ADDRESS].number = r->address;
	cell[LOOP_VERSION].number = r->version;
	cell[LOOP_ENTRIES].number = r->entries;
	cell[LOOP_ITERATIONS].number = r->iterations;
	cell[LOOP_LEAST].number = r->least;
	cell[LOOP_MOST].number = r->most;
	cell[LOOP_INSTRUCTIONS].number = r->instructions;
	cell[LOOP_DEPTH].number = r->depth;
	cell[LOOP_SPIN].number = r->is_spin;
	cell[LOOP_INNERMOST].text = r->has_inner_loop ? "false" : "true";
	cell[LOOP_RECURRENCE].text = r->vectorisable == AN_VECTORISABLE_UNKNOWN
					     ? "null"
				     : r->has_register_recurrence ? "true"
								  : "false";
	cell[LOOP_VECTORISABLE].text = word[r->vectorisable];
	cell[LOOP_VECTOR].text = vectors[r->vectorisable];
	cell[LOOP_LIMIT].number = r->vector_limit;
	cell[LOOP_FROM].number = r->vector_limit ? r->dependence[0].line : 0;
	cell[LOOP_FORBIDDEN].number = r->vector_limit != 0;
}

/* Add the members of a loop's object in JSON: those that are also columns of
   the table of loops, the mean of the iterations, and the lists of strides,
   dependences and lines. */
static void add_json_values_of_loop_row(const struct an_loop_row *r,
					struct al_model *m)
{
	union al_cell cell[LOOP_SHARE];

	set_loop_cells_before_share_column(r, cell);
	for (int i = 0; i <= LOOP_SPIN; i++)
		if (loop_column[i].kind == AL_COLUMN_NUMBER)
			al_model_add_number(m, loop_column[i].key, NULL, NULL,
					    cell[i].number);
		else
			al_model_add_uncopied_string(m, loop_column[i].key,
						     cell[i].text);
	if (r->entries > 0)
		al_model_add_real(m, "iterations_mean", NULL, NULL,
				  (double)r->iterations / (double)r->entries);
	al_model_add_true_false_or_null(m, "innermost",
					cell[LOOP_INNERMOST].text);
	al_model_add_true_false_or_null(m, "register_recurrence",
					cell[LOOP_RECURRENCE].text);
	an_loop_row_add_list_of_strides(r, m);
	an_loop_row_add_list_of_dependences(r, m);
	an_loop_row_add_list_of_lines_if_any(r, m);
	if (r->vectorisable == AN_VECTORISABLE_REDUCTION)
		al_model_add_uncopied_string(m, "vectorisable", "reduction");
	else
		al_model_add_true_false_or_null(m, "vectorisable",
						cell[LOOP_VECTORISABLE].text);
	if (r->vector_limit != 0)
		al_model_add_number(m, "vector_limit", NULL, "elements",
				    r->vector_limit);
}

static void add_loop_table_row(const struct an_loop_row *r, struct al_model *m,
			       struct al_table *t)
{
	union al_cell cell[LOOP_SHARE];

	set_loop_cells_before_share_column(r, cell);
	al_table_add_row(m, t, cell);
}

static bool
is_any_loop_searched_for_dependences(const struct an_loop_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->row[i].vectorisable != AN_VECTORISABLE_UNKNOWN)
			return true;
	return false;
}

static void
add_loop_and_dependence_tables_and_views(const struct an_loop_rows *rows,
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
	t = al_model_add_table(m, NULL, "loops", column, LOOP_COLUMNS);
	for (size_t i = 0; i < rows->n; i++)
		add_loop_table_row(sorted_rows[i], m, t);
	al_model_add_view_copy(m,
			       AL_VIEW("Loops", t, columns,
				       .sort = LOOP_INSTRUCTIONS, .top = 15));
	if (t == NULL || !is_any_loop_searched_for_dependences(rows))
		return;
	t = al_model_add_table(m, NULL, "Dependences of loops", column,
			       LOOP_COLUMNS);
	for (size_t i = 0; i < rows->n; i++)
		if (sorted_rows[i]->vectorisable != AN_VECTORISABLE_UNKNOWN)
			add_loop_table_row(sorted_rows[i], m, t);
	al_model_add_view_copy(
		m, AL_VIEW("Dependences of loops", t, dependence_columns,
			   .sort = LOOP_INSTRUCTIONS, .top = 15));
}

/* Return an array of pointers to all rows, sorted, with their lists sorted as
   well. The caller frees it; NULL, with an error in the model, if memory is
   short. */
static struct an_loop_row **alloc_sorted_rows(const struct an_loop_rows *rows,
					      struct al_model *model_for_error)
{
	struct an_loop_row **row = malloc((rows->n + 1) * sizeof(*row));

	if (row == NULL) {
		model_for_error->error = -ENOMEM;
		return NULL;
	}
	for (size_t i = 0; i < rows->n; i++) {
		row[i] = &rows->row[i];
		an_loop_row_sort_lists(row[i]);
	}
	if (rows->n > 0)
		qsort(row, rows->n, sizeof(*row),
		      compare_rows_most_instructions_first);
	return row;
}

static void
add_note_on_irreducible_loops_if_any(const struct an_loop_rows *rows,
				     struct al_model *m)
{
	enum { LINE = 80 }; /* [bytes] */
	const struct an_loop_region *r = &rows->most_executed_irreducible;
	const struct an_code_place place = {
		.function = r->symbol.function,
		.file = r->symbol.file,
		.object = r->symbol.object,
		.line = r->symbol.line,
		.address = r->address,
	};
	char count[LINE], *note;

	if (rows->irreducible == 0)
		return;
	snprintf(count, sizeof(count),
		 rows->irreducible == 1
			 ? "%" PRIu64
			   " loop with several entries is not listed: "
			 : "%" PRIu64
			   " loops with several entries are not listed: ",
		 rows->irreducible);
	note = an_code_label_alloc(&place, count, LINE);
	if (note == NULL)
		m->error = -ENOMEM;
	else
		an_note_add_line(m, note);
	free(note);
}

void an_loops_add_result_to_model(const void *state, struct al_model *m)
{
	const struct an_loop_state *l = state;
	const struct an_loop_rows *rows = &l->rows;
	struct an_loop_row **row = alloc_sorted_rows(rows, m);

	if (row == NULL)
		return;
	al_model_add_number(m, "irreducible", NULL, NULL, rows->irreducible);
	al_model_begin_list(m, "loops");
	for (size_t i = 0; i < rows->n; i++) {
		al_model_begin_object(m, NULL);
		add_json_values_of_loop_row(row[i], m);
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
	add_loop_and_dependence_tables_and_views(rows, row, m);
	add_note_on_irreducible_loops_if_any(rows, m);
	an_named_functions_add_unexecuted_notes(l->chosen, l->n_chosen, m);
	free(row);
}

void an_loops_add_csv_tables_to_model(const void *state, struct al_model *m)
{
	const struct an_loop_rows *rows =
		&((const struct an_loop_state *)state)->rows;
	struct an_loop_row **row = alloc_sorted_rows(rows, m);

	if (row == NULL)
		return;
	add_loop_and_dependence_tables_and_views(rows, row, m);
	an_loops_add_stride_table(row, rows->n, m);
	an_loops_add_dependence_table(row, rows->n, m);
	free(row);
}
