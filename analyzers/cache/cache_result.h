/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_result.h - what a cache simulation found
 */
#ifndef ANALYZERS_CACHE_CACHE_RESULT_H
#define ANALYZERS_CACHE_CACHE_RESULT_H

#include "analyzers/cache/simulation.h"
#include "analyzers/cost_table.h"

/* Of one access level. At the first data level a modify counts as a read. */
struct an_level_counts {
	uint64_t reads, read_misses;
	uint64_t writes, write_misses;
	uint64_t writebacks;
};

struct an_cacheresult {
	struct an_cost total;
	struct an_level_counts level[AN_MAX_LEVELS];
	struct an_partsums parts;
	bool by_place; /* lines have their function and the file's path, and
			  no object; there are no functions */
	struct an_table functions;
	struct an_table lines;
};

/* Adds up a simulation, and names where misses happened. 0 or -ENOMEM. */
int an_cacheresult_collect(struct an_cacheresult *, struct an_cachesim *,
			   const struct an_env *);

/* 0 or -ENOMEM. */
int an_cacheresult_merge(struct an_cacheresult *,
			 const struct an_cacheresult *);

void an_cacheresult_release(struct an_cacheresult *);

void an_cacheresult_totals(const struct an_cacheresult *, struct an_sink *);
/* How it was simulated. */
void an_cacheresult_how(const struct an_cacheresult *,
			const struct an_geometry *, struct an_sink *);
void an_cacheresult_report(const struct an_cacheresult *,
			   const struct an_geometry *, struct an_sink *);

/* The levels; where they miss. */
void an_cacheresult_print(const struct an_cacheresult *,
			  const struct an_geometry *, struct an_text *);
void an_cacheresult_details(const struct an_cacheresult *,
			    const struct an_geometry *, struct an_text *);

#endif
