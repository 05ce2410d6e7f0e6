/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segmented_stack.h - finds the depth of lines in LRU stacks that are too deep
 * to be searched
 *
 * Each set's stack is a list in LRU order, divided into segments. Only the
 * segment of a line is known, not its exact depth, so an exchange takes as many
 * steps as there are segments above the line, regardless of their length
 * (Mattson et al., Evaluation techniques for storage hierarchies, IBM Systems
 * Journal 9(2), 1970, restricted to the capacities of interest).
 */
#ifndef ANALYZERS_LRU_SEGMENTED_STACK_H
#define ANALYZERS_LRU_SEGMENTED_STACK_H

#include <stdint.h>

struct an_segmented_stack;

/**
 * an_segmented_stack_new() - Allocate empty stacks for @sets sets.
 * @borrowed_segment_ends: [n] depths at which segments end, ascending; lines at
 * depth end[n - 1]
 *       or below are removed. Not copied: the array must outlive the stacks.
 *
 * Return: NULL if memory is short.
 */
struct an_segmented_stack *
an_segmented_stack_new(uint64_t sets, const uint32_t *borrowed_segment_ends,
		       unsigned segment_count);
void an_segmented_stack_free(struct an_segmented_stack *);

/* Return the line on top of a set's stack, plus 1; 0: the stack is empty. */
uint64_t an_segmented_stack_top_line_plus_1(const struct an_segmented_stack *,
					    uint64_t set);

/**
 * an_segmented_stack_push_and_remove() - Remove line @removed_line_plus_1 from
 * a set, if it is
 *                      there, and push line @pushed_line_plus_1. They may be
 *                      equal.
 * @pushed_line_plus_1: line number plus 1.
 * @removed_line_plus_1: line number plus 1.
 *
 * Return: index of the segment in which @removed_line_plus_1 was; n if it was
 * not there.
 */
unsigned an_segmented_stack_push_and_remove(struct an_segmented_stack *,
					    uint64_t set,
					    uint64_t pushed_line_plus_1,
					    uint64_t removed_line_plus_1);

#endif
