/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_report.c - builds the model of an instruction mix; see mix.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/mix/instr_kind.h"
#include "analyzers/mix/mix.h"
#include "analyzers/place_columns.h"

/* ---- classes ---- */

enum { CLASS, CATEGORY, EXTENSION, COUNT, SHARE, CLASS_COLUMNS };

struct class_count {
	uint64_t class; /* an_instr_kind_class_word() */
	uint64_t count;
};

static int compare_class_numbers(const void *x, const void *y)
{
	const struct class_count *a = x, *b = y;

	return (a->class > b->class) - (a->class < b->class);
}

static int compare_count_descending_then_class(const void *x, const void *y)
{
	const struct class_count *a = x, *b = y;

	return a->count != b->count
		       ? (a->count < b->count) - (a->count > b->count)
		       : compare_class_numbers(x, y);
}

/* Return the executed classes with their counts, the most frequent first; the
   caller frees the array. NULL if memory is short. @class_count_out: receives
   the number of classes. */
static struct class_count *
alloc_class_counts_most_frequent_first(const struct an_mix_result *r,
				       size_t *class_count_out)
{
	struct class_count *c = malloc((r->n_kind_counts + 1) * sizeof(*c));

	*class_count_out = 0;
	if (c == NULL)
		return NULL;
	for (uint32_t i = 0; i < r->n_kind_counts; i++)
		c[i] = (struct class_count){
			an_instr_kind_class_word(&r->kinds.key[i]),
			r->kind_count[i]};
	if (r->n_kind_counts > 0)
		qsort(c, r->n_kind_counts, sizeof(*c), compare_class_numbers);
	for (uint32_t i = 0; i < r->n_kind_counts; i++)
		if (c[i].count != 0 && *class_count_out > 0 &&
		    c[*class_count_out - 1].class == c[i].class)
			c[*class_count_out - 1].count += c[i].count;
		else if (c[i].count != 0)
			c[(*class_count_out)++] = c[i];
	if (*class_count_out > 0)
		qsort(c, *class_count_out, sizeof(*c),
		      compare_count_descending_then_class);
	return c;
}

static const struct al_column *
copy_class_columns_with_share_total(struct al_model *m, uint64_t executed_total)
{
	static const struct al_column column[CLASS_COLUMNS] = {
		[CLASS] = {.key = "name", .title = "class"},
		[CATEGORY] = {.key = "category", .title = "category"},
		[EXTENSION] = {.key = "extension", .title = "extension"},
		[COUNT] = AL_NUMBER_COLUMN("count", "executed"),
		[SHARE] = AL_SHARE_COLUMN("share", COUNT, 2),
	};
	struct al_column *copy =
		al_model_copy_columns(m, column, CLASS_COLUMNS);

	if (copy != NULL)
		copy[SHARE].total = executed_total;
	return copy;
}

static void add_class_rows(struct al_model *m, struct al_table *t,
			   const struct an_mix_result *r)
{
	size_t n;
	struct class_count *c = alloc_class_counts_most_frequent_first(r, &n);

	if (c == NULL)
		m->error = -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		char name[AN_CLASS_NAME];
		union al_cell cell[CLASS_COLUMNS];

		an_instr_kind_write_xed_class_name(c[i].class, name);
		cell[CLASS].text =
			al_model_copy_string_empty_if_no_memory(m, name);
		cell[CATEGORY].text = an_instr_kind_category_name(c[i].class);
		cell[EXTENSION].text = an_instr_kind_extension_name(c[i].class);
		cell[COUNT].number = c[i].count;
		al_table_add_row(m, t, cell);
	}
	free(c);
}

