/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - stores lists of JSON objects by columns; see columns.h */

#include "lib/report/html/columns.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool al_is_count_key(const char *key)
{
	static const char *const other[] = {
		"line",
		"size",
		"assoc",
		"address",
		"number",
		"offset",
		"depth",
		"pid",
		"parent",
		"tree",
		"stride",
		"threads",
		"distance",
		"level",
		"at_ns",
		"a",
		"b",
		"similarity",
		"share",
		"granule",
		"width",
		"iterations_min",
		"iterations_max",
		"from",
		"to",
		"from_line",
		"to_line",
		"call_line",
		"source_line",
		"version",
		"from_version",
		"to_version",
		"vector_limit",
		"element",
		"elements",
		"spin",
		"thread",
		"access",
		"page_offset",
	};

	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		if (strcmp(key, other[i]) == 0)
			return false;
	return true;
}

/* ---- selection of rows ---- */

/* Add the counts of the object @row to the members of @sums. */
static void add_counts_to_sums(json_t *sums, const json_t *row)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)row, key, value)
	{
		json_t *sum = json_object_get(sums, key);

		if (!json_is_integer(value) || !al_is_count_key(key))
			continue;
		if (sum == NULL)
			json_object_set_new(
				sums, key,
				json_integer(json_integer_value(value)));
		else
			json_integer_set(sum,
					 json_integer_value(sum) +
						 json_integer_value(value));
	}
}

/* Return the largest share that one of the row's counts has in its sum over all
   rows. */
static double largest_share_of_row(const json_t *sums, const json_t *row)
{
	double share, largest = 0;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)row, key, value)
	{
		json_int_t sum = json_integer_value(json_object_get(sums, key));

		if (!json_is_integer(value) || sum <= 0)
			continue;
		share = (double)json_integer_value(value) / (double)sum;
		largest = share > largest ? share : largest;
	}
	return largest;
}

struct ranked {
	double share;
	size_t index;
};

static int compare_by_share_then_index(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return x->index < y->index ? -1 : x->index > y->index;
}

size_t al_list_rank_rows_by_share(const json_t *list, size_t max_rows,
				  size_t *index)
{
	size_t n = json_array_size(list);
	struct ranked *r = calloc(n + 1, sizeof(*r));
	json_t *sums = json_object();

	for (size_t i = 0; r && sums && i < n; i++)
		add_counts_to_sums(sums, json_array_get(list, i));
	for (size_t i = 0; r && sums && i < n; i++)
		r[i] = (struct ranked){
			largest_share_of_row(sums, json_array_get(list, i)), i};
	n = r && sums ? n : 0;
	if (n > 1)
		qsort(r, n, sizeof(*r), compare_by_share_then_index);
	n = n < max_rows ? n : max_rows;
	for (size_t i = 0; i < n; i++)
		index[i] = r[i].index;
	json_decref(sums);
	free(r);
	return n;
}

/* Return a list of the @max_rows rows of @list with the largest shares, in the
   order of @list. Add the counts of all other rows to @others. If memory is
   short, return NULL, or, if only the ranking fails, an empty list with the
   counts of all rows in @others. */
static json_t *select_rows_of_largest_share_sum_others(const json_t *list,
						       size_t max_rows,
						       json_t *others)
{
	size_t n = json_array_size(list), count;
	size_t *index = calloc(n + 1, sizeof(*index));
	bool *is_kept = calloc(n + 1, sizeof(*is_kept));
	json_t *kept = index && is_kept ? json_array() : NULL;

	count = kept ? al_list_rank_rows_by_share(list, max_rows, index) : 0;
	for (size_t i = 0; i < count; i++)
		is_kept[index[i]] = true;
	for (size_t i = 0; kept && i < n; i++)
		if (is_kept[i])
			json_array_append(kept, json_array_get(list, i));
		else
			add_counts_to_sums(others, json_array_get(list, i));
	free(index);
	free(is_kept);
	return kept;
}

/* ---- columns ---- */

/* The different texts of a table, each stored once. */
struct texts {
	json_t *list;
	json_t *number_of; /* object: index in the list by text */
};

static json_t *index_of_text(struct texts *t, const json_t *text)
{
	json_t *number = json_object_get(t->number_of, json_string_value(text));

	if (number == NULL) {
		number = json_integer((json_int_t)json_array_size(t->list));
		json_array_append(t->list, (json_t *)text);
		json_object_set(t->number_of, json_string_value(text), number);
		return number;
	}
	return json_incref(number);
}

/* Return a new object for the column @key of @rows: its member "text" lists
   indices into @texts, or its member "value" lists the values themselves; null
   stands for a missing member. */
static json_t *new_column_of_member(const json_t *rows, const char *key,
				    bool is_text, struct texts *texts)
{
	json_t *cells = json_array(), *column = json_object();

	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *v = json_object_get(json_array_get(rows, i), key);

		if (v == NULL || (is_text && !json_is_string(v)))
			json_array_append_new(cells, json_null());
		else if (is_text)
			json_array_append_new(cells, index_of_text(texts, v));
		else
			json_array_append(cells, v);
	}
	json_object_set_new(column, is_text ? "text" : "value", cells);
	return column;
}

