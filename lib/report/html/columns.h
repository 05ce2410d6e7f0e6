/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns.h - stores lists of objects by columns
 *
 * A list of at least AL_MIN_COLUMN_ROWS objects, without members that are lists
 * or objects or that are a string in one row and no string in another, is
 * written as
 *
 *	{"@rows": R, "@all": N, "@text": ["a", ...],
 *	 "@columns": {"name": {"text": [0, 5, null, ...]},
 *		      "Ir": {"value": [12, 7, ...]}},
 *	 "@others": {"Ir": 99, ...}}
 *
 * for R of its N rows; a number under "text" is an index in "@text"; a member
 * that a row does not have is null. "@others" has the sums over the rows that
 * are left out, of each column of counts.
 *
 * A list of other objects that has too many rows is written as
 * {"@list": [...], "@all": N, "@others": {...}}.
 *
 * The rows with the largest share of any count remain, in their order.
 */
#ifndef LIB_REPORT_HTML_COLUMNS_H
#define LIB_REPORT_HTML_COLUMNS_H

#include <jansson.h>
#include <stdbool.h>

enum { AL_MIN_COLUMN_ROWS = 16 };

/* Return a new reference to a copy of @value in which lists of at least
   AL_MIN_COLUMN_ROWS objects are stored by columns, and those with counts have
   at most @max_rows rows each; NULL if memory is short. @longest_list_rows: 0
   before the call; receives the number of rows of the longest of these lists;
   stays 0 if there is none. */
json_t *al_json_copy_by_columns(const json_t *value, size_t max_rows,
				size_t *longest_list_rows);

/* Whether members with this key are counts, which can be added up: not lines,
   sizes, addresses and the like. */
bool al_is_count_key(const char *key);

/* Set @index, [json_array_size(list)], to the indices of the @max_rows rows of
   @list with the largest share of any count, by descending share. Return: the
   number of these rows, less than @max_rows if @list has fewer; 0 if memory is
   short. */
size_t al_list_rank_rows_by_share(const json_t *list, size_t max_rows,
				  size_t *index);

#endif