static void add_class_table_and_view(struct al_model *m,
				     const struct an_mix_result *r)
{
	static const unsigned shown[] = {COUNT, SHARE, CLASS, CATEGORY,
					 EXTENSION};
	const struct al_column *column = copy_class_columns_with_share_total(
		m, r->total[AN_MIX_INSTRUCTIONS]);
	struct al_table *t =
		column ? al_model_add_table(m, "classes", "Instruction classes",
					    column, CLASS_COLUMNS)
		       : NULL;

	add_class_rows(m, t, r);
	al_model_add_view_copy(m, AL_VIEW("Instruction classes", t, shown,
					  .sort = COUNT, .top = 12));
}

/* ---- operations ---- */

enum { TYPE, WIDTH, ELEMENTS, INSTRUCTIONS, OPERATIONS, OPERATION_COLUMNS };

static const char *const type_name[AN_N_ARITHMETIC] = {
	[AN_INTEGER] = "integer", [AN_FLOAT] = "float", [AN_X87] = "x87"};

/* Executions and operations of the instructions of one type, width and number
   of elements. */
struct operations {
	struct an_operations each;
	uint64_t instructions, operations;
};

static int compare_by_type_then_width_then_elements(const void *x,
						    const void *y)
{
	const struct operations *a = x, *b = y;
	int d = (int)a->each.type - (int)b->each.type;

	if (d == 0)
		d = (int)a->each.width - (int)b->each.width;
	return d ? d : (int)a->each.elements - (int)b->each.elements;
}

static void add_row_of_executed_arithmetic(struct al_model *m,
					   struct al_table *t,
					   const struct operations *o)
{
	const union al_cell cell[OPERATION_COLUMNS] = {
		[TYPE].text = type_name[o->each.type],
		[WIDTH].number = o->each.width,
		[ELEMENTS].number = o->each.elements,
		[INSTRUCTIONS].number = o->instructions,
		[OPERATIONS].number = o->operations};

	if (o->each.type != AN_NO_ARITHMETIC && o->instructions != 0)
		al_table_add_row(m, t, cell);
}

/* Add a row for each sequence of elements of @sorted_operations that have the
   same type, width and number of elements, with their sums, unless they are no
   arithmetic or were not executed. */
static void add_row_per_equal_operations(struct al_model *m, struct al_table *t,
					 struct operations *sorted_operations,
					 uint32_t operation_count)
{
	struct operations sum = {0};

	for (uint32_t i = 0; i < operation_count; i++) {
		if (i == 0 || compare_by_type_then_width_then_elements(
				      &sorted_operations[i - 1],
				      &sorted_operations[i]) != 0)
			sum = (struct operations){
				.each = sorted_operations[i].each};
		sum.instructions += sorted_operations[i].instructions;
		sum.operations += sorted_operations[i].operations;
		if (i + 1 == operation_count ||
		    compare_by_type_then_width_then_elements(
			    &sorted_operations[i], &sorted_operations[i + 1]) !=
			    0)
			add_row_of_executed_arithmetic(m, t, &sum);
	}
}

static void
add_arithmetic_operation_table_and_view(struct al_model *m,
					const struct an_mix_result *r)
{
	static const struct al_column column[OPERATION_COLUMNS] = {
		[TYPE] = {.key = "type", .title = "type"},
		[WIDTH] = AL_NUMBER_COLUMN("width", "bits"),
		[ELEMENTS] = AL_NUMBER_COLUMN("elements", "elements"),
		[INSTRUCTIONS] =
			AL_NUMBER_COLUMN("instructions", "instructions"),
		[OPERATIONS] = AL_NUMBER_COLUMN("count", "operations"),
	};
	static const unsigned shown[] = {TYPE, WIDTH, ELEMENTS, INSTRUCTIONS,
					 OPERATIONS};
	struct al_table *t = al_model_add_table(m, "operations", "Operations",
						column, OPERATION_COLUMNS);
	struct operations *o = malloc((r->n_kind_counts + 1) * sizeof(*o));

	if (o == NULL)
		m->error = -ENOMEM;
	for (uint32_t i = 0; o && i < r->n_kind_counts; i++) {
		o[i].each = an_instr_kind_arithmetic_of_key(&r->kinds.key[i]);
		o[i].instructions = r->kind_count[i];
		o[i].operations = r->kind_count[i] * o[i].each.count;
	}
	if (o != NULL) {
		qsort(o, r->n_kind_counts, sizeof(*o),
		      compare_by_type_then_width_then_elements);
		add_row_per_equal_operations(m, t, o, r->n_kind_counts);
	}
	free(o);
	al_model_add_view_copy(
		m, AL_VIEW("Operations", t, shown, .sort = AL_UNSORTED));
}