static json_t *new_columns_of_members(const json_t *rows, const json_t *keys,
				      struct texts *texts)
{
	json_t *columns = json_object(), *first;
	const char *key;

	json_object_foreach((json_t *)keys, key, first) json_object_set_new(
		columns, key,
		new_column_of_member(rows, key, json_is_string(first), texts));
	return columns;
}

static json_t *new_table_by_columns(const json_t *rows, const json_t *keys,
				    size_t all_rows, json_t *others)
{
	struct texts texts = {json_array(), json_object()};
	json_t *columns = new_columns_of_members(rows, keys, &texts);
	json_t *table = json_object();

	json_object_set_new(table, "@rows",
			    json_integer((json_int_t)json_array_size(rows)));
	json_object_set_new(table, "@all", json_integer((json_int_t)all_rows));
	json_object_set_new(table, "@text", texts.list);
	json_object_set_new(table, "@columns", columns);
	json_object_set(table, "@others", others);
	json_decref(texts.number_of);
	return table;
}

/* ---- the tree ---- */

/* Return an object with the first value of each key of the objects in @list, in
   the order of their appearance. NULL: @list is no table, because @list is
   empty, an element is no object, a member is no scalar, or a member is a
   string in one row and has another type in another row. */
static json_t *make_object_of_first_value_of_each_key(const json_t *list)
{
	json_t *keys = json_object(), *row, *value, *first;
	const char *key;
	bool is_table = json_array_size(list) > 0;
	size_t i;

	json_array_foreach((json_t *)list, i, row)
	{
		is_table = is_table && json_is_object(row);
		json_object_foreach(row, key, value)
		{
			first = json_object_get(keys, key);
			if (first == NULL)
				json_object_set(keys, key, value);
			else if (json_is_string(first) != json_is_string(value))
				is_table = false;
			if (json_is_object(value) || json_is_array(value))
				is_table = false;
		}
	}
	if (is_table)
		return keys;
	json_decref(keys);
	return NULL;
}

static json_t *copy_each_element_with_lists_by_columns(
	const json_t *list, size_t max_nested_rows, size_t *longest_list_rows)
{
	json_t *copy = json_array();

	for (size_t i = 0; i < json_array_size(list); i++)
		json_array_append_new(
			copy, al_json_copy_by_columns(json_array_get(list, i),
						      max_nested_rows,
						      longest_list_rows));
	return copy;
}

static json_t *copy_list_wrapped_if_rows_left_out(const json_t *list,
						  size_t full_row_count,
						  json_t *sums_of_left_out,
						  size_t max_nested_rows,
						  size_t *longest_list_rows)
{
	json_t *elements = copy_each_element_with_lists_by_columns(
		       list, max_nested_rows, longest_list_rows),
	       *wrapper;

	if (json_array_size(list) == full_row_count)
		return elements;
	wrapper = json_object();
	json_object_set_new(wrapper, "@list", elements);
	json_object_set_new(wrapper, "@all",
			    json_integer((json_int_t)full_row_count));
	json_object_set(wrapper, "@others", sums_of_left_out);
	return wrapper;
}

static bool has_integer_count_member(const json_t *row)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)row, key,
			    value) if (json_is_integer(value) &&
				       al_is_count_key(key)) return true;
	return false;
}

/* Return a copy of @list: by columns if it is a table with at least
   AL_MIN_COLUMN_ROWS rows, else with each element copied. At most @max_rows
   rows remain of a long list with counts; a list without counts loses none,
   because its elements may be referred to by their indices. */
static json_t *copy_list_by_columns_if_enough_rows(const json_t *list,
						   size_t max_rows,
						   size_t *longest_list_rows)
{
	size_t n = json_array_size(list);
	json_t *others = json_object(), *rows = NULL, *keys, *copy;

	if (n < AL_MIN_COLUMN_ROWS ||
	    !json_is_object(json_array_get(list, 0))) {
		json_decref(others);
		return copy_each_element_with_lists_by_columns(
			list, max_rows, longest_list_rows);
	}
	*longest_list_rows = n > *longest_list_rows ? n : *longest_list_rows;
	rows = n > max_rows && has_integer_count_member(json_array_get(list, 0))
		       ? select_rows_of_largest_share_sum_others(list, max_rows,
								 others)
		       : json_incref((json_t *)list);
	keys = make_object_of_first_value_of_each_key(list);
	copy = keys ? new_table_by_columns(rows, keys, n, others)
		    : copy_list_wrapped_if_rows_left_out(
			      rows, n, others, max_rows, longest_list_rows);
	json_decref(keys);
	json_decref(rows);
	json_decref(others);
	return copy;
}

json_t *al_json_copy_by_columns(const json_t *value, size_t max_rows,
				size_t *longest_list_rows)
{
	const char *key;
	json_t *copy, *member;

	if (json_is_array(value))
		return copy_list_by_columns_if_enough_rows(value, max_rows,
							   longest_list_rows);
	if (!json_is_object(value))
		return json_incref((json_t *)value);
	copy = json_object();
	json_object_foreach((json_t *)value, key, member) json_object_set_new(
		copy, key,
		al_json_copy_by_columns(member, max_rows, longest_list_rows));
	return copy;
}
