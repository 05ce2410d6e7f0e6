/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - LRU stacks of sets, from some depth on
 *
 * A cache of associativity A holds the upper A lines of each set's stack. What
 * is asked of a line is its rank: how many of a list of associativities are
 * too small to hold it where it is.
 */
#ifndef ANALYZERS_LRU_STACK_H
#define ANALYZERS_LRU_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzers/lru/segmented_stack.h"

struct an_stack {
	uint32_t *line;	      /* [sets * rows] most recent first; 0: none */
	uint32_t rows;	      /* lines of a set that are kept here */
	uint32_t from;	      /* lines above, which are not */
	uint32_t near;	      /* lines that are looked at one by one */
	uint32_t n;	      /* associativities */
	uint16_t *rank;	      /* [rows + 1] by place; the last: not there */
	struct an_deep *deep; /* instead of line and rank */
	uint32_t *end;	      /* [n] its segments; not all need be used */
	uint32_t offset;      /* rank of its first segment */
};

/* Where a line was. */
struct an_depth {
	uint32_t rank;
	uint32_t least; /* lines above it, or fewer than those */
};

/**
 * an_stack_init() - Make empty stacks.
 * @from: lines above that are kept elsewhere, assoc[0] at most.
 * @assoc: [n] ascending.
 *
 * Return: 0 or -ENOMEM; an_stack_release() in both cases.
 */
int an_stack_init(struct an_stack *, uint64_t sets, uint32_t from,
		  const uint32_t *assoc, unsigned n);
void an_stack_release(struct an_stack *);

/* Whether a line is a set's first. */
static inline bool an_stack_is_top(const struct an_stack *s, uint64_t set,
				   uint32_t line)
{
	if (s->line != NULL)
		return s->line[set * s->rows] == line;
	return s->deep != NULL && an_deep_top(s->deep, set) == line;
}

/**
 * an_stack_exchange() - Take @want out of a set, if it is there, and put @in on
 *                       top; they may be the same.
 * @least: as many lines are above @want, or more.
 */
struct an_depth an_stack_exchange(struct an_stack *, uint64_t set, uint32_t in,
				  uint32_t want, uint32_t least);

#endif
