/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fully_assoc.h - simulates sets of very many ways: LRU lists with a hash table
 */
#ifndef ANALYZERS_LRU_FULLY_ASSOC_H
#define ANALYZERS_LRU_FULLY_ASSOC_H

#include <stdbool.h>
#include <stdint.h>

struct an_fully_assoc;

/* Allocate @set_count empty sets of @ways_per_set ways each. Return NULL if
   memory is short. */
struct an_fully_assoc *an_fully_assoc_new(uint64_t set_count,
					  uint32_t ways_per_set);
void an_fully_assoc_free(struct an_fully_assoc *);

/**
 * an_fully_assoc_touch_is_miss() - Simulate a use of line @line, which becomes
 * the most recently used one of set @set, and dirty if @write.
 * @evicted_out: receives on a miss the line that was evicted, as in
 *          an_set_assoc.evicted; 0: none. Unchanged on a hit.
 *
 * Return: true if the line was missing.
 */
bool an_fully_assoc_touch_is_miss(struct an_fully_assoc *, uint64_t set,
				  uint64_t line, bool write,
				  uint64_t *evicted_out);

#endif
