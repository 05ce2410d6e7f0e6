/* SPDX-License-Identifier: GPL-2.0-or-later */
/* field_list.c - lists the fields of a row (a group of data objects); see
   field_list.h */

#include "analyzers/data/field_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/row_label.h"

enum {
	WORD = 8 /* [bytes] size of a field if the type is unknown and cells are
		   single bytes */
};

struct field {
	uint64_t offset, size; /* [bytes] */
	const char *name;      /* name of the member, or "(hole)" and the like;
				  "" if the type is not known */
	bool is_rest;	       /* whether the field stands for the accesses
				  before the type was known */
	struct an_field_counts counts;
};

struct fields {
	struct field *field; /* [n] by offset; one with is_rest is last */
	uint32_t n;
};

const struct an_type *
an_data_row_type_with_member_fields(const struct an_data_row *r)
{
	const struct an_type *type = an_data_row_static_or_voted_type(r);

	if (type == NULL || r->fields.cell_bytes != 1 ||
	    r->fields.element == AN_ELEMENT_MIXED)
		return NULL;
	if (type->flexible_member != NULL)
		return !r->fields.has_several_sizes &&
				       r->fields.element >= type->size
			       ? type
			       : NULL;
	return an_group_fields_can_divide_sizes_by_type(&r->fields, type)
		       ? type
		       : NULL;
}

bool an_data_row_has_no_common_element_size(const struct an_data_row *r)
{
	return r->fields.element == AN_ELEMENT_MIXED ||
	       (r->fields.has_several_sizes &&
		an_data_row_type_with_member_fields(r) == NULL);
}

uint64_t an_type_size_or_element_size_if_flexible(const struct an_type *t,
						  uint64_t element_bytes)
{
	return t->flexible_member ? element_bytes : t->size;
}

static void append_field_unless_empty(struct fields *f, uint64_t start_offset,
				      uint64_t end_offset, const char *name)
{
	if (end_offset > start_offset)
		f->field[f->n++] =
			(struct field){.offset = start_offset,
				       .size = end_offset - start_offset,
				       .name = name};
}

/* Append the members of a type, and the holes before, between and after them,
   which are named "(hole)". @element_bytes: size of the data, which a flexible
   member fills to the end. */
static void append_members_and_holes(struct fields *f, const struct an_type *t,
				     uint64_t element_bytes)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct an_type_member *m = &t->member[i];

		append_field_unless_empty(f, end, m->offset, "(hole)");
		append_field_unless_empty(
			f, m->offset, m->offset + (uint64_t)m->size, m->name);
		end = m->offset + (uint64_t)m->size;
	}
	if (t->flexible_member == NULL) {
		append_field_unless_empty(f, end, t->size, "(hole)");
		return;
	}
	append_field_unless_empty(f, end, t->flexible_offset, "(hole)");
	append_field_unless_empty(f, t->flexible_offset, element_bytes,
				  t->flexible_member);
}

