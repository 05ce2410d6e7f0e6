/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_cachesim.c - runs batches through a hierarchy; see an_cachesim.h */

#include "analyzers/an_cachesim.h"

#include <errno.h>
#include <stdlib.h>

int an_cachesim_init(struct an_cachesim *s, const struct an_geometry *g)
{
	return an_hierarchy_init(&s->hierarchy, g);
}

void an_cachesim_release(struct an_cachesim *s)
{
	for (size_t i = 0; i < s->n_blocks; i++) {
		free(s->plan[i]);
		free(s->block[i].misses);
	}
	free(s->plan);
	free(s->block);
	for (int path = 0; path < 2; path++)
		free(s->misses[path].miss);
	an_hierarchy_release(&s->hierarchy);
	*s = (struct an_cachesim){0};
}

/* Makes both arrays longer. */
static int grow(struct an_cachesim *s)
{
	size_t size = s->size ? 2 * s->size : 1024;
	void *block = realloc(s->block, size * sizeof(*s->block)), *plan;

	if (block == NULL)
		return -ENOMEM;
	s->block = block;
	plan = realloc(s->plan, size * sizeof(*s->plan));
	if (plan == NULL)
		return -ENOMEM;
	s->plan = plan;
	s->size = size;
	return 0;
}

int an_cachesim_add(struct an_cachesim *s, const struct an_block *block)
{
	size_t n = s->n_blocks;

	if (n == s->size && grow(s) != 0)
		return -ENOMEM;
	s->block[n] = (struct an_cacheblock){block, NULL};
	s->plan[n] = an_plan_new(block, &s->hierarchy);
	if (s->plan[n] == NULL)
		return -ENOMEM;
	s->n_blocks++;
	return 0;
}

int an_cachesim_run(struct an_cachesim *s, const struct an_batch *batch)
{
	if (s->hierarchy.apart)
		return an_cachequick_run(s, batch);
	return an_cacheorder_run(s, batch);
}
