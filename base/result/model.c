/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model.c - builds and reads the result of an analysis; see model.h */

#include "base/result/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

enum { PIECE = 4000 };

struct al_model_piece {
	struct al_model_piece *next;
	size_t used, size; /* [bytes] of data */
	uint64_t data[];
};

/* A table in the list of all tables of a model. Its cells are allocated by
   malloc(), because they grow. */
struct al_table_list {
	struct al_table_list *next;
	struct al_table table;
};

void al_model_init(struct al_model *m)
{
	*m = (struct al_model){.root.kind = AL_RESULT_OBJECT};
	m->open = &m->root;
	m->last_view = &m->view;
}

void al_model_release(struct al_model *m)
{
	struct al_model_piece *next;

	for (struct al_table_list *t = m->tables; t != NULL; t = t->next)
		free(t->table.cell);
	for (struct al_model_piece *p = m->piece; p != NULL; p = next) {
		next = p->next;
		free(p);
	}
	al_model_init(m);
}

/* ---- memory ---- */

void *al_model_alloc_uninitialised(struct al_model *m, size_t bytes)
{
	struct al_model_piece *p = m->piece;
	size_t size;

	bytes = (bytes + 7) & ~(size_t)7;
	if (p == NULL || p->size - p->used < bytes) {
		size = bytes > PIECE ? bytes : PIECE;
		p = malloc(sizeof(*p) + size);
		if (p == NULL) {
			m->error = -ENOMEM;
			return NULL;
		}
		*p = (struct al_model_piece){.next = m->piece, .size = size};
		m->piece = p;
	}
	p->used += bytes;
	return (char *)p->data + p->used - bytes;
}

const char *al_model_copy_string_empty_if_no_memory(struct al_model *m,
						    const char *s)
{
	size_t size = strlen(s) + 1;
	char *copy = al_model_alloc_uninitialised(m, size);

	return copy ? memcpy(copy, s, size) : "";
}

/* ---- build ---- */

/* Append a member without a value to m->open, the innermost object or list that
   was not ended. Return: the member; NULL if m->error is set or memory is
   short. */
static struct al_result_node *
add_node_to_open_container(struct al_model *m, enum al_result_kind kind,
			   const char *key)
{
	struct al_result_node *n;

	if (m->error)
		return NULL;
	n = al_model_alloc_uninitialised(m, sizeof(*n));
	if (n == NULL)
		return NULL;
	*n = (struct al_result_node){
		.kind = kind, .key = key, .title = key, .parent = m->open};
	if (m->open->last != NULL)
		m->open->last->next = n;
	else
		m->open->first = n;
	m->open->last = n;
	return n;
}

static void add_and_open_container_node(struct al_model *m,
					enum al_result_kind kind,
					const char *key)
{
	struct al_result_node *n = add_node_to_open_container(m, kind, key);

	if (n != NULL)
		m->open = n;
}

void al_model_begin_object(struct al_model *m, const char *key)
{
	add_and_open_container_node(m, AL_RESULT_OBJECT, key);
}

void al_model_begin_list(struct al_model *m, const char *key)
{
	add_and_open_container_node(m, AL_RESULT_LIST, key);
}

void al_model_end_object_or_list(struct al_model *m)
{
	if (!m->error)
		m->open = m->open->parent;
}

/* Append a member with a title, a unit and a value to m->open. @title: NULL:
   the title is @key. */
static void add_titled_value_with_unit(struct al_model *m,
				       enum al_result_kind kind,
				       const char *key, const char *title,
				       const char *unit, union al_cell value)
{
	struct al_result_node *n = add_node_to_open_container(m, kind, key);

	if (n == NULL)
		return;
	if (title != NULL)
		n->title = title;
	n->unit = unit;
	n->value = value;
}

void al_model_add_number(struct al_model *m, const char *key, const char *title,
			 const char *unit, uint64_t value)
{
	add_titled_value_with_unit(m, AL_RESULT_NUMBER, key, title, unit,
				   (union al_cell){.number = value});
}

