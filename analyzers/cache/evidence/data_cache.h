/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_cache.h - simulates one cache level with exact LRU, of any geometry, and
 * numbers its ways
 *
 * A line stays in its way until it is replaced, so a collector can hold data of
 * each resident line in an array by way.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_DATA_CACHE_H
#define ANALYZERS_CACHE_EVIDENCE_DATA_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzers/geometry.h"

struct an_data_cache {
	uint64_t *line; /* [sets * assoc] line numbers, set by set, in each set
			   the most recently used first; UINT64_MAX: empty */
	uint32_t *way;	/* [sets * assoc] way[i]: number of the way that holds
			   line[i] */
	uint64_t sets;
	uint64_t mask; /* sets - 1 if sets is a power of two, else 0 */
	uint32_t assoc;
	uint32_t shift; /* log2 of the level's line size [bytes] */
};

/* Initialise an empty level. Return: 0 or -ENOMEM; call an_data_cache_release()
   in both cases. */
int an_data_cache_init(struct an_data_cache *, const struct an_level *);
void an_data_cache_release(struct an_data_cache *);

/* Simulate a use of line @line, which is not the most recently used of its set:
   make it so; if it is missing, it replaces the least recently used.
   @set_first_way_index: index of the set's first way. Return: whether the line
   was missing. */
bool an_data_cache_search_fill_is_miss(struct an_data_cache *,
				       uint64_t set_first_way_index,
				       uint64_t line);

/* Simulate a use of line @line (address / line size). @way_out is set to the
   number of the way that holds it from now on. Return: whether the line was
   missing. */
static inline bool an_data_cache_use_line_is_miss(struct an_data_cache *c,
						  uint64_t line,
						  uint32_t *way_out)
{
	uint64_t set = (c->mask ? line & c->mask : line % c->sets) * c->assoc;
	bool missed = c->line[set] != line &&
		      an_data_cache_search_fill_is_miss(c, set, line);

	*way_out = c->way[set];
	return missed;
}

#endif
