/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - finds lines in the LRU stacks of sets, below a given depth
 *
 * A cache of associativity A holds the upper A lines of each set's stack. A
 * lookup returns the rank of a line: how many associativities of an ascending
 * list are too small to hold the line at its depth.
 */
#ifndef ANALYZERS_LRU_STACK_H
#define ANALYZERS_LRU_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzers/lru/segmented_stack.h"

struct an_lru_stack {
	uint32_t *line;	      /* [sets * rows] most recently used line first; 0:
				 none */
	uint32_t rows;	      /* lines of a set that are stored here */
	uint32_t lines_above; /* lines of a set above these, which the caller
				 stores */
	uint32_t scalar_rows; /* lines that are searched one by one, not by
				 vector instructions */
	uint32_t n_assocs;    /* number of associativities */
	uint16_t *rank;	      /* [rows + 1] by row: number of associativities
				 too small for it; the last is that of a missing
				 line */
	struct an_segmented_stack
		*segmented;    /* used instead of `line` and `rank` if there are
			       many rows */
	uint32_t *segment_end; /* [n_assocs] ends of the segments of
				  `segmented`; only the first n_assocs -
				  first_rank are used */
	uint32_t first_rank;   /* rank of the first segment of `segmented` */
};

/* Depth of a line in its stack. */
struct an_stack_depth {
	uint32_t rank;
	uint32_t min_depth; /* lower bound of the number of lines above the
			       line */
};

/**
 * an_lru_stack_init() - Initialise empty stacks.
 * @from: number of lines above these stacks that the caller stores, at most
 *        assoc[0].
 * @ascending_assocs: [n] associativities, ascending.
 *
 * Return: 0 or -ENOMEM; call an_lru_stack_release() in both cases.
 */
int an_lru_stack_init(struct an_lru_stack *, uint64_t sets, uint32_t from,
		      const uint32_t *ascending_assocs, unsigned assoc_count);
void an_lru_stack_release(struct an_lru_stack *);

/* Whether a line is on top of a set's stack. */
static inline bool an_lru_stack_is_line_on_top(const struct an_lru_stack *s,
					       uint64_t set, uint32_t line)
{
	if (s->line != NULL)
		return s->line[set * s->rows] == line;
	return s->segmented != NULL &&
	       an_segmented_stack_top_line_plus_1(s->segmented, set) == line;
}

/**
 * an_lru_stack_push_and_remove() - Remove line @removed_line from a set, if it
 * is there,
 *                       and push line @pushed_line; they may be equal.
 * @min_lines_above: lower bound of the number of lines above @removed_line,
 * including those
 *         that the caller stores.
 *
 * Return: the depth at which @removed_line was; rank n_assocs if it was not
 * there.
 */
struct an_stack_depth an_lru_stack_push_and_remove(struct an_lru_stack *,
						   uint64_t set,
						   uint32_t pushed_line,
						   uint32_t removed_line,
						   uint32_t min_lines_above);

#endif
