/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_size.h - the caches of a sweep that have one line size
 *
 * All of them see the same accesses: those that enter there, or what levels
 * above, which are simulated as they are, miss. Accesses are cut to the
 * smallest line of any level, and so each line size has levels above of its
 * own.
 */
#ifndef ANALYZERS_SWEEP_LINE_SIZE_H
#define ANALYZERS_SWEEP_LINE_SIZE_H

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/sweep/forest.h"

/* Of one cache. A modify counts as a read, and so does a fetch. */
struct an_sweepcount {
	uint64_t accesses[2]; /* by enum an_sweep_kind */
	uint64_t misses[2];
};

struct an_sweepline {
	uint32_t size;		 /* of a line [bytes] */
	struct an_geometry view; /* no more than one cache of the sweep, and
				    no level below it */
	struct an_hierarchy above;
	bool on_path[2]; /* whether it takes instructions, and data */
	bool enters;	 /* there are no levels above */
	struct an_forest *forest;
	unsigned n_forests;
	struct an_planner planner;
	struct an_plan *plan; /* by id */
	size_t n_plans;
	size_t plans_size;
	uint64_t missed[2]; /* by the levels above */
	bool warm;	    /* but for what misses now */
};

/**
 * an_sweepline_init() - Make the caches.
 * @shape: [n] of one line size, by sets and then by associativity.
 *
 * Return: 0 or -ENOMEM; an_sweepline_release() in both cases.
 */
int an_sweepline_init(struct an_sweepline *, const struct an_geometry *,
		      const struct an_shape *const *shape, unsigned n);
void an_sweepline_release(struct an_sweepline *);

/* 0 or -ENOMEM. */
int an_sweepline_add(struct an_sweepline *, const struct an_block *);

/* 0; -EOVERFLOW: the program uses too many regions, see
   analyzers/lru/line_ids.h. */
int an_sweepline_run(struct an_sweepline *, const struct an_batch *);

/* Its ways: where levels above begin apart; and on from there, or from where
   accesses enter, to the caches. */
void an_sweepbelow_run(struct an_sweepline *, const struct an_batch *);
void an_sweepline_send(struct an_sweepline *, int path, struct an_ref,
		       enum an_sweep_kind);

/* What one of the caches did, once no block is executed any more. */
struct an_sweepcount an_sweepline_count(const struct an_sweepline *,
					const struct an_shape *);

#endif
