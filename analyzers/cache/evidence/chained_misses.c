/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chained_misses.c - counts misses at the end of chains of loads; see
   collectors.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/cache/evidence/collectors.h"
#include "base/tables/array.h"

struct chained_misses {
	uint64_t *misses; /* [size] by site */
	uint32_t size;
};

static int count_chained_misses(void *state,
				const struct an_observed_access *access,
				size_t n, uint32_t n_sites)
{
	struct chained_misses *c = state;

	if (al_array_reserve_zeroed(c->misses, c->size, n_sites) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (access[i].missed && access[i].kind != PT_STORE &&
		    access[i].walks && access[i].site != AN_NO_SITE)
			c->misses[access[i].site]++;
	return 0;
}

static void add_counts(const void *state, uint32_t site,
		       struct an_site_counts *out)
{
	const struct chained_misses *c = state;

	if (site < c->size)
		out->count[AN_SITE_CHAINED_MISSES] += c->misses[site];
}

static void release(void *state)
{
	free(((struct chained_misses *)state)->misses);
}

const struct an_collector an_collect_chained_misses = {
	.state_size = sizeof(struct chained_misses),
	.collect = count_chained_misses,
	.add_counts = add_counts,
	.release = release,
};
