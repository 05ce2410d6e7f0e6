/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_hierarchy.h - cache levels one behind the other
 *
 * Room:    analyzers.
 * Used by: an_cache.c, an_cacheresult.c.
 *
 * Cachegrind's rules: an access that misses at a level, in any of its lines,
 * goes on to the next with all of its lines. Instructions and data have a
 * path each, which may join.
 */
#ifndef AN_HIERARCHY_H
#define AN_HIERARCHY_H

#include "analyzers/an_level.h"

struct an_hierarchy {
	const struct an_geometry *geometry;
	struct an_ways ways[AN_MAX_LEVELS];
	unsigned smallest_line; /* [bytes] of any level */
	int depth[2];		/* levels on the path of AN_INSTRUCTION and of
				   AN_DATA */
	int path[2][AN_MAX_LEVELS]; /* indices, first level first */
};

/* 0 or -ENOMEM; an_hierarchy_release() in both cases. */
int an_hierarchy_init(struct an_hierarchy *, const struct an_geometry *);
void an_hierarchy_release(struct an_hierarchy *);

/* The level that a path's accesses meet first. */
static inline struct an_ways *an_hierarchy_first(struct an_hierarchy *h,
						 int path)
{
	return &h->ways[h->path[path][0]];
}

/**
 * an_hierarchy_below() - An access has missed its first level: send it on.
 * @path: AN_INSTRUCTION or AN_DATA.
 * @size: [bytes] 1..smallest line.
 * @write: lines that it reaches become dirty.
 *
 * Return: number of levels that missed, the first included.
 */
int an_hierarchy_below(struct an_hierarchy *, int path, uint64_t addr,
		       unsigned size, bool write);

#endif
