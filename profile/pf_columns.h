/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pf_columns.h - where the coder writes to, side by side: like beside like
 *
 * Room:    profile.
 * Used by: pf_code.
 * Threads: one.
 *
 * The code of a chunk is the number of bytes in each column, 32 bits each, then
 * the columns. Numbers of n bytes have n columns of their own, lowest byte
 * first, all of one length.
 */
#ifndef PF_COLUMNS_H
#define PF_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PF_COLUMN_UNITS,   /* how the header of each unit was found */
	PF_COLUMN_VALUES,  /* how each value was */
	PF_COLUMN_NUMBERS, /* of 1 byte; of 2 bytes the next; to 8 */
	PF_COLUMNS = PF_COLUMN_NUMBERS + 8,
};

struct pf_column {
	unsigned char *at;
	size_t n;     /* written or taken, of each byte of its numbers */
	size_t limit; /* of n; what lies between two bytes of a number */
};

struct pf_columns {
	unsigned char *code;
	struct pf_column column[PF_COLUMNS];
};

/* Of how many bytes a column's numbers are. */
static inline unsigned pf_column_width(unsigned column)
{
	return column < PF_COLUMN_NUMBERS ? 1 : column - PF_COLUMN_NUMBERS + 1;
}

/* [bytes] that units of @bytes need at most, while they are written. */
size_t pf_columns_bound(size_t bytes);

void pf_columns_start(struct pf_columns *, void *code, size_t bytes);

/* Moves the columns together. [bytes] */
size_t pf_columns_finish(struct pf_columns *);

/* False when they are not so many bytes. */
bool pf_columns_open(struct pf_columns *, const void *code, size_t bytes);
bool pf_columns_are_empty(const struct pf_columns *);

static inline unsigned pf_bytes_of(uint64_t number)
{
	return number ? (71 - (unsigned)__builtin_clzll(number)) / 8 : 0;
}

static inline void pf_column_put_byte(struct pf_columns *c, unsigned column,
				      unsigned byte)
{
	c->column[column].at[c->column[column].n++] = (unsigned char)byte;
}

static inline void pf_columns_put_number(struct pf_columns *c, uint64_t number,
					 unsigned bytes)
{
	struct pf_column *to = &c->column[PF_COLUMN_NUMBERS + bytes - 1];
	unsigned char *at = to->at + to->n;
	unsigned i;

	if (!bytes)
		return;
	for (i = 0; i < bytes; i++, at += to->limit)
		*at = (unsigned char)(number >> 8 * i);
	to->n++;
}

static inline bool pf_column_take_byte(struct pf_columns *c, unsigned column,
				       unsigned *byte)
{
	struct pf_column *from = &c->column[column];

	if (from->n == from->limit)
		return false;
	*byte = from->at[from->n++];
	return true;
}

static inline bool pf_columns_take_number(struct pf_columns *c,
					  uint64_t *number, unsigned bytes)
{
	struct pf_column *from = &c->column[PF_COLUMN_NUMBERS + bytes - 1];
	const unsigned char *at = from->at + from->n;
	unsigned i;

	*number = 0;
	if (!bytes)
		return true;
	if (from->n == from->limit)
		return false;
	for (i = 0; i < bytes; i++, at += from->limit)
		*number |= (uint64_t)*at << 8 * i;
	from->n++;
	return true;
}

#endif
