/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_table.h - writes a table of an analysis as comma-separated values */
#ifndef ANALYZERS_RESULT_TABLE_H
#define ANALYZERS_RESULT_TABLE_H

#include "analyzers/analyzer.h"

/**
 * an_result_write_csv_if_requested() - Write a table of a result to the output
 * of the analysis if its option "table" or "file" is given.
 * @state: of the analysis, finished; passed to @add_result_to_model.
 * @add_result_to_model: the analysis's an_class.result, or a function that adds
 *         some of its tables.
 * @default_table: key of the table, or title of a table without a key, that is
 *         written if the option "table" does not name another one.
 *
 * Return: 0; -EINVAL: the result has no such table; another -errno.
 */
int an_result_write_csv_if_requested(
	const struct an_env *, const void *state,
	void (*add_result_to_model)(const void *state, struct al_model *),
	const char *default_table);

#endif
