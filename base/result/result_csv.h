/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_csv.h - writes a table as comma-separated values (RFC 4180, but lines
   end with LF) */
#ifndef BASE_RESULT_RESULT_CSV_H
#define BASE_RESULT_RESULT_CSV_H

#include "base/result/model.h"

/**
 * al_table_write_csv() - Write a line of keys, and a line for each row.
 * @write: appends to the output; returns 0 or -errno.
 *
 * Columns without a key are left out.
 *
 * Return: 0 or -errno.
 */
int al_table_write_csv(const struct al_table *,
		       int (*write)(void *to, const void *data, size_t bytes),
		       void *to);

#endif
