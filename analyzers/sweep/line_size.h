/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_size.h - simulates the caches of a sweep that have one line size
 *
 * All of them get the same accesses: all accesses, or the misses of the levels
 * above, which are simulated as configured. Accesses are cut to the smallest
 * line of any level, so each line size needs its own simulation of the levels
 * above.
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

struct an_sweepline {
	uint32_t size; /* of a line [bytes] */
	struct an_geometry
		geometry; /* the levels above; the swept level has this
				    line size, and the levels below are not
				    used */
	struct an_hierarchy upper_levels;
	bool on_path[2]; /* by path: whether it reaches the swept level */
	bool has_no_upper_level; /* no levels above: accesses enter at the swept
			    level */
	struct an_forest *forest;
	unsigned n_forests;
	struct an_planner planner;
	struct an_plan *plan; /* by block id */
	size_t n_plans;
	size_t plans_size;
	uint64_t upper_misses
		[2]; /* accesses that missed the levels above, by enum
			       an_sweep_kind */
	bool warm;   /* warm-up: misses are not counted */
};

/**
 * an_sweepline_init() - Create the caches of one line size.
 * @shape: [n] caches of one line size, sorted by sets and then by
 *         associativity.
 *
 * Return: 0 or -ENOMEM; call an_sweepline_release() in both cases.
 */
int an_sweepline_init(struct an_sweepline *, const struct an_geometry *,
		      const struct an_shape *const *shape, unsigned n);
void an_sweepline_release(struct an_sweepline *);

/* Add a block. Return: 0 or -ENOMEM. */
int an_sweepline_add(struct an_sweepline *, const struct an_block *);

/* Simulate a batch. Return: 0; -EOVERFLOW if the program uses too many regions,
   see analyzers/lru/line_ids.h. */
int an_sweepline_run(struct an_sweepline *, const struct an_batch *);

/* Simulate a batch if the levels above have separate first levels. */
void an_sweepline_run_separate(struct an_sweepline *, const struct an_batch *);

/* Pass an access on: first to the other levels above, unless it enters the
   sweep directly, and then to the caches. */
void an_sweepline_send(struct an_sweepline *, int path, struct an_ref,
		       enum an_sweep_kind);

/* Return the counts of one of the caches. Call after the last batch. */
struct an_sweepcount an_sweepline_count(const struct an_sweepline *,
					const struct an_shape *);

#endif