/* Return the index of the field that contains @offset. */
static uint32_t index_of_last_field_not_beyond_offset(const struct fields *f,
						      uint64_t offset)
{
	uint32_t low = 0, high = f->n;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (f->field[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void add_cell_counts_to_members(struct fields *f,
				       const struct an_type *t,
				       const struct an_field_pool *p,
				       const struct an_group_fields *g)
{
	uint64_t size = an_type_size_or_element_size_if_flexible(t, g->element);

	for (uint32_t i = 0; i < g->n_cells; i++)
		if (g->cell[i] != 0)
			an_field_counts_add(
				&f->field[index_of_last_field_not_beyond_offset(
						  f, i % size)]
					 .counts,
				&p->counts[g->cell[i]]);
}

/* Append the words of 8 bytes that have counts, with these counts; if accesses
   are counted in cells longer than a byte, append such cells instead. */
static void
append_8_byte_words_or_cells_with_counts(struct fields *f,
					 const struct an_field_pool *p,
					 const struct an_group_fields *g)
{
	uint64_t size = g->cell_bytes == 1 ? WORD : g->cell_bytes;

	for (uint32_t i = 0; i < g->n_cells; i++) {
		uint64_t start = i * (uint64_t)g->cell_bytes / size * size;
		uint64_t end = start + size;

		if (g->cell[i] == 0)
			continue;
		if (f->n == 0 || f->field[f->n - 1].offset != start)
			append_field_unless_empty(
				f, start, end < g->element ? end : g->element,
				"");
		an_field_counts_add(&f->field[f->n - 1].counts,
				    &p->counts[g->cell[i]]);
	}
}

/* Set @f to the fields of row @r with their counts: the members of its type or,
   if the type is not known, those words of 8 bytes (in long elements: those
   cells, the equal parts of an element) that have counts; none if no cell has
   counts, or if its elements have different sizes that no type divides. The
   caller frees f->field. Return: 0; -ENOMEM, with no fields. */
static int alloc_and_fill_fields_of_row(struct fields *f,
					const struct an_data_rows *t,
					const struct an_data_row *r)
{
	const struct an_type *type = an_data_row_type_with_member_fields(r);
	const struct an_group_fields *g = &r->fields;
	size_t room = type ? 2 * (size_t)type->n_members + 2 : g->n_cells;

	*f = (struct fields){0};
	if (g->cell == NULL || an_data_row_has_no_common_element_size(r))
		return 0;
	f->field = calloc(room + 1, sizeof(*f->field));
	if (f->field == NULL)
		return -ENOMEM;
	if (type) {
		append_members_and_holes(f, type, g->element);
		add_cell_counts_to_members(f, type, &t->fields, g);
	} else {
		append_8_byte_words_or_cells_with_counts(f, &t->fields, g);
	}
	if (g->rest != 0) {
		append_field_unless_empty(f, 0, g->element,
					  "(before the type was known)");
		f->field[f->n - 1].counts = t->fields.counts[g->rest];
		f->field[f->n - 1].is_rest = true;
	}
	return 0;
}

/* ---- JSON ---- */

static void add_list_of_misses_of_field(struct al_model *m,
					const struct an_field_counts *c,
					const struct an_data_levels *levels)
{
	al_model_begin_list(m, "levels");
	for (int i = 0; i < levels->n; i++) {
		al_model_begin_object(m, NULL);
		al_model_add_uncopied_string(m, "name", levels->name[i]);
		al_model_add_number(m, "read_misses", NULL, NULL,
				    c->misses[i][0]);
		al_model_add_number(m, "write_misses", NULL, NULL,
				    c->misses[i][1]);
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

/* Add how many bytes of a field are used. @used: [@size] whether each byte of
   the structure is used. */
static void add_used_byte_count_of_field(struct al_model *m,
					 const struct field *f,
					 const bool *used, uint64_t size)
{
	uint64_t n = 0;

	for (uint64_t i = f->offset; i < f->offset + f->size && i < size; i++)
		n += used[i];
	al_model_add_number(m, "used_bytes", NULL, "bytes", n);
}

static void add_field_object(struct al_model *m, const struct field *f,
			     const struct an_data_levels *levels,
			     bool with_read_write_counts, const bool *used,
			     uint64_t used_size)
{
	al_model_begin_object(m, NULL);
	al_model_add_number(m, "offset", NULL, "bytes", f->offset);
	al_model_add_number(m, "size", NULL, "bytes", f->size);
	al_model_add_uncopied_string(m, "name", f->name);
	if (with_read_write_counts) {
		al_model_add_number(m, "reads", NULL, NULL, f->counts.reads);
		al_model_add_number(m, "writes", NULL, NULL, f->counts.writes);
		al_model_add_number(m, "bytes", NULL, "bytes", f->counts.bytes);
	}
	if (used != NULL && !f->is_rest)
		add_used_byte_count_of_field(m, f, used, used_size);
	add_list_of_misses_of_field(m, &f->counts, levels);
	al_model_end_object_or_list(m);
}

void an_data_row_add_field_list(const struct an_data_rows *t,
				const struct an_data_row *r,
				const struct an_data_levels *levels,
				bool has_accesses, struct al_model *m)
{
	struct fields f;
	uint64_t used_size;
	bool *used = an_data_row_calloc_used_bytes(t, r, has_accesses, m,
						   &used_size);

	if (alloc_and_fill_fields_of_row(&f, t, r) != 0)
		m->error = -ENOMEM;
	al_model_begin_list(m, "fields");
	for (uint32_t i = 0; i < f.n; i++)
		add_field_object(m, &f.field[i], levels, has_accesses, used,
				 used_size);
	al_model_end_object_or_list(m);
	free(used);
	free(f.field);
}

/* ---- text ---- */

enum column { LINE, OFFSET, SIZE, READS, WRITES, FIRST, LAST, NAME, COLUMNS };

static const struct al_column columns[COLUMNS] = {
	[LINE] = {.title = "line", .kind = AL_COLUMN_NUMBER},
	[OFFSET] = {.title = "offset", .kind = AL_COLUMN_NUMBER},
	[SIZE] = {.title = "size", .kind = AL_COLUMN_NUMBER},
	[READS] = {.title = "reads", .kind = AL_COLUMN_NUMBER},
	[WRITES] = {.title = "writes", .kind = AL_COLUMN_NUMBER},
	[FIRST] = {.kind = AL_COLUMN_NUMBER},
	[LAST] = {.kind = AL_COLUMN_NUMBER},
	[NAME] = {.title = "member"},
};

/* Return a title such as "LL misses", as a string of the model. */
static const char *alloc_level_misses_title(struct al_model *m,
					    const char *level_name)
{
	char title[AN_LEVEL_NAME + 8];

	snprintf(title, sizeof(title), "%s misses", level_name);
	return al_model_copy_string_empty_if_no_memory(m, title);
}

static struct al_column *
copy_columns_with_first_last_miss_titles(struct al_model *m,
					 const struct an_data_levels *levels)
{
	struct al_column *column =
		al_model_alloc_uninitialised(m, sizeof(columns));

	if (column == NULL)
		return NULL;
	memcpy(column, columns, sizeof(columns));
	column[FIRST].title = alloc_level_misses_title(m, levels->name[0]);
	column[LAST].title =
		alloc_level_misses_title(m, levels->name[levels->n - 1]);
	return column;
}

static void add_field_row_first_and_last_misses(struct al_model *m,
						struct al_table *t,
						const struct field *f,
						int last_level,
						unsigned line_bytes)
{
	const uint64_t(*misses)[2] = f->counts.misses;
	const union al_cell cell[COLUMNS] = {
		[LINE].number = f->offset / line_bytes,
		[OFFSET].number = f->offset,
		[SIZE].number = f->size,
		[READS].number = f->counts.reads,
		[WRITES].number = f->counts.writes,
		[FIRST].number = misses[0][0] + misses[0][1],
		[LAST].number = misses[last_level][0] + misses[last_level][1],
		[NAME].text = f->name,
	};

	al_table_add_row(m, t, cell);
}

static void add_field_table_and_view(struct al_model *m, const struct fields *f,
				     const char *title,
				     const struct an_data_levels *levels,
				     bool has_accesses)
{
	static const unsigned all[] = {OFFSET, SIZE,  LINE, READS,
				       WRITES, FIRST, LAST, NAME};
	static const unsigned misses[] = {OFFSET, SIZE, LINE,
					  FIRST,  LAST, NAME};
	struct al_column *column =
		copy_columns_with_first_last_miss_titles(m, levels);
	struct al_table *t;

	if (column == NULL)
		return;
	t = al_model_add_table(m, NULL, title, column, COLUMNS);
	for (uint32_t i = 0; i < f->n; i++)
		add_field_row_first_and_last_misses(
			m, t, &f->field[i], levels->n - 1, levels->line_bytes);
	al_model_add_view_copy(
		m, &(struct al_view){.title = title,
				     .cut_title = an_data_cut_field_title,
				     .table = t,
				     .column = has_accesses ? all : misses,
				     .n_columns = has_accesses ? 8 : 6,
				     .sort = AL_UNSORTED,
				     .top = 64});
}

bool an_data_row_try_add_field_table(const struct an_data_rows *t,
				     const struct an_data_row *r,
				     const char *label,
				     const struct an_data_levels *levels,
				     bool has_accesses, struct al_model *m)
{
	struct fields f;
	bool is_table;

	if (alloc_and_fill_fields_of_row(&f, t, r) != 0)
		m->error = -ENOMEM;
	is_table = f.n > 1 && r->fields.cell_bytes == 1;
	if (is_table)
		add_field_table_and_view(
			m, &f,
			an_data_row_make_title_of_field_table(m, r, label),
			levels, has_accesses);
	free(f.field);
	return is_table;
}
