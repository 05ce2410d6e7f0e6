/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field_list.h - lists the fields of a row, and reports them
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_FIELD_LIST_H
#define ANALYZERS_DATA_FIELD_LIST_H

#include "analyzers/data/rows.h"

/* The levels of data, first level first. */
struct an_data_levels {
	const char *name[AN_MAX_LEVELS];
	int n;
};

/* Add the fields of a row as the list "fields". */
void an_data_row_add_fields(const struct an_data_rows *,
			    const struct an_data_row *,
			    const struct an_data_levels *, bool has_accesses,
			    struct al_model *);

/* Add a table of the fields of a row for people, unless it has less than two.
   @label: name of the row. */
void an_data_row_add_field_table(const struct an_data_rows *,
				 const struct an_data_row *, const char *label,
				 const struct an_data_levels *,
				 unsigned line_bytes, bool has_accesses,
				 struct al_model *);

#endif
