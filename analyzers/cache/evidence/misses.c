/* SPDX-License-Identifier: GPL-2.0-or-later */
/* misses.c - counts accesses and misses by site (access of an instruction), and
   misses at the end of chains of loads; see collectors.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/cache/evidence/collectors.h"
#include "base/tables/array.h"

struct site_misses {
	uint64_t accesses, misses, chained_misses;
};

struct miss_counter {
	struct site_misses *site; /* [size] */
	uint32_t size;
};

static int
count_accesses_and_misses_by_site(void *state,
				  const struct an_observed_access *access,
				  size_t access_count, uint32_t n_sites)
{
	struct miss_counter *c = state;

	if (al_array_reserve_zeroed(c->site, c->size, n_sites) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < access_count; i++) {
		struct site_misses *site;

		if (access[i].site == AN_NO_SITE)
			continue;
		site = &c->site[access[i].site];
		site->accesses++;
		site->misses += access[i].missed;
		site->chained_misses += access[i].missed && access[i].walks &&
					access[i].kind != PT_STORE;
	}
	return 0;
}

static void add_access_and_miss_counts_of_site(const void *state, uint32_t site,
					       struct an_site_counts *out)
{
	const struct miss_counter *c = state;

	if (site >= c->size)
		return;
	out->count[AN_SITE_ACCESSES] += c->site[site].accesses;
	out->count[AN_SITE_MISSES] += c->site[site].misses;
	out->count[AN_SITE_CHAINED_MISSES] += c->site[site].chained_misses;
}

static void free_miss_counts_by_site(void *state)
{
	free(((struct miss_counter *)state)->site);
}

const struct an_collector an_collect_misses = {
	.state_size = sizeof(struct miss_counter),
	.collect = count_accesses_and_misses_by_site,
	.add_counts = add_access_and_miss_counts_of_site,
	.release = free_miss_counts_by_site,
};
