/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field_list.h - lists the fields of a row (a group of data objects), and
 * reports them
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_FIELD_LIST_H
#define ANALYZERS_DATA_FIELD_LIST_H

#include "analyzers/data/rows.h"

/* The levels on the path of data. */
struct an_data_levels {
	const char *name[AN_MAX_LEVELS]; /* [n] first level first */
	int n;
	unsigned line_bytes; /* size of a line of the first level */
};

/* Return the type whose members are the fields of the row; NULL: the type is
   unknown or does not divide the elements, or these are mixed or have cells of
   several bytes. The fields, if any, are then words or cells. */
const struct an_type *
an_data_row_type_with_member_fields(const struct an_data_row *);

/* Whether the elements of a row have different sizes that the row's type, if it
   is known, does not divide. Then the row has no fields. */
bool an_data_row_has_no_common_element_size(const struct an_data_row *);

/* Return the size [bytes] of one structure of this type in an element of
   @element_bytes: the whole element if the type has a flexible member. */
uint64_t an_type_size_or_element_size_if_flexible(const struct an_type *,
						  uint64_t element_bytes);

/* Return an array that states for each byte of a structure, of which the
   elements of the row consist, whether it was accessed in any of them, and set
   *@size to its size [bytes]. The caller frees it. NULL, and *@size is 0: that
   is not known, or, with an error in the model, memory is short. */
bool *an_data_row_calloc_used_bytes(const struct an_data_rows *,
				    const struct an_data_row *,
				    bool has_accesses, struct al_model *,
				    uint64_t *size);

/* Add to the current object of the model, unless
   an_data_row_has_no_common_element_size() or no cell of the row has counts:
   "element", the size of an element, or of the structure of which the element
   is an array. @has_accesses: unless elements are divided into cells of several
   bytes, also "used_bytes", the number of bytes of the structure that were
   accessed in any element, and "fetched_bytes", the number of the structure's
   bytes that are in the same lines as used ones, on the assumption that each
   structure begins at a line border. */
void an_data_row_add_element_use(const struct an_data_rows *,
				 const struct an_data_row *,
				 unsigned line_bytes, bool has_accesses,
				 struct al_model *);

/* Add to the current object of the model the list "fields": for each field of a
   row its offset, size, name and misses. @has_accesses: also reads and writes,
   "bytes", those of all these accesses, and, if it is known, "used_bytes": how
   many of the field's bytes any access reads or writes, be it one that begins
   in another field. */
void an_data_row_add_field_list(const struct an_data_rows *,
				const struct an_data_row *,
				const struct an_data_levels *,
				bool has_accesses, struct al_model *);

/* Whether a row is of a variable of the user's own code (outside of system
   folders), or of blocks that own code allocated or memory that it mapped. */
bool an_data_row_is_of_own_code(const struct an_data_row *);

/* Add a table and a view of the fields of a row to the model, unless it has
   fewer than two fields, or these are parts of a long element. @label: name of
   the row, for the title. @has_accesses: the view has reads and writes. Return:
   whether they were added. */
bool an_data_row_try_add_field_table(const struct an_data_rows *,
				     const struct an_data_row *,
				     const char *label,
				     const struct an_data_levels *,
				     bool has_accesses, struct al_model *);

#endif
