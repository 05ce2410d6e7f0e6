/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * i1_lines.h - records in which way of the first level each line of code is
 *
 * A block's lines of code are known before it is executed. So lines are
 * numbered, each block has a list of line numbers, and for each line its
 * current way is stored. An access is one load of this way, which shows whether
 * the line misses, and one store of the last-use time; a set is searched only
 * for the way to be replaced upon a miss.
 *
 * Threads: one.
 */
#ifndef ANALYZERS_CACHE_MODEL_I1_LINES_H
#define ANALYZERS_CACHE_MODEL_I1_LINES_H

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"
#include "base/tables/key_table.h"

/* Flag in way_of_line: the level does not hold the line. The lower bits are
   then the index of the first way of the line's set. */
#define AN_ABSENT (UINT32_C(1) << 31)

/*
 * Layout of a block's record in `records`: its first AN_INLINE_LINES line
 * numbers, so that they can be loaded without knowing how many there are; then
 * 16-bit values: the number of exits, for each exit the number of lines up to
 * it, and for each line the number of its first instruction with flags
 * (AN_LINE_CODE_ROW ...); then, only if there are more than AN_INLINE_LINES
 * lines, all line numbers.
 */
enum { AN_INLINE_LINES = 4 };

struct an_i1_index {
	struct al_key_table
		line_ids;      /* numbers the lines of code; key: address / line
				  size */
	uint32_t *way_of_line; /* by line number: index of its way, or
				  AN_ABSENT | set start */
	size_t way_of_line_size;
	uint32_t
		*line_of_way; /* by way index: number of the line that it holds,
				or AN_ABSENT */
	uint32_t *records;    /* records of all blocks */
	size_t n_words;
	size_t words_size;
	uint32_t *record_start; /* by block: index of its record in `records` */
	size_t n_begins;
	size_t begins_size;
};

/* Encoding of a line of code in a block: the number of its first instruction,
   with flags that this instruction begins in the line before, or ends in the
   next. */
enum {
	AN_LINE_CODE_STARTS_BEFORE = 1 << 14,
	AN_LINE_CODE_ENDS_AFTER = 1 << 15,
	AN_LINE_CODE_ROW = AN_LINE_CODE_STARTS_BEFORE - 1,
};

_Static_assert((int)PT_MAX_INSTRS <= (int)AN_LINE_CODE_STARTS_BEFORE,
	       "a row fits");

/* Initialise an empty index for a first level of code. Return: 0 or -ENOMEM;
   call an_i1_index_release() in both cases. */
int an_i1_index_init(struct an_i1_index *, const struct an_l1 *);
void an_i1_index_release(struct an_i1_index *);

/* Add the record (exits and lines of code) of the next block, whose id is 1
   more than that of the block before. Return: 0 or -ENOMEM. */
int an_i1_index_add_block(struct an_i1_index *, const struct an_path_plan *,
			  const struct an_l1 *);

/* Record that line number @line_id, which the level does not hold, replaces the
   line in the least recently used way of its set. The caller sets the way's
   time of last use. Return: index of the way. */
uint32_t an_i1_index_fill_lru_way_get_way_index(struct an_i1_index *,
						uint32_t line_id,
						const struct an_l1 *);

static inline bool an_i1_index_is_line_absent(uint32_t way_or_absent)
{
	return way_or_absent & AN_ABSENT;
}

/* Return the record of block @block, which begins with the numbers of the
   block's first AN_INLINE_LINES lines. */
static inline const uint32_t *
an_i1_index_block_record(const struct an_i1_index *c, uint32_t block)
{
	return c->records + c->record_start[block];
}

/* Return the size [4 bytes] of the record of a block with @line_count lines of
   code, without the list of all lines, which follows if they are more than
   AN_INLINE_LINES. */
static inline size_t an_i1_index_record_head_size_in_words(unsigned n_exits,
							   unsigned line_count)
{
	return AN_INLINE_LINES + (1 + n_exits + line_count + 1) / 2;
}

static inline const uint16_t *
an_i1_index_record_halfwords(const uint32_t *block_record)
{
	return (const uint16_t *)(block_record + AN_INLINE_LINES);
}

/* Return the number of lines of code that an execution uses which leaves the
   block of this record by @exit. */
static inline unsigned an_i1_index_n_lines_to_exit(const uint32_t *block_record,
						   unsigned exit)
{
	return an_i1_index_record_halfwords(block_record)[1 + exit];
}

/* Return the number of the first instruction in line number @line_index, from
   0, of a block, with the flags of AN_LINE_CODE_STARTS_BEFORE ... */
static inline unsigned
an_i1_index_line_first_instr_and_flags(const uint32_t *block_record,
				       unsigned line_index)
{
	const uint16_t *half = an_i1_index_record_halfwords(block_record);

	return half[1 + half[0] + line_index];
}

/* Return the array of the numbers, in the index, of all cache lines that the
   code of a block lies in. */
static inline const uint32_t *
an_i1_index_record_line_ids(const uint32_t *block_record)
{
	const uint16_t *half = an_i1_index_record_halfwords(block_record);
	unsigned n_exits = half[0], n = half[n_exits];

	if (n <= AN_INLINE_LINES)
		return block_record;
	return block_record + an_i1_index_record_head_size_in_words(n_exits, n);
}

/* Return the address / line size of the line with number @line_id. */
static inline uint64_t
an_i1_index_line_id_to_cache_line(const struct an_i1_index *c, uint32_t line_id)
{
	return c->line_ids.key[line_id].word[0];
}

#endif