void al_model_add_real(struct al_model *m, const char *key, const char *title,
		       const char *unit, double value)
{
	add_titled_value_with_unit(m, AL_RESULT_REAL, key, title, unit,
				   (union al_cell){.real = value});
}

static void add_uncopied_text_node(struct al_model *m, enum al_result_kind kind,
				   const char *key, const char *text)
{
	struct al_result_node *n = add_node_to_open_container(m, kind, key);

	if (n != NULL)
		n->value.text = text;
}

void al_model_add_uncopied_string(struct al_model *m, const char *key,
				  const char *value)
{
	add_uncopied_text_node(m, AL_RESULT_STRING, key, value);
}

void al_model_add_true_false_or_null(struct al_model *m, const char *key,
				     const char *uncopied_json_word)
{
	add_uncopied_text_node(m, AL_RESULT_WORD, key, uncopied_json_word);
}

void al_model_add_uncopied_series(struct al_model *m, const char *key,
				  const char *unit, const uint64_t *value,
				  size_t n_values)
{
	struct al_result_node *n =
		add_node_to_open_container(m, AL_RESULT_SERIES, key);

	if (n == NULL)
		return;
	n->unit = unit;
	n->series = value;
	n->n = n_values;
}

void al_model_add_uncopied_real_series(struct al_model *m, const char *key,
				       const char *unit, const double *value,
				       size_t n_values)
{
	struct al_result_node *n =
		add_node_to_open_container(m, AL_RESULT_REAL_SERIES, key);

	if (n == NULL)
		return;
	n->unit = unit;
	n->reals = value;
	n->n = n_values;
}

struct al_column *al_model_copy_columns(struct al_model *m,
					const struct al_column *columns,
					unsigned column_count)
{
	struct al_column *copy =
		al_model_alloc_uninitialised(m, column_count * sizeof(*copy));

	return copy ? memcpy(copy, columns, column_count * sizeof(*copy))
		    : NULL;
}

struct al_table *al_model_add_table(struct al_model *m, const char *key,
				    const char *title,
				    const struct al_column *borrowed_columns,
				    unsigned column_count)
{
	struct al_result_node *node =
		add_node_to_open_container(m, AL_RESULT_TABLE, key);
	struct al_table_list *t;

	if (node == NULL)
		return NULL;
	t = al_model_alloc_uninitialised(m, sizeof(*t));
	if (t == NULL)
		return NULL;
	*t = (struct al_table_list){
		.next = m->tables,
		.table = {.key = key,
			  .title = title,
			  .column = borrowed_columns,
			  .n_columns = column_count},
	};
	while (t->table.n_stored < column_count &&
	       borrowed_columns[t->table.n_stored].kind <= AL_COLUMN_NUMBER)
		t->table.n_stored++;
	m->tables = t;
	node->table = &t->table;
	return node->table;
}

void al_table_add_row(struct al_model *m, struct al_table *t,
		      const union al_cell *cell)
{
	if (t == NULL || m->error)
		return;
	m->error = al_array_reserve(t->cell, t->capacity,
				    (t->n_rows + 1) * t->n_stored);
	if (m->error)
		return;
	memcpy(t->cell + t->n_rows++ * t->n_stored, cell,
	       t->n_stored * sizeof(*cell));
}

void al_model_add_view_copy(struct al_model *m, const struct al_view *view)
{
	struct al_view *v;

	if (m->error || (view->table == NULL && view->draw == NULL))
		return;
	v = al_model_alloc_uninitialised(m, sizeof(*v));
	if (v == NULL)
		return;
	*v = *view;
	v->next = NULL;
	*m->last_view = v;
	m->last_view = &v->next;
}

/* ---- read ---- */

const struct al_result_node *
al_model_find_member(const struct al_result_node *node, const char *key)
{
	const struct al_result_node *n = node->first;

	while (n != NULL && (n->key == NULL || strcmp(n->key, key) != 0))
		n = n->next;
	return n;
}

