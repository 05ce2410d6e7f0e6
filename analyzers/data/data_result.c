/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_result.c - builds the result of the analysis "data"; see rows.h */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/field_list.h"
#include "analyzers/data/row_label.h"

enum {
	MAX_LABEL = 256,
	FIELD_TABLES = 5, /* maximum number of tables of fields; the first so
			     many rows, and rows of own code, can have one */
	MIN_PART = 50000, /* rows with less than one of so many misses, and
				  accesses, have no table of fields */
	FIRST_LEVEL_ROWS = 10, /* number of rows by misses of the first level */
};

static struct an_data_levels
list_names_of_data_levels(const struct an_geometry *g)
{
	struct an_data_levels l = {.n = 0,
				   .line_bytes = g->level[g->first_data].line};

	for (int i = g->first_data; i != AN_MEMORY && l.n < AN_MAX_LEVELS;
	     i = g->level[i].next)
		l.name[l.n++] = g->level[i].name;
	return l;
}

static uint64_t sum_read_and_write_misses(const struct an_data_row *r,
					  int level)
{
	return r->counts.misses[level][0] + r->counts.misses[level][1];
}

/* ---- order of rows ---- */

/* A row of the result, and the number of cache levels, for sorting. */
struct ranked_row {
	const struct an_data_row *row;
	int n_levels;
};

static int compare_sites_by_names_and_lines(const struct an_data_row *a,
					    const struct an_data_row *b)
{
	for (uint32_t i = 0; i < a->n_site && i < b->n_site; i++) {
		int difference =
			strcmp(a->site[i].function, b->site[i].function);

		if (!difference)
			difference = strcmp(a->site[i].file, b->site[i].file);
		if (!difference)
			difference =
				strcmp(a->site[i].object, b->site[i].object);
		if (difference)
			return difference;
		if (a->site[i].line != b->site[i].line)
			return a->site[i].line < b->site[i].line ? -1 : 1;
		if (a->site[i].call_line != b->site[i].call_line)
			return a->site[i].call_line < b->site[i].call_line ? -1
									   : 1;
		if (a->site[i].unnamed_address != b->site[i].unnamed_address)
			return a->site[i].unnamed_address <
					       b->site[i].unnamed_address
				       ? -1
				       : 1;
	}
	return (a->n_site > b->n_site) - (a->n_site < b->n_site);
}

/* Compare rows for qsort(): most misses of the last level first, then of each
   level above it, then by kind, name, object, site, hash of members, thread and
   number, ascending. Different rows are never equal. */
