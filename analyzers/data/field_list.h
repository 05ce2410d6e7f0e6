/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field_list.h - lists the fields of a row, and reports them
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_FIELD_LIST_H
#define ANALYZERS_DATA_FIELD_LIST_H

#include "analyzers/data/rows.h"

/* Names of the levels on the path of data, first level first. */
struct an_data_levels {
	const char *name[AN_MAX_LEVELS];
	int n;
};

/* Add to the current object of the model the list "fields": for each field of a
   row its offset, size, name and misses. @has_accesses: also reads and
   writes. */
void an_data_row_add_field_list(const struct an_data_rows *,
				const struct an_data_row *,
				const struct an_data_levels *,
				bool has_accesses, struct al_model *);

/* Add a table and a view of the fields of a row to the model, unless it has
   fewer than two fields. @label: name of the row, for the title. @line_bytes:
   size of a first-level line. @has_accesses: the view has reads and writes. */
void an_data_row_add_field_table_if_many(const struct an_data_rows *,
					 const struct an_data_row *,
					 const char *label,
					 const struct an_data_levels *,
					 unsigned line_bytes, bool has_accesses,
					 struct al_model *);

#endif