const struct al_table *al_model_find_table(const struct al_model *m,
					   const char *key_or_title)
{
	for (const struct al_result_node *n = m->root.first; n; n = n->next) {
		const char *name = n->table == NULL ? NULL
				   : n->key	    ? n->key
						    : n->table->title;

		if (name != NULL && strcmp(name, key_or_title) == 0)
			return n->table;
	}
	return NULL;
}

int al_table_find_column_index(const struct al_table *t, const char *key_or_id)
{
	for (unsigned i = 0; i < t->n_columns; i++) {
		const struct al_column *c = &t->column[i];
		const char *name = c->key != NULL ? c->key : c->id;

		if (name != NULL && strcmp(name, key_or_id) == 0)
			return (int)i;
	}
	return -1;
}

enum {
	MAX_INSERTED = 64
}; /* greatest number of rows that are found without
			       sorting all */

/* Index of a row, and the number by which it is sorted. */
struct sorted_row {
	uint64_t number;
	size_t row;
};

static int compare_rows_descending(const void *x, const void *y)
{
	const struct sorted_row *a = x, *b = y;

	if (a->number != b->number)
		return a->number > b->number ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static int compare_rows_ascending(const void *x, const void *y)
{
	const struct sorted_row *a = x, *b = y;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

typedef int row_order(const void *, const void *);

/* Reorder @rows, [@n], so that the first @max_sorted of them are those that
   come first in @order, sorted; the others stay in any order. */
static void sort_first_rows(struct sorted_row *rows, size_t n,
			    size_t max_sorted, row_order *order)
{
	size_t n_sorted = 0;

	for (size_t i = 0; i < n; i++) {
		struct sorted_row row = rows[i];
		size_t to = n_sorted;

		if (n_sorted == max_sorted &&
		    order(&row, &rows[n_sorted - 1]) > 0)
			continue;
		if (n_sorted == max_sorted)
			rows[i] = rows[--to];
		else
			n_sorted++;
		for (; to > 0 && order(&row, &rows[to - 1]) < 0; to--)
			rows[to] = rows[to - 1];
		rows[to] = row;
	}
}

/* Sort @rows, [@n]; if @max_sorted is not 0, at least the first ones. */
static void sort_rows(struct sorted_row *rows, size_t n, size_t max_sorted,
		      row_order *order)
{
	if (max_sorted > 0 && max_sorted <= MAX_INSERTED && max_sorted < n)
		sort_first_rows(rows, n, max_sorted, order);
	else
		qsort(rows, n, sizeof(*rows), order);
}

/* Store each row of which the number in column @sort_column is not 0 in
   @rows_out; all rows if @sort_column is negative. Return: number of rows
   stored. */
static size_t collect_nonzero_rows(const struct al_table *t, int sort_column,
				   struct sorted_row *rows_out)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_rows; i++) {
		uint64_t number =
			sort_column < 0
				? 1
				: al_table_row(t, i)[sort_column].number;

		if (number != 0)
			rows_out[n++] = (struct sorted_row){number, i};
	}
	return n;
}

size_t *al_table_sorted_nonzero_rows(const struct al_table *t,
				     int sort_column_or_unsorted,
				     bool ascending,
				     size_t sorted_first_row_count_or_0,
				     size_t *row_count)
{
	struct sorted_row *sorted = malloc((t->n_rows + 1) * sizeof(*sorted));
	size_t *row = malloc((t->n_rows + 1) * sizeof(*row));

	*row_count = 0;
	if (sorted != NULL && row != NULL) {
		*row_count = collect_nonzero_rows(t, sort_column_or_unsorted,
						  sorted);
		if (sort_column_or_unsorted >= 0)
			sort_rows(sorted, *row_count,
				  sorted_first_row_count_or_0,
				  ascending ? compare_rows_ascending
					    : compare_rows_descending);
		for (size_t i = 0; i < *row_count; i++)
			row[i] = sorted[i].row;
		free(sorted);
		return row;
	}
	free(sorted);
	free(row);
	return NULL;
}
