/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_columns.h - the first columns of tables of functions and source lines
 *
 * A row begins with AN_NAMES cells. The label, by which people see the row, is
 * the last column of its table.
 */
#ifndef ANALYZERS_PLACE_COLUMNS_H
#define ANALYZERS_PLACE_COLUMNS_H

#include "base/result/model.h"

/* Indices of the columns of names that begin a row. */
enum { AN_FUNCTION_NAME, AN_FUNCTION_FILE, AN_FUNCTION_OBJECT };
enum {
	AN_LINE_FILE,
	AN_LINE_NUMBER,
	AN_LINE_OBJECT,
	AN_LINE_PATH,
	AN_LINE_FUNCTION,
	AN_NAMES, /* number of columns of names. Tables of functions use only
		     the columns AN_FUNCTION_*; the others are empty */
};

/* Columns of names, and last the column of labels, of a table of functions and
   of a table of lines. */
extern const struct al_column an_function_columns[AN_NAMES + 1];
extern const struct al_column an_line_columns[AN_NAMES + 1];

#endif
