/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_columns.h - prints the data object of an access at the end of its line
 *
 * A function does nothing if data objects were not requested. Else it first
 * writes the buffered text of the line to the file, and then appends to it.
 */
#ifndef CLI_PRINT_DATA_COLUMNS_H
#define CLI_PRINT_DATA_COLUMNS_H

#include "cli/print/record_lines.h"

/* Print " ID+OFFSET KIND NAME", or " -" if the access has no data object. */
void cl_data_print_object_text_if_asked(struct cl_lines *,
					const struct alleria_access *);

/* Print ",ID,OFFSET,KIND,NAME", or ",,,," if the access has no data object. A
   name with a comma, quotation mark or end of line is quoted as RFC 4180
   defines. */
void cl_data_print_object_csv_if_asked(struct cl_lines *,
				       const struct alleria_access *);

/* Print the members "data", "data_offset", "data_kind" and "data_name" of a
   JSON object; none if the access has no data object. */
void cl_data_print_object_ndjson_if_asked(struct cl_lines *,
					  const struct alleria_access *);

/* Names of the columns in the first line of CSV, with a comma before each. */
#define CL_DATA_CSV_HEAD ",data,data_offset,data_kind,data_name"

#endif
