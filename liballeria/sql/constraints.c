/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * constraints.c - converts conditions of a query to a filter of the library
 *
 * A condition that compares a number with a text is ignored by this file, and
 * one with a real number narrows the filter too little; SQLite evaluates both.
 */
#include <stdlib.h>
#include <string.h>

#include "liballeria/sql/table.h"

static const sqlite3_int64 MIN_VALUE = INT64_MIN, MAX_VALUE = INT64_MAX;

/* longest range of processes or threads that is converted to a list */
enum { MAX_LIST = 4096 };

void sq_bounds_init(struct sq_bounds *b)
{
	*b = (struct sq_bounds){0};
	for (int i = 0; i < SQ_B_NUMBERS; i++)
		b->range[i] = (struct sq_range){MIN_VALUE, MAX_VALUE};
}

void sq_bounds_release_number_lists(struct sq_bounds *b)
{
	free(b->process);
	free(b->thread);
}

/* ---- conditions ---- */
static void raise_range_first_to_minimum(struct sq_range *r,
					 sqlite3_int64 minimum)
{
	r->first = minimum > r->first ? minimum : r->first;
}

static void lower_range_last_to_maximum(struct sq_range *r,
					sqlite3_int64 maximum)
{
	r->last = maximum < r->last ? maximum : r->last;
}

static void narrow_range_by_integer(struct sq_bounds *b, struct sq_range *r,
				    char op, sqlite3_int64 value)
{
	if ((op == '>' && value == MAX_VALUE) ||
	    (op == '<' && value == MIN_VALUE)) {
		b->is_empty = true;
		return;
	}
	if (op == '=' || op == 'g' || op == '>')
		raise_range_first_to_minimum(r, op == '>' ? value + 1 : value);
	if (op == '=' || op == 'l' || op == '<')
		lower_range_last_to_maximum(r, op == '<' ? value - 1 : value);
}

/* Narrow @r by the condition `column @op @value`, but leave it one or two wider
   than @value requires: SQLite evaluates the condition exactly. Ignore a @value
   beyond 2^62 in magnitude. */
static void narrow_range_by_real_widened(struct sq_range *r, char op,
					 double value)
{
	if (value < -0x1p62 || value > 0x1p62)
		return;
	if (op == '=' || op == 'g' || op == '>')
		raise_range_first_to_minimum(r, (sqlite3_int64)value - 1);
	if (op == '=' || op == 'l' || op == '<')
		lower_range_last_to_maximum(r, (sqlite3_int64)value + 1);
}

static void set_object_function_or_kind_filter(struct sq_bounds *b,
					       const struct sq_column *column,
					       const char *text)
{
	unsigned i = 0;

	if (column->bound == SQ_B_OBJECT) {
		b->filter.object = text;
	} else if (column->bound == SQ_B_FUNCTION) {
		b->filter.function = text;
	} else if (column->bound == SQ_B_KIND) {
		while (column->names[i] && strcmp(column->names[i], text))
			i++;
		b->is_empty |= !column->names[i];
		b->filter.kinds = 1u << i;
	}
}

void sq_bounds_narrow_by_column_condition(struct sq_bounds *b,
					  const struct sq_column *column,
					  char op, sqlite3_value *value)
{
	bool is_number = column->bound < SQ_B_NUMBERS;
	int type = sqlite3_value_type(value);

	if (type == SQLITE_NULL)
		b->is_empty = true;
	else if (is_number && type == SQLITE_INTEGER)
		narrow_range_by_integer(b, &b->range[column->bound], op,
					sqlite3_value_int64(value));
	else if (is_number && type == SQLITE_FLOAT)
		narrow_range_by_real_widened(&b->range[column->bound], op,
					     sqlite3_value_double(value));
	else if (!is_number && type == SQLITE_TEXT)
		set_object_function_or_kind_filter(
			b, column, (const char *)sqlite3_value_text(value));
}

/* ---- the filter ---- */

/* Set [*@from, *@to) to its intersection with [@other_from, @other_to), and set
   b->is_empty if that is empty. A *@to or @other_to of 0 means no upper
   bound. */
static void intersect_range_and_set_is_empty(struct sq_bounds *b,
					     uint64_t *from, uint64_t *to,
					     uint64_t other_from,
					     uint64_t other_to)
{
	*from = other_from > *from ? other_from : *from;
	if (other_to && (*to == 0 || other_to < *to))
		*to = other_to;
	b->is_empty |= *to && *to <= *from;
}

void sq_bounds_restrict_to_data_object(
	struct sq_bounds *b, const struct alleria_data_map *all_objects_or_null)
{
	const struct sq_range *r = &b->range[SQ_B_DATA];
	struct alleria_filter *f = &b->filter;
	struct alleria_data data;
	uint64_t size;

	b->is_empty |=
		!all_objects_or_null || r->last < 1 || r->first > r->last;
	if (b->is_empty || r->first != r->last)
		return;
	if (alleria_data_get(all_objects_or_null, (uint64_t)r->first, &data)) {
		b->is_empty = true;
		return;
	}
	size = data.size ? data.size : 1;
	intersect_range_and_set_is_empty(
		b, &f->access_from, &f->access_to, data.born_access,
		data.died_access == ALLERIA_NOT ? 0 : data.died_access);
	intersect_range_and_set_is_empty(
		b, &f->data_from, &f->data_to, data.address,
		data.address + size > data.address ? data.address + size : 0);
}

