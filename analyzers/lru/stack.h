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
	uint32_t *line;	      /* [sets * rows] lines of each set, the most
				 recently used first; 0: none */
	uint32_t rows;	      /* maximum of lines of each set in `line` or
				 `segmented` */
	uint32_t lines_above; /* number of lines of each set above these, which
				 the caller stores */
	uint32_t scalar_rows; /* number of lines at the top that are searched
				 one by one, not by vector instructions */
	uint32_t n_assocs;    /* number of associativities */
	uint16_t *rank;	      /* [rows + 1] by index of a row: number of
				 associativities too small to hold a line there;
				 the last one is for a missing line */
	struct an_segmented_stack
		*segmented;    /* used instead of `line` and `rank` if there are
			       many rows */
	uint32_t *segment_end; /* [n_assocs] ends of the segments of
				  `segmented`; only the first n_assocs -
				  first_rank are used */
	uint32_t first_rank;   /* rank of the first segment of `segmented` */
};

/* Depth of a line in the LRU stack of its set. */
struct an_stack_depth {
	/* number of the stack's associativities that are too small to hold a
	   line at its depth */
	uint32_t rank;
	uint32_t min_depth; /* lower bound of the number of lines above it in
			       the LRU stack of its set */
};

/**
 * an_lru_stack_init() - Initialise empty stacks of @sets sets.
 * @lines_above_stored_by_caller: number of lines above each of these stacks
 *        that the caller stores, at most ascending_assocs[0].
 * @ascending_assocs: [assoc_count] associativities, ascending.
 *
 * Return: 0 or -ENOMEM; call an_lru_stack_release() in both cases.
 */
int an_lru_stack_init(struct an_lru_stack *, uint64_t sets,
		      uint32_t lines_above_stored_by_caller,
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
 * is there, and push line @pushed_line on top; they may be equal. If the stack
 * is full and no line was removed, its last line is dropped.
 * @known_min_lines_above_removed: lower bound of the number of lines above
 *         @removed_line, with those that the caller stores.
 *
 * Return: the depth at which @removed_line was; its rank is n_assocs if the
 * line was not there.
 */
struct an_stack_depth
an_lru_stack_push_and_remove(struct an_lru_stack *, uint64_t set,
			     uint32_t pushed_line, uint32_t removed_line,
			     uint32_t known_min_lines_above_removed);

#endif
