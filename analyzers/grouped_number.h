/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grouped_number.h - formats numbers with thousands separators
 *
 * Threads: any.
 */
#ifndef ANALYZERS_GROUPED_NUMBER_H
#define ANALYZERS_GROUPED_NUMBER_H

#include <stdint.h>

enum { AN_GROUPED_SIZE = 27 }; /* [bytes] with the NUL */

/* Format @n as "18,446,744,073,709,551,615". Return: @out. */
char *an_format_grouped(char out[AN_GROUPED_SIZE], uint64_t n);

#endif
