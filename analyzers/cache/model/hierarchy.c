/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hierarchy.c - connects cache levels; see hierarchy.h */

#include "analyzers/cache/model/hierarchy.h"

static void store_path_levels_and_depth(struct an_hierarchy *h, int path,
					int first_level)
{
	int i;

	for (i = first_level; i != AN_MEMORY; i = h->geometry->level[i].next)
		h->path[path][h->depth[path]++] = i;
}

static bool is_level_on_path(const struct an_hierarchy *h, int path, int level)
{
	for (int i = 0; i < h->depth[path]; i++)
		if (h->path[path][i] == level)
			return true;
	return false;
}

/* Whether code and data have separate first levels of the kind that struct
   an_l1 can simulate. */
static bool has_separate_simulable_l1s(const struct an_hierarchy *h)
{
	for (int path = 0; path < 2; path++) {
		const struct an_level *first =
			an_hierarchy_first_level(h, path);

		if (is_level_on_path(h, !path, h->path[path][0]) ||
		    first->sets == 1 || first->assoc > AN_MAX_ARRAY_WAYS ||
		    first->line > AN_MAX_L1_LINE)
			return false;
	}
	return true;
}

static int init_cache_of_level(struct an_hierarchy *h, int level_index)
{
	const struct an_level *level = &h->geometry->level[level_index];

	for (int path = 0; h->separate_l1 && path < 2; path++)
		if (level_index == h->path[path][0])
			return an_l1_init_empty_level(&h->l1[path], level);
	return an_set_assoc_init(&h->ways[level_index], level);
}

static void reset_hierarchy_and_init_paths(struct an_hierarchy *h,
					   const struct an_geometry *g)
{
	*h = (struct an_hierarchy){.geometry = g, .smallest_line = ~0u};
	store_path_levels_and_depth(h, AN_INSTRUCTION, g->first_instruction);
	store_path_levels_and_depth(h, AN_DATA, g->first_data);
	h->separate_l1 = has_separate_simulable_l1s(h);
	for (int path = 0; path < 2; path++) {
		h->entry_level[path] =
			&h->ways[h->depth[path] > h->separate_l1
					 ? h->path[path][h->separate_l1]
					 : AN_MAX_LEVELS];
		if ((unsigned)h->depth[path] > h->max_depth)
			h->max_depth = (unsigned)h->depth[path];
	}
}

uint64_t an_largest_pow2_divisor(uint64_t sets, uint64_t limit)
{
	uint64_t n = 1;

	while (n < limit && sets % (2 * n) == 0)
		n *= 2;
	return n;
}

static unsigned max_partitions_of_level(const struct an_level *level,
					unsigned limit)
{
	uint64_t groups =
		an_largest_pow2_divisor(level->sets, AN_MAX_SET_GROUPS);

	if (limit > AN_MAX_PARTITIONS)
		limit = AN_MAX_PARTITIONS;
	return groups < limit ? (unsigned)groups : limit;
}

unsigned an_hierarchy_max_partitions(const struct an_geometry *g,
				     unsigned limit)
{
	struct an_hierarchy h;

	reset_hierarchy_and_init_paths(&h, g);
	if (!h.separate_l1)
		return 1;
	return max_partitions_of_level(an_hierarchy_first_level(&h, AN_DATA),
				       limit);
}

bool an_hierarchy_has_separate_simulable_l1s(const struct an_geometry *g)
{
	struct an_hierarchy h;

	reset_hierarchy_and_init_paths(&h, g);
	return h.separate_l1;
}

bool an_path_has_shortest_line_first(const struct an_hierarchy *h, int path)
{
	const struct an_level *level = h->geometry->level;

	for (int i = 1; i < h->depth[path]; i++)
		if (level[h->path[path][i]].line <
		    an_hierarchy_first_level(h, path)->line)
			return false;
	return true;
}

int an_hierarchy_init(struct an_hierarchy *h,
		      const struct an_geometry *geometry)
{
	int err = 0;

	reset_hierarchy_and_init_paths(h, geometry);
	for (int i = 0; i < geometry->n_levels && !err; i++) {
		err = init_cache_of_level(h, i);
		if (geometry->level[i].line < h->smallest_line)
			h->smallest_line = geometry->level[i].line;
	}
	return err;
}

void an_hierarchy_release(struct an_hierarchy *h)
{
	for (int path = 0; path < 2; path++)
		an_l1_release(&h->l1[path]);
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		an_set_assoc_release(&h->ways[i]);
}

int an_hierarchy_fill_below_separate_l1(struct an_hierarchy *h, int path,
					uint64_t addr, unsigned size,
					bool write)
{
	int n = h->separate_l1;

	while (n < h->depth[path] &&
	       an_set_assoc_access_is_miss(&h->ways[h->path[path][n]], addr,
					   size, write))
		n++;
	return n;
}

bool an_hierarchy_ran_out_of_memory(const struct an_hierarchy *h)
{
	bool failed = false;

	for (int i = 0; i < AN_MAX_LEVELS; i++)
		failed |= h->ways[i].failed;
	return failed;
}

uint64_t an_hierarchy_level_writebacks(const struct an_hierarchy *h, int level)
{
	for (int path = 0; h->separate_l1 && path < 2; path++)
		if (level == h->path[path][0])
			return h->l1[path].writebacks;
	return h->ways[level].writebacks;
}

void an_hierarchy_save_lower_writebacks(const struct an_hierarchy *h,
					uint64_t *writebacks)
{
	for (int i = 0; i < h->geometry->n_levels; i++)
		writebacks[i] = h->ways[i].writebacks;
}

void an_hierarchy_restore_lower_writebacks(struct an_hierarchy *h,
					   const uint64_t *writebacks)
{
	for (int i = 0; i < h->geometry->n_levels; i++)
		h->ways[i].writebacks = writebacks[i];
}
