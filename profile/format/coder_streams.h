/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coder_streams.h - where the coder writes to, side by side: like beside like
 *
 * Threads: one.
 *
 * The code of a chunk is the count of each column, 32 bits each, then the
 * columns. A column of numbers of n bytes is n parts of count bytes, lowest
 * bytes first; so zstd finds bytes of one kind together.
 */
#ifndef PROFILE_FORMAT_CODER_STREAMS_H
#define PROFILE_FORMAT_CODER_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PF_SURE = 4, /* degrees of sureness, 0..3 */
	PF_HOWS =
		11, /* of what is expected of a value: profile/codec/model.h */

	PF_COLUMN_UNIT_RUNS = 0, /* by whether the last header was missed */
	PF_COLUMN_VALUE_RUNS = PF_COLUMN_UNIT_RUNS + 2 * PF_SURE, /* by how */
	PF_RUNS = PF_COLUMN_VALUE_RUNS + PF_HOWS * PF_SURE,
	PF_COLUMN_UNIT_HOW = PF_RUNS,
	PF_COLUMN_VALUE_HOW, /* by how, the last for all numbers */
	PF_COLUMN_AGAIN = PF_COLUMN_VALUE_HOW + 4,
	PF_COLUMN_HEADERS, /* 4 bytes each */
	PF_COLUMN_NUMBERS, /* of 1 byte; of 2 bytes the next; to 8 */
	PF_COLUMNS = PF_COLUMN_NUMBERS + 8,

	PF_PARTS =
		1 + PF_COLUMN_HEADERS + 4 + 36, /* the counts are the first */
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
	if (column == PF_COLUMN_HEADERS)
		return 4;
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

/* The [bytes] of each part that code consists of; false as above. */
bool pf_columns_parts(const void *code, size_t bytes, size_t part[PF_PARTS]);

static inline void pf_column_put_byte(struct pf_columns *c, unsigned column,
				      unsigned byte)
{
	c->column[column].at[c->column[column].n++] = (unsigned char)byte;
}

static inline void pf_column_put_number(struct pf_columns *c, unsigned column,
					uint64_t number, unsigned bytes)
{
	struct pf_column *to = &c->column[column];
	unsigned char *at = to->at + to->n;
	unsigned i;

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

static inline bool pf_column_take_number(struct pf_columns *c, unsigned column,
					 uint64_t *number, unsigned bytes)
{
	struct pf_column *from = &c->column[column];
	const unsigned char *at = from->at + from->n;
	unsigned i;

	*number = 0;
	if (from->n == from->limit)
		return false;
	for (i = 0; i < bytes; i++, at += from->limit)
		*number |= (uint64_t)*at << 8 * i;
	from->n++;
	return true;
}

#endif