static bool has_range_any_bound(const struct sq_range *r)
{
	return r->first != MIN_VALUE || r->last != MAX_VALUE;
}

bool sq_bounds_has_lower_or_upper_limit(const struct sq_bounds *b,
					enum sq_bound bound)
{
	return has_range_any_bound(&b->range[bound]);
}

/* Convert the range of @bound, a quantity counted from 0, to [*@from, *@to),
   where a *@to of 0 means no upper bound. Set b->is_empty if nothing is
   left. */
static void convert_nonnegative_range_to_filter(struct sq_bounds *b,
						enum sq_bound bound,
						uint64_t *from, uint64_t *to)
{
	struct sq_range *r = &b->range[bound];

	raise_range_first_to_minimum(r, 0);
	b->is_empty |= r->last < r->first;
	*from = (uint64_t)r->first;
	*to = r->last == MAX_VALUE ? 0 : (uint64_t)r->last + 1;
}

/* Narrow the range of SQ_B_ACCESS by that of SQ_B_NEXT_ACCESS. The begin of the
   latter counts as one less if it is above 0: in the library's filter an
   execution without an access belongs to the access before it, in SQL to the
   next one. */
static void narrow_access_range_by_next_access_range(struct sq_bounds *b)
{
	const struct sq_range *next = &b->range[SQ_B_NEXT_ACCESS];
	struct sq_range *r = &b->range[SQ_B_ACCESS];

	b->is_empty |= next->last < next->first;
	if (next->first > 0)
		raise_range_first_to_minimum(r, next->first - 1);
	lower_range_last_to_maximum(r, next->last);
}

/* Convert the range of @bound, an address, to [*@first_address,
   *@end_address_or_0_if_none), where an end of 0 means no upper bound. In
   SQLite addresses of the upper half are negative numbers, so a range with
   numbers of both signs is no range of addresses, and *@first_address and
   *@end_address_or_0_if_none stay unchanged. */
static void
set_filter_address_range_of_bound(struct sq_bounds *b, enum sq_bound bound,
				  uint64_t *first_address,
				  uint64_t *end_address_or_0_if_none)
{
	const struct sq_range *r = &b->range[bound];

	b->is_empty |= r->last < r->first;
	if (r->first < 0 && r->last >= 0)
		return;
	*first_address = (uint64_t)r->first;
	*end_address_or_0_if_none = (uint64_t)r->last + 1;
}

/* If the range of @bound has a bound, clip it to [@first_number, @end_number),
   set b->is_empty if it has no numbers left, and list them in a new array
   *@list of *@list_count elements; without a list if it has more than MAX_LIST
   or b->is_empty is set. Return: 0; ALLERIA_E_MEMORY. */
static int clip_range_if_any_bound_and_list_numbers(
	struct sq_bounds *b, enum sq_bound bound, uint64_t first_number,
	uint64_t end_number, uint32_t **list, uint32_t *list_count)
{
	struct sq_range *r = &b->range[bound];
	uint64_t size;

	if (!has_range_any_bound(r))
		return 0;
	raise_range_first_to_minimum(r, (sqlite3_int64)first_number);
	lower_range_last_to_maximum(r, (sqlite3_int64)end_number - 1);
	b->is_empty |= r->last < r->first;
	size = b->is_empty ? 0 : (uint64_t)(r->last - r->first) + 1;
	if (size == 0 || size > MAX_LIST)
		return 0;
	*list = calloc(size, sizeof(**list));
	if (!*list)
		return ALLERIA_E_MEMORY;
	for (uint32_t i = 0; i < size; i++)
		(*list)[i] = (uint32_t)r->first + i;
	*list_count = (uint32_t)size;
	return 0;
}

int sq_bounds_convert_to_filter(struct sq_bounds *b,
				const struct alleria_profile *p)
{
	struct alleria_filter *f = &b->filter;
	int err = clip_range_if_any_bound_and_list_numbers(
		b, SQ_B_PROCESS, 1, (uint64_t)alleria_run(p)->processes + 1,
		&b->process, &f->n_processes);

	if (!err)
		err = clip_range_if_any_bound_and_list_numbers(
			b, SQ_B_THREAD, 1, UINT32_MAX, &b->thread,
			&f->n_threads);
	f->process = b->process;
	f->thread = b->thread;
	narrow_access_range_by_next_access_range(b);
	convert_nonnegative_range_to_filter(b, SQ_B_ACCESS, &f->access_from,
					    &f->access_to);
	convert_nonnegative_range_to_filter(
		b, SQ_B_INSTRUCTION, &f->instruction_from, &f->instruction_to);
	convert_nonnegative_range_to_filter(b, SQ_B_TIME, &f->time_from,
					    &f->time_to);
	set_filter_address_range_of_bound(b, SQ_B_IP, &f->code_from,
					  &f->code_to);
	set_filter_address_range_of_bound(b, SQ_B_ADDRESS, &f->data_from,
					  &f->data_to);
	return err;
}
