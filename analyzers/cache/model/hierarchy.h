/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hierarchy.h - connects cache levels to a hierarchy
 *
 * Cachegrind's rules: an access that misses at a level, in any of its lines,
 * goes to the next level with all of its lines. Instructions and data each have
 * a path of levels; the paths may join.
 *
 * If the paths have separate first levels that struct an_l1 can simulate, as in
 * today's processors, the first levels are struct an_l1, and the caller
 * simulates them; the functions here simulate the lower levels.
 */
#ifndef ANALYZERS_CACHE_MODEL_HIERARCHY_H
#define ANALYZERS_CACHE_MODEL_HIERARCHY_H

#include "analyzers/cache/model/l1.h"

struct an_hierarchy {
	const struct an_geometry *geometry;
	bool separate_l1;   /* code and data have separate first levels that
			       struct an_l1 can simulate, in l1[]; false: l1[]
			       is unused */
	struct an_l1 l1[2]; /* by path: AN_INSTRUCTION, AN_DATA */
	struct an_set_assoc
		ways[AN_MAX_LEVELS + 1]; /* by level index, except levels in
					    l1[]; ways[AN_MAX_LEVELS] is an
					    empty dummy */
	unsigned smallest_line;		 /* [bytes] shortest line of all
						   levels */
	int depth[2];			 /* by path: number of levels */
	unsigned max_depth;		 /* depth[] of the longer path */
	int path[2][AN_MAX_LEVELS];	 /* level indices, first level first */
	/* by path: first level that
	   an_hierarchy_use_below_l1_missed_count() simulates */
	struct an_set_assoc *entry_level[2];
};

/* Initialise an empty hierarchy. @geometry must outlive it. Return: 0 or
   -ENOMEM; call an_hierarchy_release() in both cases. */
int an_hierarchy_init(struct an_hierarchy *,
		      const struct an_geometry *geometry);
void an_hierarchy_release(struct an_hierarchy *);

/* Return the number of partitions that the first level of data can have, at
   most @limit and AN_MAX_PARTITIONS; 1: it cannot be partitioned. */
unsigned an_hierarchy_max_partitions(const struct an_geometry *,
				     unsigned limit);

/* Whether code and data have separate first levels that struct an_l1 can
   simulate. */
bool an_hierarchy_has_separate_simulable_l1s(const struct an_geometry *);

/* Return the first level of @path. */
static inline const struct an_level *
an_hierarchy_first_level(const struct an_hierarchy *h, int path)
{
	return &h->geometry->level[h->path[path][0]];
}

/* Whether no lower level of a path has shorter lines than the first. */
bool an_path_has_shortest_line_first(const struct an_hierarchy *, int path);

/* Simulate an access that an_hierarchy_use_below_l1_missed_count() did not find
   to be of the most recently used line of a set of its first simulated level.
   Parameters and return: as there. */
int an_hierarchy_fill_below_separate_l1(struct an_hierarchy *, int path,
					uint64_t addr, unsigned size,
					bool write);

/**
 * an_hierarchy_use_below_l1_missed_count() - Simulate an access
 * in the levels of @path until one holds the line. A separate first level is
 * not simulated: the access is taken to have missed it.
 * @path: AN_INSTRUCTION or AN_DATA.
 * @size: [bytes] 1..smallest line.
 * @write: makes its lines dirty in each level that it reaches.
 *
 * Return: number of levels that missed, the separate first level included.
 */
static inline int
an_hierarchy_use_below_l1_missed_count(struct an_hierarchy *h, int path,
				       uint64_t addr, unsigned size, bool write)
{
	struct an_set_assoc *w = h->entry_level[path];

	if (an_set_assoc_is_access_in_one_line(w, addr, size) &&
	    an_set_assoc_try_touch_mru(w, addr >> w->shift, write))
		return h->separate_l1;
	return an_hierarchy_fill_below_separate_l1(h, path, addr, size, write);
}

/* Prefetch the set of an access that will be simulated soon. Always inlined,
   like the function it calls: gcc drops calls of a function that only
   prefetches. */
static inline __attribute__((always_inline)) void
an_hierarchy_host_prefetch_set(const struct an_hierarchy *h, int path,
			       uint64_t addr)
{
	an_set_assoc_host_prefetch_set(h->entry_level[path], addr);
}

/* Whether memory was short in any level, so that results are wrong. Valid for a
   zeroed hierarchy, too: false. */
bool an_hierarchy_ran_out_of_memory(const struct an_hierarchy *);

uint64_t an_hierarchy_level_writebacks(const struct an_hierarchy *, int level);

/* Copy the write-back counts of all levels, except separate first levels, to
   the array @writebacks [AN_MAX_LEVELS]; the second function sets the counts
   from this array again. */
void an_hierarchy_save_lower_writebacks(const struct an_hierarchy *,
					uint64_t *writebacks);
void an_hierarchy_restore_lower_writebacks(struct an_hierarchy *,
					   const uint64_t *writebacks);

enum {
	AN_MAX_SET_GROUPS = 256
}; /* maximum of set groups that can be assigned to
			     partitions */

/* Return the largest power of two that divides @sets and is at most @limit, a
   power of two. The numbers of all lines of one set are equal modulo the
   returned number. */
uint64_t an_largest_pow2_divisor(uint64_t sets, uint64_t limit);

#endif