static int compare_rows_by_last_level_misses_desc(const void *va,
						  const void *vb)
{
	const struct ranked_row *x = va, *y = vb;
	const struct an_data_row *a = x->row, *b = y->row;
	int difference;

	for (int i = x->n_levels - 1; i >= 0; i--)
		if (sum_read_and_write_misses(a, i) !=
		    sum_read_and_write_misses(b, i))
			return sum_read_and_write_misses(a, i) >
					       sum_read_and_write_misses(b, i)
				       ? -1
				       : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	difference = strcmp(a->name, b->name);
	if (!difference)
		difference = strcmp(a->object, b->object);
	if (!difference)
		difference = compare_sites_by_names_and_lines(a, b);
	if (!difference && a->members_hash != b->members_hash)
		return a->members_hash < b->members_hash ? -1 : 1;
	if (!difference && a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return difference ? difference
			  : (a->number > b->number) - (a->number < b->number);
}

/* Return a new array of all rows, most misses of the last level first, which
   the caller frees; NULL: memory is short. */
static struct ranked_row *
alloc_rows_sorted_by_last_misses(const struct an_data_rows *t, int n_levels)
{
	struct ranked_row *ranked = malloc((t->n + 1) * sizeof(*ranked));

	for (uint32_t i = 0; ranked && i < t->n; i++)
		ranked[i] = (struct ranked_row){&t->row[i], n_levels};
	if (ranked && t->n > 0)
		qsort(ranked, t->n, sizeof(*ranked),
		      compare_rows_by_last_level_misses_desc);
	return ranked;
}

/* ---- JSON ---- */

static void add_source_place_as_json_object(struct al_model *m,
					    const struct an_symbol *place)
{
	al_model_begin_object(m, NULL);
	al_model_add_uncopied_string(m, "function", place->function);
	al_model_add_uncopied_string(m, "file", place->file);
	al_model_add_number(m, "line", NULL, NULL, place->line);
	al_model_add_uncopied_string(m, "object", place->object);
	if (place->call_line > 0) {
		al_model_add_uncopied_string(m, "call_file", place->call_file);
		al_model_add_number(m, "call_line", NULL, NULL,
				    place->call_line);
	}
	al_model_end_object_or_list(m);
}

static void
add_list_of_misses_and_write_backs(struct al_model *m,
				   const struct an_data_row *r,
				   const struct an_data_levels *levels)
{
	al_model_begin_list(m, "levels");
	for (int i = 0; i < levels->n; i++) {
		al_model_begin_object(m, NULL);
		al_model_add_uncopied_string(m, "name", levels->name[i]);
		al_model_add_number(m, "read_misses", NULL, NULL,
				    r->counts.misses[i][0]);
		al_model_add_number(m, "write_misses", NULL, NULL,
				    r->counts.misses[i][1]);
		al_model_add_number(m, "writebacks", NULL, NULL,
				    r->counts.write_backs[i]);
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

static void add_access_count_members(struct al_model *m,
				     const struct an_data_counts *c)
{
	al_model_add_number(m, "reads", NULL, NULL, c->reads);
	al_model_add_number(m, "writes", NULL, NULL, c->writes);
	al_model_add_number(m, "read_bytes", NULL, "bytes", c->read_bytes);
	al_model_add_number(m, "written_bytes", NULL, "bytes",
			    c->written_bytes);
}

/* Add the label of a row and, if a caller in its site (call stack) is the
   user's own code, the function, file and line of the innermost such caller. */
static void add_label_and_line_in_own_code(struct al_model *m,
					   const struct an_data_row *r)
{
	struct an_own_place own;

	al_model_add_uncopied_string(m, "label",
				     an_data_row_alloc_label_in_model(m, r));
	if (!an_data_row_find_user_code_caller(r, &own))
		return;
	al_model_begin_object(m, "place");
	al_model_add_uncopied_string(m, "function", own.function);
	al_model_add_uncopied_string(m, "file", own.file);
	al_model_add_number(m, "line", NULL, NULL, own.line);
	al_model_end_object_or_list(m);
}

/* Add the name of a row's type and, of a structure, the source line of its
   declaration. */
static void add_type_name_and_declaration(struct al_model *m,
					  const struct an_type *type)
{
	const char *declaration = an_type_declaration_or_empty(type);

	al_model_add_uncopied_string(m, "type", type->name);
	if (*declaration)
		al_model_add_uncopied_string(m, "type_declaration",
					     declaration);
}

static void add_data_row_object(struct al_model *m,
				const struct an_data_rows *t,
				const struct an_data_row *r,
				const struct an_data_levels *levels,
				const struct an_data_options *options)
{
	const struct an_type *type = an_data_row_static_or_voted_type(r);

	al_model_begin_object(m, NULL);
	al_model_add_uncopied_string(m, "kind", an_data_kind_name(r->kind));
	al_model_add_uncopied_string(m, "name", r->name);
	if (*r->object)
		al_model_add_uncopied_string(m, "object", r->object);
	add_label_and_line_in_own_code(m, r);
	al_model_begin_list(m, "site");
	for (uint32_t i = 0; i < r->n_site; i++)
		add_source_place_as_json_object(m, &r->site[i]);
	al_model_end_object_or_list(m);
	if (r->thread > 0)
		al_model_add_number(m, "thread", NULL, NULL, r->thread);
	if (r->number > 0)
		al_model_add_number(m, "number", NULL, NULL, r->number);
	if (type)
		add_type_name_and_declaration(m, type);
	al_model_add_number(m, "objects", NULL, NULL, r->counts.objects);
	al_model_add_number(m, "bytes", NULL, "bytes", r->counts.bytes);
	al_model_add_number(m, "peak_bytes", NULL, "bytes",
			    r->counts.peak_bytes);
	if (options->has_accesses)
		add_access_count_members(m, &r->counts);
	add_list_of_misses_and_write_backs(m, r, levels);
	if (options->has_fields) {
		an_data_row_add_element_use(t, r, levels->line_bytes,
					    options->has_accesses, m);
		an_data_row_add_field_list(t, r, levels, options->has_accesses,
					   m);
	}
	al_model_end_object_or_list(m);
}

static void add_list_of_allocator_function_names(struct al_model *m,
						 const struct an_data_rows *t)
{
	char label[MAX_LABEL];

	al_model_begin_list(m, "allocators");
	for (uint32_t i = 0; i < t->allocators.n; i++) {
		const struct an_symbol *f = &t->allocators.function[i];

		snprintf(label, sizeof(label), "%s [%s]", f->function,
			 f->object);
		al_model_add_uncopied_string(
			m, NULL,
			al_model_copy_string_empty_if_no_memory(m, label));
	}
	al_model_end_object_or_list(m);
}

/* ---- text ---- */

enum column {
	LAST_MISSES,
	FIRST_MISSES,
	PEAK,
	OBJECTS,
	NAME,
	STORED,
	LAST_SHARE = STORED,
	FIRST_SHARE,
	LABEL,
	COLUMNS
};

static char *cut_name_of_row(const union al_cell *row, size_t most)
{
	return an_data_cut_label(row[NAME].text, most);
}

static const struct al_column columns[COLUMNS] = {
	[LAST_MISSES] = {.id = "last", .kind = AL_COLUMN_NUMBER},
	[FIRST_MISSES] = {.id = "first", .kind = AL_COLUMN_NUMBER},
	[PEAK] = {.id = "peak",
		  .title = "peak",
		  .unit = "bytes",
		  .kind = AL_COLUMN_NUMBER},
	[OBJECTS] = {.id = "objects",
		     .title = "objects",
		     .kind = AL_COLUMN_NUMBER},
	[NAME] = {.id = "name", .title = "data object"},
	[LAST_SHARE] = AL_SHARE_COLUMN("share", LAST_MISSES, 1),
	[FIRST_SHARE] = AL_SHARE_COLUMN("share", FIRST_MISSES, 1),
	[LABEL] = {.title = "data object",
		   .kind = AL_COLUMN_LABEL,
		   .label = cut_name_of_row},
};

/* Return @prefix, @level_name and " misses", such as "LL misses" if @prefix is
   "", as a string of the model. */
static const char *alloc_level_misses_title(struct al_model *m,
					    const char *prefix,
					    const char *level_name)
{
	char title[AN_LEVEL_NAME + 32];

	snprintf(title, sizeof(title), "%s%s misses", prefix, level_name);
	return al_model_copy_string_empty_if_no_memory(m, title);
}

static void add_data_object_row_first_last_misses(struct al_model *m,
						  struct al_table *t,
						  const struct an_data_row *r,
						  int last_level)
{
	const union al_cell cell[STORED] = {
		[LAST_MISSES].number = sum_read_and_write_misses(r, last_level),
		[FIRST_MISSES].number = sum_read_and_write_misses(r, 0),
		[PEAK].number = r->counts.peak_bytes,
		[OBJECTS].number = r->counts.objects,
		[NAME].text = an_data_row_alloc_label_in_model(m, r),
	};

	al_table_add_row(m, t, cell);
}

/* Return the number of rows that the view of the last level must show to show
   each row with at least 1 % of the misses of the first level. If such a row
   has no misses of the last level, no view of that level shows it: return
   SIZE_MAX. @ranked: [@row_count], most misses of the last level first. */
static size_t
min_rows_to_show_all_with_many_l1_misses(const struct ranked_row *ranked,
					 uint32_t row_count,
					 uint64_t first_total, int last_level)
{
	for (uint32_t i = row_count; i > 0 && first_total > 0; i--)
		if (sum_read_and_write_misses(ranked[i - 1].row, 0) >=
		    (first_total + 99) / 100)
			return sum_read_and_write_misses(ranked[i - 1].row,
							 last_level) > 0
				       ? i
				       : SIZE_MAX;
	return 0;
}

static uint64_t sum_misses_of_rows(const struct ranked_row *ranked,
				   uint32_t row_count, int level)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < row_count; i++)
		sum += sum_read_and_write_misses(ranked[i].row, level);
	return sum;
}

/* Set the titles of the columns that count misses, and the sums of which their
   shares are computed. */
static void set_miss_columns(struct al_model *m, struct al_column *column,
			     const struct an_data_levels *levels,
			     uint64_t last_total, uint64_t first_total)
{
	column[LAST_SHARE].total = last_total;
	column[FIRST_SHARE].total = first_total;
	column[LAST_MISSES].title =
		alloc_level_misses_title(m, "", levels->name[levels->n - 1]);
	column[FIRST_MISSES].title =
		alloc_level_misses_title(m, "", levels->name[0]);
}

static void add_view_by_misses(struct al_model *m, const struct al_table *t,
			       const char *title, bool by_last, uint32_t top,
			       size_t omit_if_previous_row_count_at_least)
{
	static const unsigned shown[2][6] = {
		{FIRST_SHARE, LAST_MISSES, FIRST_MISSES, PEAK, OBJECTS, LABEL},
		{LAST_SHARE, LAST_MISSES, FIRST_MISSES, PEAK, OBJECTS, LABEL},
	};

	al_model_add_view_copy(
		m,
		&(struct al_view){.title = title,
				  .table = t,
				  .column = shown[by_last],
				  .n_columns = 6,
				  .sort = by_last ? LAST_MISSES : FIRST_MISSES,
				  .top = top,
				  .needless_rows =
					  omit_if_previous_row_count_at_least});
}

/* Add the table of data objects and a view of it, rows with most misses of the
   last level first; of the first level if the last has none. Add a view by
   misses of the first level, which is shown if the other one hides rows with
   many of these. */
static void add_data_object_table_and_view(struct al_model *m,
					   const struct ranked_row *ranked,
					   uint32_t row_count,
					   const struct an_data_levels *levels,
					   uint32_t top)
{
	struct al_column *column =
		al_model_alloc_uninitialised(m, sizeof(columns));
	int last = levels->n - 1;
	uint64_t last_total = sum_misses_of_rows(ranked, row_count, last);
	uint64_t first_total = sum_misses_of_rows(ranked, row_count, 0);
	struct al_table *t;
	size_t needless_rows;

	if (column == NULL)
		return;
	memcpy(column, columns, sizeof(columns));
	set_miss_columns(m, column, levels, last_total, first_total);
	t = al_model_add_table(m, NULL, "Data objects", column, COLUMNS);
	for (uint32_t i = 0; i < row_count; i++)
		add_data_object_row_first_last_misses(m, t, ranked[i].row,
						      last);
	add_view_by_misses(m, t, "Data objects", last_total > 0, top, 0);
	needless_rows = min_rows_to_show_all_with_many_l1_misses(
		ranked, row_count, first_total, last);
	if (last > 0 && last_total > 0 && needless_rows > 0)
		add_view_by_misses(m, t,
				   alloc_level_misses_title(m,
							    "Data objects by ",
							    levels->name[0]),
				   false, FIRST_LEVEL_ROWS, needless_rows);
}

static uint64_t sum_accesses(const struct an_data_row *r)
{
	return r->counts.reads + r->counts.writes;
}

/* Whether a row has at least one of MIN_PART of the misses of the first
   level, of which there are @all_misses, or of the accesses, @all_accesses, of
   which none are counted if that is 0. */
static bool has_min_part_of_misses_or_accesses(const struct an_data_row *r,
					       uint64_t all_misses,
					       uint64_t all_accesses)
{
	return sum_read_and_write_misses(r, 0) >= all_misses / MIN_PART ||
	       (all_accesses > 0 && sum_accesses(r) >= all_accesses / MIN_PART);
}

/* Return those rows of which members are reported: of the first FIELD_TABLES
   rows, and the further ones of own code, those that pass
   has_min_part_of_misses_or_accesses(); set *@n to their number. @ranked:
   [@row_count]. The caller frees the array. NULL: memory is short. */
static const struct an_data_row **
alloc_rows_for_member_tables(const struct ranked_row *ranked,
			     uint32_t row_count, uint32_t *n)
{
	const struct an_data_row **row =
		calloc(row_count + 1u, sizeof(struct an_data_row *));
	uint64_t misses = sum_misses_of_rows(ranked, row_count, 0);
	uint64_t accesses = 0;

	for (uint32_t i = 0; i < row_count; i++)
		accesses += sum_accesses(ranked[i].row);
	*n = 0;
	for (uint32_t i = 0; row && i < row_count; i++)
		if ((i < FIELD_TABLES ||
		     an_data_row_is_of_own_code(ranked[i].row)) &&
		    has_min_part_of_misses_or_accesses(ranked[i].row, misses,
						       accesses))
			row[(*n)++] = ranked[i].row;
	return row;
}

/* Add tables of fields of the first FIELD_TABLES of the @n rows
   @row_to_report_members_of that have such a table. */
static void add_first_field_tables(
	struct al_model *m, const struct an_data_rows *t,
	const struct an_data_row *const *row_to_report_members_of, uint32_t n,
	const struct an_data_levels *levels, bool has_accesses)
{
	unsigned tables = 0;

	for (uint32_t i = 0; i < n && tables < FIELD_TABLES; i++)
		tables += an_data_row_try_add_field_table(
			t, row_to_report_members_of[i],
			an_data_row_alloc_label_in_model(
				m, row_to_report_members_of[i]),
			levels, has_accesses, m);
}

/* Add the notes, and the tables of fields if they are requested. */
static void add_notes_and_field_tables(struct al_model *m,
				       const struct an_data_rows *t,
				       const struct ranked_row *ranked,
				       const struct an_data_levels *levels,
				       const struct an_data_options *options)
{
	uint32_t n;
	const struct an_data_row **row =
		alloc_rows_for_member_tables(ranked, t->n, &n);

	if (row == NULL) {
		m->error = -ENOMEM;
		return;
	}
	an_data_rows_add_notes(t, row, n, options, m);
	if (options->has_fields)
		add_first_field_tables(m, t, row, n, levels,
				       options->has_accesses);
	free(row);
}

void an_data_rows_add_to_model(const struct an_data_rows *t,
			       const struct an_geometry *g,
			       const struct an_data_options *options,
			       struct al_model *m)
{
	struct an_data_levels levels = list_names_of_data_levels(g);
	struct ranked_row *ranked =
		alloc_rows_sorted_by_last_misses(t, levels.n);

	if (ranked == NULL) {
		m->error = -ENOMEM;
		return;
	}
	al_model_begin_list(m, "groups");
	for (uint32_t i = 0; i < t->n; i++)
		add_data_row_object(m, t, ranked[i].row, &levels, options);
	al_model_end_object_or_list(m);
	al_model_add_number(m, "line", NULL, "bytes", levels.line_bytes);
	al_model_add_number(m, "bad_frees", NULL, NULL, t->bad_frees);
	al_model_add_number(m, "overlaps", NULL, NULL, t->overlaps);
	al_model_add_number(m, "unrecorded", NULL, NULL, t->unrecorded);
	if (options->has_fields)
		al_model_add_number(m, "undivided", NULL, NULL,
				    t->fields.n_undivided);
	add_list_of_allocator_function_names(m, t);
	add_data_object_table_and_view(m, ranked, t->n, &levels, options->top);
	add_notes_and_field_tables(m, t, ranked, &levels, options);
	free(ranked);
}
