/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * twin.c - counts misses of a fully associative cache by site (access of an
 * instruction); see collectors.h
 *
 * The twin of a level has as many lines of the same size, in one set, with
 * exact LRU, and receives the same accesses. A miss of the level that its twin
 * does not have is a conflict miss: the mapping of lines to sets caused it
 * (Hill and Smith, "Evaluating associativity in CPU caches", IEEE Transactions
 * on Computers 38(12), 1989).
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/cache/evidence/collectors.h"
#include "analyzers/lru/fully_assoc.h"
#include "base/tables/array.h"

struct twin {
	struct an_fully_assoc *lines;
	uint64_t last_line; /* line used last, whose next use hits; UINT64_MAX:
			       none */
	uint64_t *misses;   /* [size] by site */
	uint32_t size;
};

static int create_fully_assoc_cache_of_level_size(void *state,
						  const struct an_level *level)
{
	struct twin *t = state;

	t->last_line = UINT64_MAX;
	t->lines =
		an_fully_assoc_new(1, (uint32_t)(level->sets * level->assoc));
	return t->lines ? 0 : -ENOMEM;
}

/* Simulate a use of line @line (address / line size) in the twin. Return:
   whether the line was missing. */
static bool use_line_is_miss(struct twin *t, uint64_t line)
{
	uint64_t evicted;

	if (line == t->last_line)
		return false;
	t->last_line = line;
	return an_fully_assoc_touch_is_miss(t->lines, 0, line, false, &evicted);
}

/* Simulate a use of each line of access @a in the twin. Return: whether any of
   these lines was missing. */
static bool simulate_access_in_twin_is_miss(struct twin *t,
					    const struct an_observed_access *a)
{
	bool missed = false;

	for (unsigned i = 0; i < a->n_touches; i++)
		missed |= use_line_is_miss(t, a->touch[i].line);
	return missed;
}

static int
count_fully_assoc_misses_by_site(void *state,
				 const struct an_observed_access *access,
				 size_t access_count, uint32_t n_sites)
{
	struct twin *t = state;

	if (al_array_reserve_zeroed(t->misses, t->size, n_sites) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < access_count; i++)
		if (simulate_access_in_twin_is_miss(t, &access[i]) &&
		    access[i].site != AN_NO_SITE)
			t->misses[access[i].site]++;
	return 0;
}

static void add_fully_assoc_d1_misses_of_site(const void *state, uint32_t site,
					      struct an_site_counts *out)
{
	const struct twin *t = state;

	if (site < t->size)
		out->count[AN_SITE_TWIN_MISSES] += t->misses[site];
}

static void free_fully_assoc_cache_and_misses(void *state)
{
	struct twin *t = state;

	an_fully_assoc_free(t->lines);
	free(t->misses);
}

const struct an_collector an_collect_twin_misses = {
	.state_size = sizeof(struct twin),
	.init = create_fully_assoc_cache_of_level_size,
	.collect = count_fully_assoc_misses_by_site,
	.add_counts = add_fully_assoc_d1_misses_of_site,
	.release = free_fully_assoc_cache_and_misses,
};
