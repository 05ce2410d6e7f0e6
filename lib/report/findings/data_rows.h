/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_rows.h - reads the rows of data objects from a result */
#ifndef LIB_REPORT_FINDINGS_DATA_ROWS_H
#define LIB_REPORT_FINDINGS_DATA_ROWS_H

#include <stdbool.h>

#include "base/result/model.h"

/* A row: a group of data objects. Strings are borrowed from the model. */
struct al_data_row {
	const char *kind;  /* "heap", "static" ... */
	const char *label; /* "heap make_list, list.c:12" and the like */
	/* The line of the user's own code (no library) that allocated or mapped
	   the data; "" and 0: not known, or the data is a variable or stack */
	const char *function, *file;
	uint64_t line;
	const char *type; /* name of the structure's type; "": not known */
	const char *type_declaration; /* file and line of the structure's type,
					 "list.c:12"; "": not known, or no
					 structure */
	uint64_t element; /* [bytes] size of a structure; 0: not known */
	uint64_t used_bytes, fetched_bytes; /* [bytes] of one structure: those
					       accessed, and those in the
					       accessed cache lines; 0: not
					       known */
	uint64_t objects, bytes;
	uint64_t accesses; /* reads and writes; 0 if they were not counted */
	const struct al_result_node *levels; /* list with a JSON object for each
						cache level; NULL: none */
	const struct al_result_node *fields; /* list with a JSON object for each
						field; NULL: none */
};

/* Return the first row of the analysis "data" in its result, whose `next` is
   the next row; NULL if there is no row. */
const struct al_result_node *al_data_first_row_or_null(const struct al_model *);

/* Read a row, which is the node that al_data_first_row_or_null() returns or a
   `next` of it. For a missing member, a text is set to "", a number to 0, and a
   node to NULL. */
void al_data_row_read_with_empty_defaults(struct al_data_row *,
					  const struct al_result_node *);

/* Return the number or the string with a key in an object; 0 or "" if there is
   none. */
uint64_t al_node_number_or_0(const struct al_result_node *object,
			     const char *key);
const char *al_node_text_or_empty(const struct al_result_node *object,
				  const char *key);

/* Return the misses of level @level_index, from 0, in a list "levels"; 0 if it
   has no such level. */
uint64_t al_data_level_misses_or_0(const struct al_result_node *levels,
				   unsigned level_index);

/* Return the sum of the first-level misses of all rows of the analysis
   "data". */
uint64_t al_data_sum_first_level_misses(const struct al_model *);

#endif
