/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * i1_lines.h - the lines of code, and where in their first level they are
 *
 * Which lines a block's code uses is known before it is executed. So lines have
 * short numbers, a block has a list of them, and of each line it is noted in
 * which way it is. A use is a load that tells whether it misses, and a store of
 * the time; no way is searched for.
 *
 * Threads: one.
 */
#ifndef ANALYZERS_CACHE_MODEL_I1_LINES_H
#define ANALYZERS_CACHE_MODEL_I1_LINES_H

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"
#include "analyzers/key_table.h"

/* As a way: of a line that the level does not hold. Below that bit, where the
   ways of its set begin. */
#define AN_NOWHERE (UINT32_C(1) << 31)

/*
 * A block's piece of `word`: its first lines, so that they can be read at once,
 * however many there are; the number of its exits, of its lines up to each, and
 * what misses when each line does [16 bits each]; if it has more lines than
 * that, all of them.
 */
enum { AN_LINES_AT_ONCE = 4 };

struct an_codelines {
	struct an_index index; /* of lines: address / line size */
	uint32_t *way;	       /* by line: of the level; see AN_NOWHERE */
	size_t ways_size;
	uint32_t *line; /* by way of the level: what it holds, or AN_NOWHERE */
	uint32_t *word; /* of blocks */
	size_t n_words;
	size_t words_size;
	uint32_t *begin; /* by block: in `word` */
	size_t n_begins;
	size_t begins_size;
};

/* What misses: the number of the line's first instruction, and whether that has
   a part in the line before, or in the next. */
enum {
	AN_CODE_BEGUN = 1 << 14,
	AN_CODE_ENDS = 1 << 15,
	AN_CODE_ROW = AN_CODE_BEGUN - 1,
};

_Static_assert((int)PT_MAX_INSTRS <= (int)AN_CODE_BEGUN, "a row fits");

/* Zeroed: no lines. 0 or -ENOMEM; an_codelines_release() in both cases. */
int an_codelines_init(struct an_codelines *, const struct an_first *);
void an_codelines_release(struct an_codelines *);

/* The next block. 0 or -ENOMEM. */
int an_codelines_add(struct an_codelines *, const struct an_path *,
		     const struct an_first *);

/* Takes a line, which is nowhere, into the level. Return: its way. */
uint32_t an_codelines_take(struct an_codelines *, uint32_t line,
			   const struct an_first *);

static inline bool an_codelines_is_nowhere(uint32_t way)
{
	return way & AN_NOWHERE;
}

/* A block's piece, which begins with its first lines. */
static inline const uint32_t *an_codelines_block(const struct an_codelines *c,
						 uint32_t block)
{
	return c->word + c->begin[block];
}

/* Of a piece, up to its list. [4 bytes] */
static inline size_t an_codelines_head(unsigned n_exits, unsigned n)
{
	return AN_LINES_AT_ONCE + (1 + n_exits + n + 1) / 2;
}

static inline const uint16_t *an_codelines_halves(const uint32_t *block)
{
	return (const uint16_t *)(block + AN_LINES_AT_ONCE);
}

/* Lines that are used up to an exit. */
static inline unsigned an_codelines_count(const uint32_t *block, unsigned exit)
{
	return an_codelines_halves(block)[1 + exit];
}

/* What misses when its @i-th line does. */
static inline unsigned an_codelines_missing(const uint32_t *block, unsigned i)
{
	const uint16_t *half = an_codelines_halves(block);

	return half[1 + half[0] + i];
}

/* All of its lines. */
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
