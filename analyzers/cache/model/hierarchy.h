/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hierarchy.h - cache levels one behind the other
 *
 * Cachegrind's rules: an access that misses at a level, in any of its lines,
 * goes on to the next with all of its lines. Instructions and data have a
 * path each, which may join.
 *
 * Where the paths begin apart, as they do in the caches of today, their first
 * levels are of the quick kind, and what happens there is the caller's matter.
 */
#ifndef ANALYZERS_CACHE_MODEL_HIERARCHY_H
#define ANALYZERS_CACHE_MODEL_HIERARCHY_H

#include "analyzers/cache/model/l1.h"

struct an_hierarchy {
	const struct an_geometry *geometry;
	bool apart;		  /* first[] is used */
	struct an_first first[2]; /* of AN_INSTRUCTION and of AN_DATA */
	struct an_ways ways[AN_MAX_LEVELS + 1]; /* the others; an empty one */
	unsigned smallest_line;			/* [bytes] of any level */
	int depth[2];	  /* levels on the path of AN_INSTRUCTION and of
				   AN_DATA */
	unsigned deepest; /* depth[] of the longer one */
	int path[2][AN_MAX_LEVELS]; /* indices, first level first */
	struct an_ways *entry[2];   /* where a path's accesses go first */
};

/* 0 or -ENOMEM; an_hierarchy_release() in both cases. */
int an_hierarchy_init(struct an_hierarchy *, const struct an_geometry *);
void an_hierarchy_release(struct an_hierarchy *);

/* How many parts, of @wanted, the first level of data can be cut into; 1:
   none. */
unsigned an_hierarchy_parts(const struct an_geometry *, unsigned wanted);

/* The level of the geometry that a path's accesses meet first. */
static inline const struct an_level *
an_hierarchy_first(const struct an_hierarchy *h, int path)
{
	return &h->geometry->level[h->path[path][0]];
}

/* Whether no level of a path has shorter lines than its first. */
bool an_hierarchy_widens(const struct an_hierarchy *, int path);

/* an_hierarchy_access(), whatever it uses. */
int an_hierarchy_search(struct an_hierarchy *, int path, uint64_t addr,
			unsigned size, bool write);

/**
 * an_hierarchy_access() - Simulate an access; where paths begin apart, one
 *                         that missed its first level.
 * @path: AN_INSTRUCTION or AN_DATA.
 * @size: [bytes] 1..smallest line.
 * @write: lines that it reaches become dirty.
 *
 * Return: number of levels that missed.
 */
static inline int an_hierarchy_access(struct an_hierarchy *h, int path,
				      uint64_t addr, unsigned size, bool write)
{
	struct an_ways *w = h->entry[path];

	if (an_ways_has_whole(w, addr, size) &&
	    an_ways_again(w, addr >> w->shift, write))
		return h->apart;
	return an_hierarchy_search(h, path, addr, size, write);
}

/* An access that will come soon. Always inlined, as is what it calls: of a
   function that only prefetches, gcc thinks that calls can be left out. */
static inline __attribute__((always_inline)) void
an_hierarchy_prefetch(const struct an_hierarchy *h, int path, uint64_t addr)
{
	an_ways_prefetch(h->entry[path], addr);
}

/* Whether memory was short, and results are wrong; zeroed: no. */
bool an_hierarchy_failed(const struct an_hierarchy *);

uint64_t an_hierarchy_writebacks(const struct an_hierarchy *, int level);

/* Those of all levels [AN_MAX_LEVELS], where paths begin apart of all but their
   first; and back to what they were. */
void an_hierarchy_note(const struct an_hierarchy *, uint64_t *writebacks);
void an_hierarchy_reset(struct an_hierarchy *, const uint64_t *writebacks);

enum { AN_GROUPS = 256 }; /* of sets that are simulated apart, at most */

/* The largest power of two that divides the number of sets, @most at most:
   lines of a set have the same number modulo that. */
uint64_t an_even_share(uint64_t sets, uint64_t most);

#endif
