/* SPDX-License-Identifier: GPL-2.0-or-later */
/* coder_streams.c - writes and reads columns; see coder_streams.h */

#include "profile/format/coder_streams.h"

#include <string.h>

enum { COUNTS_BYTES = 4 * PF_COLUMNS };

/* Return the greatest number of entries that a column can have for units of
   @bytes_of_all_units. A unit of n times 4 bytes has a header and at most n / 2
   values; a column gets at most one entry for each header, or for each value.
   */
static size_t max_column_entries(unsigned column, size_t bytes_of_all_units)
{
	bool per_unit = column < PF_COLUMN_VALUE_RUNS ||
			column == PF_COLUMN_HEADER_CODING ||
			column == PF_COLUMN_HEADERS;

	return bytes_of_all_units / (per_unit ? 4 : 8);
}

size_t pf_columns_max_code_bytes(size_t bytes_of_all_units)
{
	size_t bound = COUNTS_BYTES;
	unsigned i;

	for (i = 0; i < PF_COLUMNS; i++)
		bound += pf_column_entry_bytes(i) *
			 max_column_entries(i, bytes_of_all_units);
	return bound;
}

void pf_columns_begin_writing_code(struct pf_columns *c, void *code,
				   size_t bytes_of_all_units)
{
	unsigned char *next = (unsigned char *)code + COUNTS_BYTES;
	unsigned i;

	c->code = code;
	for (i = 0; i < PF_COLUMNS; i++) {
		c->column[i] = (struct pf_column){
			next, 0, max_column_entries(i, bytes_of_all_units)};
		next += pf_column_entry_bytes(i) *
			max_column_entries(i, bytes_of_all_units);
	}
}

static void write_low_32_bits_of_count(unsigned char *out, size_t count)
{
	uint32_t n32 = (uint32_t)count;

	memcpy(out, &n32, 4);
}

/* Return the number of entries of a column, from the beginning of the code. */
static size_t read_column_entry_count(const void *encoded_columns,
				      unsigned column)
{
	uint32_t n32;

	memcpy(&n32, (const unsigned char *)encoded_columns + 4 * column, 4);
	return n32;
}

size_t pf_columns_write_counts_and_compact(struct pf_columns *c)
{
	unsigned char *to = c->code + COUNTS_BYTES;
	unsigned i, k;

	for (i = 0; i < PF_COLUMNS; i++) {
		struct pf_column *from = &c->column[i];

		write_low_32_bits_of_count(c->code + 4 * i, from->n);
		for (k = 0; k < pf_column_entry_bytes(i); k++, to += from->n)
			memmove(to, from->begin + k * from->limit, from->n);
	}
	return (size_t)(to - c->code);
}

bool pf_columns_begin_reading(struct pf_columns *c, const void *encoded_columns,
			      size_t encoded_bytes)
{
	unsigned char *next =
		(unsigned char *)(uintptr_t)encoded_columns + COUNTS_BYTES;
	size_t remaining, n;
	unsigned i;

	if (encoded_bytes < COUNTS_BYTES)
		return false;
	remaining = encoded_bytes - COUNTS_BYTES;
	for (i = 0; i < PF_COLUMNS; i++) {
		n = read_column_entry_count(encoded_columns, i);
		if (n > remaining / pf_column_entry_bytes(i))
			return false;
		c->column[i] = (struct pf_column){next, 0, n};
		remaining -= n * pf_column_entry_bytes(i);
		next += n * pf_column_entry_bytes(i);
	}
	return !remaining;
}

bool pf_columns_are_read_to_end(const struct pf_columns *c)
{
	unsigned i;

	for (i = 0; i < PF_COLUMNS; i++)
		if (c->column[i].n != c->column[i].limit)
			return false;
	return true;
}

bool pf_columns_get_part_lengths_if_valid(const void *code, size_t bytes,
					  size_t part_lengths[PF_PARTS])
{
	struct pf_columns c;
	unsigned i, k, n = 0;

	if (!pf_columns_begin_reading(&c, code, bytes))
		return false;
	part_lengths[n++] = COUNTS_BYTES;
	for (i = 0; i < PF_COLUMNS; i++)
		for (k = 0; k < pf_column_entry_bytes(i); k++)
			part_lengths[n++] = c.column[i].limit;
	return true;
}