/* ---- functions, lines, threads ---- */

static const struct al_column count_column[AN_N_MIX_COUNTS] = {
	[AN_MIX_INSTRUCTIONS] =
		AL_NUMBER_COLUMN("instructions", "instructions"),
	[AN_MIX_SINGLE] = AL_NUMBER_COLUMN("single", "single"),
	[AN_MIX_DOUBLE] = AL_NUMBER_COLUMN("double", "double"),
	[AN_MIX_X87] = AL_NUMBER_COLUMN("x87", "x87"),
	[AN_MIX_FLOPS] = AL_NUMBER_COLUMN("flops", "flops"),
	[AN_MIX_VECTOR] = AL_NUMBER_COLUMN("vector_flops", "in vectors"),
	[AN_MIX_INTEGER] = AL_NUMBER_COLUMN("integer", "integer ops"),
	[AN_MIX_BYTES] = AL_NUMBER_COLUMN("bytes", "bytes"),
};

static void add_place_counts_detail_view(struct al_model *m, const char *title,
					 const struct al_table *t,
					 int sort_column, unsigned label_column)
{
	unsigned *column = al_model_alloc_uninitialised(m, 5 * sizeof(*column));

	if (column == NULL)
		return;
	column[0] = AN_NAMES + AN_MIX_INSTRUCTIONS;
	column[1] = AN_NAMES + AN_MIX_FLOPS;
	column[2] = AN_NAMES + AN_MIX_VECTOR;
	column[3] = AN_NAMES + AN_N_MIX_COUNTS;
	column[4] = label_column;
	al_model_add_view_copy(m, &(struct al_view){.title = title,
						    .is_detail = true,
						    .table = t,
						    .column = column,
						    .n_columns = 5,
						    .sort = sort_column,
						    .top = 6});
}

static void add_place_tables_and_views(struct al_model *m,
				       const struct an_mix_result *r)
{
	struct al_column column[AN_N_MIX_COUNTS + 1];
	struct an_place_tables t;
	int sort = AN_NAMES + (r->total[AN_MIX_FLOPS] ? AN_MIX_FLOPS
						      : AN_MIX_INSTRUCTIONS);

	for (unsigned i = 0; i < AN_N_MIX_COUNTS; i++)
		column[i] = count_column[i];
	column[AN_N_MIX_COUNTS] =
		(struct al_column){.title = "flops/byte",
				   .kind = AL_COLUMN_RATIO,
				   .numerator = AN_NAMES + AN_MIX_FLOPS,
				   .denominator = AN_NAMES + AN_MIX_BYTES,
				   .factor = 1,
				   .decimals = 3};
	t = an_place_counts_add_tables(&r->places, m, column,
				       AN_N_MIX_COUNTS + 1);
	add_place_counts_detail_view(m, "Where the operations are", t.whole,
				     sort, t.label);
	add_place_counts_detail_view(m, NULL, t.lines, sort, t.label);
}

static int compare_thread_numbers(const void *x, const void *y)
{
	const struct an_mix_thread *a = x, *b = y;

	return (a->number > b->number) - (a->number < b->number);
}

/* Add the table of threads, sorted by thread number. Threads of several
   processes that have the same number share a row. */
