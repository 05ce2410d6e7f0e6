/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_size.h - simulates the caches of a sweep that have one line size
 *
 * All of these caches get the same accesses: all accesses, or the misses of the
 * levels above, which are simulated as configured. Accesses are cut to the
 * smallest line of any level, so each line size needs its own simulation of the
 * levels above.
 */
#ifndef ANALYZERS_SWEEP_LINE_SIZE_H
#define ANALYZERS_SWEEP_LINE_SIZE_H

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/sweep/forest.h"

/* Counts of one cache. A fetch counts as a read, and so does a modify. */
struct an_sweepcount {
	uint64_t accesses[2]; /* by enum an_sweep_kind */
	uint64_t misses[2];
};

/* The caches of a sweep that have one line size, and the levels above them. */
struct an_line_size {
	uint32_t size; /* [bytes] of a line */
	struct an_geometry
		geometry; /* levels above as configured; the swept level has
			     this line size, and levels below are not used */
	struct an_hierarchy upper_levels;
	bool on_path[2]; /* [by path: AN_INSTRUCTION, AN_DATA] whether the path
			    leads to the swept level */
	bool has_no_upper_level; /* no level is above the swept one on any
				    path */
	struct an_forest *forest;
	unsigned n_forests;
	struct an_planner planner;
	struct an_plan *plan; /* [n_plans] by block id */
	size_t n_plans;
	size_t plans_size;
	uint64_t upper_misses
		[2]; /* accesses that missed the levels above, by enum
			       an_sweep_kind */
	bool warm;   /* warm-up: misses are not counted */
};

/**
 * an_line_size_create_caches_of_shapes() - Create the caches of one line size.
 * @shape: [n_shapes] caches of one line size, sorted by sets and then by
 *         associativity.
 *
 * Return: 0 or -ENOMEM; call an_line_size_release_caches() in both cases.
 */
int an_line_size_create_caches_of_shapes(struct an_line_size *,
					 const struct an_geometry *,
					 const struct an_shape *const *shape,
					 unsigned n_shapes);
void an_line_size_release_caches(struct an_line_size *);

/* Create the plan of a block. Blocks are added in the order of their ids.
   Return: 0 or -ENOMEM. */
int an_line_size_add_plan_of_block(struct an_line_size *,
				   const struct an_block *);

/* Simulate a batch. Return: 0; -EOVERFLOW if the program uses too many regions,
   see analyzers/lru/line_ids.h. */
int an_line_size_simulate_batch(struct an_line_size *, const struct an_batch *);

/* Simulate a batch. For use only if code and data have separate first levels
   above the swept level. */
void an_line_size_simulate_separate_l1s(struct an_line_size *,
					const struct an_batch *);

/* Simulate an access first in the levels above the swept one, then, if it
   missed in all of them, in the swept caches. If first levels are separate, the
   caller has simulated them, and calls this only after a miss.
   @code_or_data_path: AN_INSTRUCTION or AN_DATA. */
void an_line_size_simulate_access(struct an_line_size *, int code_or_data_path,
				  struct an_ref, enum an_sweep_kind);

/* Return the accesses and misses of the cache with the given shape. Call after
   the last batch. */
struct an_sweepcount
an_line_size_count_accesses_and_misses(const struct an_line_size *,
				       const struct an_shape *);

#endif
