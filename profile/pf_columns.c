/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pf_columns.c - see pf_columns.h */

#include "profile/pf_columns.h"

#include <string.h>

enum { HEAD = 4 * PF_COLUMNS };

/* How many numbers a column may get. A unit of n times 4 bytes has n / 2 values
   and its header, which is a number of 4 bytes or none. */
static size_t limit(unsigned column, size_t bytes)
{
	unsigned each =
		column == PF_COLUMN_UNITS || pf_column_width(column) == 4 ? 4
									  : 8;

	return bytes / each;
}

size_t pf_columns_bound(size_t bytes)
{
	size_t bound = HEAD;
	unsigned i;

	for (i = 0; i < PF_COLUMNS; i++)
		bound += pf_column_width(i) * limit(i, bytes);
	return bound;
}

void pf_columns_start(struct pf_columns *c, void *code, size_t bytes)
{
	unsigned char *at = (unsigned char *)code + HEAD;
	unsigned i;

	c->code = code;
	for (i = 0; i < PF_COLUMNS; i++) {
		c->column[i] = (struct pf_column){at, 0, limit(i, bytes)};
		at += pf_column_width(i) * limit(i, bytes);
	}
}

static void put_length(unsigned char *at, size_t n)
{
	uint32_t n32 = (uint32_t)n;

	memcpy(at, &n32, 4);
}

size_t pf_columns_finish(struct pf_columns *c)
{
	unsigned char *to = c->code + HEAD;
	unsigned i, k;

	for (i = 0; i < PF_COLUMNS; i++) {
		struct pf_column *from = &c->column[i];

		put_length(c->code + 4 * i, from->n);
		for (k = 0; k < pf_column_width(i); k++, to += from->n)
			memmove(to, from->at + k * from->limit, from->n);
	}
	return (size_t)(to - c->code);
}

bool pf_columns_open(struct pf_columns *c, const void *code, size_t bytes)
{
	unsigned char *at = (unsigned char *)(uintptr_t)code + HEAD;
	size_t left;
	unsigned i;
	uint32_t n;

	if (bytes < HEAD)
		return false;
	left = bytes - HEAD;
	for (i = 0; i < PF_COLUMNS; i++) {
		memcpy(&n, (const char *)code + 4 * i, 4);
		if (n > left / pf_column_width(i))
			return false;
		c->column[i] = (struct pf_column){at, 0, n};
		left -= n * pf_column_width(i);
		at += n * pf_column_width(i);
	}
	return !left;
}

bool pf_columns_are_empty(const struct pf_columns *c)
{
	unsigned i;

	for (i = 0; i < PF_COLUMNS; i++)
		if (c->column[i].n != c->column[i].limit)
			return false;
	return true;
}
