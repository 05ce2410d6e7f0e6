/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.h - compares numbers for qsort() and bsearch() */
#ifndef BASE_TABLES_COMPARE_H
#define BASE_TABLES_COMPARE_H

#include <stdint.h>

/* Return: less than, equal to or greater than 0, as @a is to @b. */
static inline int al_compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

#endif
