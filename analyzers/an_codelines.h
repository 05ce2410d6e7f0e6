/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_codelines.h - the lines of code, and where in their first level they are
 *
 * Room:    analyzers.
 * Used by: an_cachesim.h, an_cachecode.c.
 *
 * Which lines a block's code uses is known before it is executed. So lines have
 * short numbers, a block has a list of them, and of each line it is noted in
 * which way it is. A use is a load that tells whether it misses, and a store of
 * the time; no way is searched for.
 *
 * Threads: one.
 */
#ifndef AN_CODELINES_H
#define AN_CODELINES_H

#include "analyzers/an_first.h"
#include "analyzers/an_index.h"
#include "analyzers/an_plan.h"

/* As a way: of a line that the level does not hold. Below that bit, where the
   ways of its set begin. */
#define AN_NOWHERE (UINT32_C(1) << 31)

/* Lines of a list that may be read at once, though there are fewer. */
enum { AN_LINES_AT_ONCE = 8 };

/*
 * Lists lie one behind the other. A block's has lines up to each exit, the last
 * exit first, and lines of all [16 bits each]; then the lines, where it is said
 * to begin [32 bits each]; then what misses when they do [16 bits each].
 */
struct an_codelines {
	struct an_index index; /* of lines: address / line size */
	uint32_t *way;	       /* by line: of the level; see AN_NOWHERE */
	size_t ways_size;
	uint32_t *line; /* by way of the level: what it holds, or AN_NOWHERE */
	uint32_t *word; /* the lists */
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

static inline const uint32_t *an_codelines_list(const struct an_codelines *c,
						uint32_t block)
{
	return c->word + c->begin[block];
}

/* Lines that are used up to an exit. */
static inline unsigned an_codelines_count(const uint32_t *list, unsigned exit)
{
	return ((const uint16_t *)list)[-2 - (int)exit];
}

/* What misses when the list's @i-th line does. */
static inline unsigned an_codelines_missing(const uint32_t *list, unsigned i)
{
	unsigned n = ((const uint16_t *)list)[-1];

	return ((const uint16_t *)(list + n))[i];
}

static inline uint64_t an_codelines_number(const struct an_codelines *c,
					   uint32_t line)
{
	return c->index.key[line].part[0];
}

#endif