static void add_thread_table(struct al_model *m, const struct an_mix_result *r)
{
	struct al_column *column = al_model_alloc_uninitialised(
		m, (1 + AN_N_MIX_THREAD_COUNTS) * sizeof(*column));
	struct an_mix_thread *sorted = al_model_alloc_uninitialised(
		m, (r->n_threads + 1) * sizeof(*sorted));
	struct al_table *t;

	if (column == NULL || sorted == NULL)
		return;
	column[0] = (struct al_column){
		.key = "thread", .title = "thread", .kind = AL_COLUMN_NUMBER};
	for (unsigned i = 0; i < AN_N_MIX_THREAD_COUNTS; i++)
		column[1 + i] = count_column[i];
	t = al_model_add_table(m, "threads", "Threads", column,
			       1 + AN_N_MIX_THREAD_COUNTS);
	for (unsigned i = 0; i < r->n_threads; i++)
		sorted[i] = r->thread[i];
	if (r->n_threads > 0)
		qsort(sorted, r->n_threads, sizeof(*sorted),
		      compare_thread_numbers);
	for (unsigned i = 0; i < r->n_threads; i++) {
		union al_cell cell[1 + AN_N_MIX_THREAD_COUNTS];

		cell[0].number = sorted[i].number;
		for (unsigned k = 0; k < AN_N_MIX_THREAD_COUNTS; k++)
			cell[1 + k].number = sorted[i].count[k];
		al_table_add_row(m, t, cell);
	}
}

/* ---- totals ---- */

/* Return the executions of instructions that have floating-point operations. */
static uint64_t count_float_instructions(const struct an_mix_result *r)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < r->n_kind_counts; i++) {
		struct an_operations o =
			an_instr_kind_arithmetic_of_key(&r->kinds.key[i]);

		if (o.type == AN_FLOAT || o.type == AN_X87)
			sum += r->kind_count[i];
	}
	return sum;
}

static double percent_or_0(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static double flops_per_byte_or_0(const struct an_mix_result *r)
{
	uint64_t bytes = r->total[AN_MIX_BYTES];

	return bytes ? (double)r->total[AN_MIX_FLOPS] / (double)bytes : 0;
}

void an_mix_add_result_to_model(const struct an_mix_result *r,
				struct al_model *m)
{
	uint64_t instructions = r->total[AN_MIX_INSTRUCTIONS];
	uint64_t float_instructions = count_float_instructions(r);

	m->title = "Instruction mix";
	al_model_add_number(m, "total", "instructions", NULL, instructions);
	al_model_add_number(m, "float_instructions", "floating-point",
			    "instructions", float_instructions);
	al_model_add_real(m, "float_percent", "floating-point",
			  "% of instructions",
			  percent_or_0(float_instructions, instructions));
	al_model_add_number(m, "float_operations", "floating-point",
			    "operations", r->total[AN_MIX_FLOPS]);
	al_model_add_number(m, "integer_operations", "integer", "operations",
			    r->total[AN_MIX_INTEGER]);
	al_model_add_number(m, "bytes", "read and written", "bytes",
			    r->total[AN_MIX_BYTES]);
	al_model_add_real(m, "intensity", NULL, "flops/byte",
			  flops_per_byte_or_0(r));
	al_model_add_number(m, "bytes_read", "read", "bytes", r->bytes_read);
	al_model_add_number(m, "bytes_written", "written", "bytes",
			    r->bytes_written);
	al_model_begin_object(m, "flops");
	al_model_add_number(m, "single", NULL, NULL, r->total[AN_MIX_SINGLE]);
	al_model_add_number(m, "double", NULL, NULL, r->total[AN_MIX_DOUBLE]);
	al_model_add_number(m, "x87", NULL, NULL, r->total[AN_MIX_X87]);
	al_model_add_number(m, "total", NULL, NULL, r->total[AN_MIX_FLOPS]);
	al_model_end_object_or_list(m);
	add_class_table_and_view(m, r);
	add_arithmetic_operation_table_and_view(m, r);
	add_thread_table(m, r);
	add_place_tables_and_views(m, r);
}
