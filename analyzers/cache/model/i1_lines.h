/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * i1_lines.h - records in which way of the first level each line of code is
 *
 * A block's lines of code are known before it is executed. So lines are
 * numbered, each block has a list of line numbers, and each line remembers its
 * current way. A use is one load, which shows whether the line misses, and one
 * store of the time; no set is searched.
 *
 * Threads: one.
 */
#ifndef ANALYZERS_CACHE_MODEL_I1_LINES_H
#define ANALYZERS_CACHE_MODEL_I1_LINES_H

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"
#include "analyzers/key_table.h"

/* Flag in `way`: the level does not hold the line. The lower bits are then the
   index of the first way of the line's set. */
#define AN_NOWHERE (UINT32_C(1) << 31)

/*
 * Layout of a block's record in `word`: its first AN_LINES_AT_ONCE line
 * numbers, so that they can be loaded without knowing how many there are; then
 * 16-bit values: the number of exits, for each exit the number of lines up to
 * it, and for each line its code (AN_CODE_ROW ...); then, only if there are
 * more than AN_LINES_AT_ONCE lines, all line numbers.
 */
enum { AN_LINES_AT_ONCE = 4 };

struct an_codelines {
	struct an_index index; /* numbers lines; key: address / line size */
	uint32_t *way;	       /* by line number: index of its way, or
				  AN_NOWHERE | set start */
	size_t ways_size;
	uint32_t *line; /* by way index: number of the line that it holds, or
			   AN_NOWHERE */
	uint32_t *word; /* records of all blocks */
	size_t n_words;
	size_t words_size;
	uint32_t *begin; /* by block: index of its record in `word` */
	size_t n_begins;
	size_t begins_size;
};

/* Code of a line in a block: the number of its first instruction, with flags
   that this instruction begins in the line before, or ends in the next. */
enum {
	AN_CODE_BEGUN = 1 << 14,
	AN_CODE_ENDS = 1 << 15,
	AN_CODE_ROW = AN_CODE_BEGUN - 1,
};

_Static_assert((int)PT_MAX_INSTRS <= (int)AN_CODE_BEGUN, "a row fits");

/* Initialise an empty index for a first level of code. Return: 0 or -ENOMEM;
   call an_codelines_release() in both cases. */
int an_codelines_init(struct an_codelines *, const struct an_first *);
void an_codelines_release(struct an_codelines *);

/* Add the record of the next block. Return: 0 or -ENOMEM. */
int an_codelines_add(struct an_codelines *, const struct an_path *,
		     const struct an_first *);

/* Fill line number @line, which the level does not hold, into the least
   recently used way of its set. The caller sets the way's time. Return: index
   of the way. */
uint32_t an_codelines_take(struct an_codelines *, uint32_t line,
			   const struct an_first *);

static inline bool an_codelines_is_nowhere(uint32_t way)
{
	return way & AN_NOWHERE;
}

/* Return a block's record, which begins with its first lines. */
static inline const uint32_t *an_codelines_block(const struct an_codelines *c,
						 uint32_t block)
{
	return c->word + c->begin[block];
}

/* Return the size of a record without its list of all lines [4 bytes]. @n:
   number of lines. */
static inline size_t an_codelines_head(unsigned n_exits, unsigned n)
{
	return AN_LINES_AT_ONCE + (1 + n_exits + n + 1) / 2;
}

static inline const uint16_t *an_codelines_halves(const uint32_t *block)
{
	return (const uint16_t *)(block + AN_LINES_AT_ONCE);
}

/* Return the number of lines that an execution up to @exit uses. */
static inline unsigned an_codelines_count(const uint32_t *block, unsigned exit)
{
	return an_codelines_halves(block)[1 + exit];
}

/* Return the code (AN_CODE_ROW ...) of a block's @i-th line. */
static inline unsigned an_codelines_missing(const uint32_t *block, unsigned i)
{
	const uint16_t *half = an_codelines_halves(block);

	return half[1 + half[0] + i];
}

/* Return the list of all lines of a block. */
static inline const uint32_t *an_codelines_list(const uint32_t *block)
{
	const uint16_t *half = an_codelines_halves(block);
	unsigned n_exits = half[0], n = half[n_exits];

	if (n <= AN_LINES_AT_ONCE)
		return block;
	return block + an_codelines_head(n_exits, n);
}

static inline uint64_t an_codelines_number(const struct an_codelines *c,
					   uint32_t line)
{
	return c->index.key[line].part[0];
}

#endif
