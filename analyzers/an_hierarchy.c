/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_hierarchy.c - cache levels one behind the other; see an_hierarchy.h */

#include "analyzers/an_hierarchy.h"

static void lay_path(struct an_hierarchy *h, int path, int first)
{
	int i;

	for (i = first; i != AN_MEMORY; i = h->geometry->level[i].next)
		h->path[path][h->depth[path]++] = i;
}

int an_hierarchy_init(struct an_hierarchy *h, const struct an_geometry *g)
{
	int err = 0;

	*h = (struct an_hierarchy){.geometry = g, .smallest_line = ~0u};
	lay_path(h, AN_INSTRUCTION, g->first_instruction);
	lay_path(h, AN_DATA, g->first_data);
	for (int i = 0; i < g->n_levels && !err; i++) {
		err = an_ways_init(&h->ways[i], &g->level[i]);
		if (g->level[i].line < h->smallest_line)
			h->smallest_line = g->level[i].line;
	}
	return err;
}

void an_hierarchy_release(struct an_hierarchy *h)
{
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		an_ways_release(&h->ways[i]);
}

int an_hierarchy_below(struct an_hierarchy *h, int path, uint64_t addr,
		       unsigned size, bool write)
{
	int n = 1;

	while (n < h->depth[path] &&
	       an_ways_access(&h->ways[h->path[path][n]], addr, size, write))
		n++;
	return n;
}
