/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segmented_stack.h - LRU stacks too deep to be searched
 *
 * Each set's stack is a list in LRU order, cut into segments: all that is known
 * of a line's depth is its segment, and so a use costs as many steps as there
 * are segments above, however long they are (Mattson et al., Evaluation
 * techniques for storage hierarchies, IBM Systems Journal 9(2), 1970, with the
 * capacities of interest only).
 */
#ifndef ANALYZERS_LRU_SEGMENTED_STACK_H
#define ANALYZERS_LRU_SEGMENTED_STACK_H

#include <stdint.h>

struct an_deep;

/**
 * an_deep_new() - Empty stacks for @sets sets.
 * @end: [n] depths at which segments end, ascending; the last one is where
 *       lines fall out. Outlives the stacks.
 *
 * Return: NULL when memory is short.
 */
struct an_deep *an_deep_new(uint64_t sets, const uint32_t *end, unsigned n);
void an_deep_free(struct an_deep *);

/* The line on top of a set's stack, plus 1; 0: it is empty. */
uint64_t an_deep_top(const struct an_deep *, uint64_t set);

/**
 * an_deep_exchange() - Take @want out of a set, if it is there, and put @in on
 *                      top. They may be the same.
 * @in, @want: line numbers plus 1.
 *
 * Return: the segment where @want was; n when it was not there.
 */
unsigned an_deep_exchange(struct an_deep *, uint64_t set, uint64_t in,
			  uint64_t want);

#endif
