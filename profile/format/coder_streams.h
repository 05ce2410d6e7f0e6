/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coder_streams.h - writes and reads the columns of a chunk's code
 *
 * Threads: one.
 *
 * The code of a chunk is the number of entries of each column, 32 bits each,
 * then the columns. A column whose entries are numbers of n bytes consists of n
 * parts, each with one byte of every number, the lowest bytes first; so bytes
 * of the same kind are together, and zstd packs them better.
 */
#ifndef PROFILE_FORMAT_CODER_STREAMS_H
#define PROFILE_FORMAT_CODER_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PF_CONFIDENCES = 4, /* levels of confidence in a prediction, 0..3 */
	PF_VALUE_CODINGS =
		11, /* number of the codings of enum pf_value_coding that can be
			 predicted, see profile/codec/model.h */

	PF_COLUMN_HEADER_RUNS = 0, /* lengths of runs of correct header
				      predictions, by 2 * confidence + (1 if the
				      header before was predicted wrongly) */
	PF_COLUMN_VALUE_RUNS =
		PF_COLUMN_HEADER_RUNS +
		2 * PF_CONFIDENCES, /* lengths of runs of correct predictions of
				       value codings, by
				       pf_value_predictor.state */
	PF_RUNS = PF_COLUMN_VALUE_RUNS + PF_VALUE_CODINGS * PF_CONFIDENCES,
	PF_COLUMN_HEADER_CODING = PF_RUNS, /* enum pf_header_coding of each
					      header that was predicted
					      wrongly */
	PF_COLUMN_VALUE_CODING, /* enum pf_value_coding of each value whose
				   coding was predicted wrongly; 4 columns, one
				   for each predicted coding: PF_STRIDE,
				   PF_DIFF, PF_REPEAT, any number */
	PF_COLUMN_REPEATS =
		PF_COLUMN_VALUE_CODING + 4, /* distance [values] of each value
					       coded PF_REPEAT from the earlier
					       value that it equals */
	PF_COLUMN_HEADERS,		    /* headers coded PF_HEADER_NEW, 4
					       bytes each */
	PF_COLUMN_NUMBERS, /* differences of values coded PF_NUMBER, 1 byte
			      each; the following columns: 2 to 8 bytes each */
	PF_COLUMNS = PF_COLUMN_NUMBERS + 8,

	PF_PARTS = 1 + PF_COLUMN_HEADERS + 4 + 36, /* number of parts of a code;
						      part 0 holds the number of
						      entries of each column */
};

struct pf_column {
	unsigned char *begin; /* begin of the column's first part */
	size_t n;	      /* entries of the column written or read so far */
	size_t limit;	      /* greatest number of entries of the column; also
				 the distance of its parts [bytes] */
};

struct pf_columns {
	unsigned char *code;
	struct pf_column column[PF_COLUMNS];
};

/* Return the size of a column's entries [bytes]. */
static inline unsigned pf_column_entry_bytes(unsigned column)
{
	if (column == PF_COLUMN_HEADERS)
		return 4;
	return column < PF_COLUMN_NUMBERS ? 1 : column - PF_COLUMN_NUMBERS + 1;
}

/* Return the size of the memory [bytes] needed to write the code of units of
   @bytes_of_all_units. */
size_t pf_columns_max_code_bytes(size_t bytes_of_all_units);

/* Begin to write the code of units of @bytes_of_all_units: set all columns to
   empty, at their places in @code. @code:
   [pf_columns_max_code_bytes(bytes_of_all_units)]. */
void pf_columns_begin_writing_code(struct pf_columns *, void *code,
				   size_t bytes_of_all_units);

/* End the writing: write the number of entries of each column, and move the
   columns together. Return: length of the code [bytes]. */
size_t pf_columns_write_counts_and_compact(struct pf_columns *);

/* Begin to read encoded columns, of @encoded_bytes in all: set each column to
   its first entry. Return: false if the numbers of entries stored there do not
   give exactly that length. */
bool pf_columns_begin_reading(struct pf_columns *, const void *encoded_columns,
			      size_t encoded_bytes);

/* Whether all columns were read to their ends. */
bool pf_columns_are_read_to_end(const struct pf_columns *);

/* Store the length of each part of a code of @bytes in @part_lengths [bytes].
   Return: false if pf_columns_begin_reading() returns false. */
bool pf_columns_get_part_lengths_if_valid(const void *code, size_t bytes,
					  size_t part_lengths[PF_PARTS]);

static inline void pf_column_append_byte(struct pf_columns *c, unsigned column,
					 unsigned byte)
{
	c->column[column].begin[c->column[column].n++] = (unsigned char)byte;
}

static inline void pf_column_append_number(struct pf_columns *c,
					   unsigned column, uint64_t number,
					   unsigned byte_count)
{
	struct pf_column *to = &c->column[column];
	unsigned char *byte = to->begin + to->n;
	unsigned i;

	for (i = 0; i < byte_count; i++, byte += to->limit)
		*byte = (unsigned char)(number >> 8 * i);
	to->n++;
}

static inline bool pf_column_read_byte(struct pf_columns *c, unsigned column,
				       unsigned *byte)
{
	struct pf_column *from = &c->column[column];

	if (from->n == from->limit)
		return false;
	*byte = from->begin[from->n++];
	return true;
}

static inline bool pf_column_read_number(struct pf_columns *c, unsigned column,
					 uint64_t *number, unsigned byte_count)
{
	struct pf_column *from = &c->column[column];
	const unsigned char *byte = from->begin + from->n;
	unsigned i;

	*number = 0;
	if (from->n == from->limit)
		return false;
	for (i = 0; i < byte_count; i++, byte += from->limit)
		*number |= (uint64_t)*byte << 8 * i;
	from->n++;
	return true;
}

#endif
