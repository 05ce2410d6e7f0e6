/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segmented_stack.h - finds the depth of lines in LRU stacks that are too deep
 * to be searched
 *
 * Each set's stack is a list in LRU order, divided into segments. Only the
 * segment of a line is known, not its exact depth, so moving a line to the top
 * takes as many steps as there are segments above it, regardless of their
 * length (Mattson et al., Evaluation techniques for storage hierarchies, IBM
 * Systems Journal 9(2), 1970, restricted to the capacities of interest).
 */
#ifndef ANALYZERS_LRU_SEGMENTED_STACK_H
#define ANALYZERS_LRU_SEGMENTED_STACK_H

#include <stdint.h>

struct an_segmented_stack;

/**
 * an_segmented_stack_new() - Allocate empty stacks for @sets sets.
 * @borrowed_segment_ends: [segment_count] depths [lines] at which segments end,
 *       ascending; the last one is the maximum of lines in a stack. Not copied:
 *       the array must outlive the stacks.
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
 * an_segmented_stack_push_and_remove() - Remove a line from the stack
 * of a set if it is there, and push a line on top; they may be the same. If the
 * stack is full and no line was removed, its oldest line is dropped.
 * @pushed_line_plus_1: number of the pushed line plus 1.
 * @line_to_remove_plus_1: number of the line to remove plus 1.
 *
 * Return: index of the segment from which the line was removed; segment_count
 * if it was not there.
 */
unsigned an_segmented_stack_push_and_remove(struct an_segmented_stack *,
					    uint64_t set,
					    uint64_t pushed_line_plus_1,
					    uint64_t line_to_remove_plus_1);

#endif
