/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simpoint.h - state of the analysis of representative intervals
 */
#ifndef ANALYZERS_SIMPOINT_SIMPOINT_H
#define ANALYZERS_SIMPOINT_SIMPOINT_H

#include "analyzers/block_list.h"
#include "analyzers/cache/model/access_runs.h"
#include "analyzers/lru/set_assoc.h"

/* Cachegrind's events, in its order. */
enum an_event {
	AN_EVENT_IR,
	AN_EVENT_I1MR,
	AN_EVENT_ILMR,
	AN_EVENT_DR,
	AN_EVENT_D1MR,
	AN_EVENT_DLMR,
	AN_EVENT_DW,
	AN_EVENT_D1MW,
	AN_EVENT_DLMW,
	AN_EVENTS
};

struct an_event_counts {
	uint64_t n[AN_EVENTS];
};

/* Simulated caches, whose accesses and misses are counted as events. Initialise
   with zeros. */
struct an_event_caches {
	const struct an_geometry *geometry;
	struct an_set_assoc level[AN_MAX_LEVELS];
	unsigned smallest_line; /* [bytes] */
};

/* Make all caches empty. The caches must be zeroed or initialised. @geometry:
   must outlive them. Return: 0 or -ENOMEM. */
int an_event_caches_release_and_init(struct an_event_caches *,
				     const struct an_geometry *geometry);
void an_event_caches_release(struct an_event_caches *);

/* Whether memory was short in the simulation of any of the caches, so that the
   counts are wrong. */
bool an_event_caches_ran_out_of_memory(const struct an_event_caches *);

/* Simulate an execution of a block, and add its events to @counts. */
void an_event_caches_simulate_add_counts(struct an_event_caches *,
					 const struct an_block *,
					 const struct an_batch *,
					 struct an_exec,
					 struct an_event_counts *counts);

/* An interval that represents a cluster. */
struct an_sample_point {
	uint64_t interval; /* its number in the run, from 0 */
	uint64_t start;	   /* instructions of the run before the interval */
	uint64_t length;   /* instructions */
	uint64_t instrs;   /* instructions of all intervals of the cluster that
			      this one represents */
	struct an_event_counts counts;
};

/**
 * an_sample_points_parse() - Parse the value of the option `points`.
 * @text: "INTERVAL/START/LENGTH/INSTRUCTIONS" in decimal, the first four
 *        members of struct an_sample_point; several are joined by '+', in
 *        ascending order of START, without overlap.
 * @points_out: receives an array of @n_out, to be freed with free().
 *
 * Return: 0; -EINVAL; -ENOMEM.
 */
int an_sample_points_parse(const char *text,
			   struct an_sample_point **points_out, size_t *n_out);

struct an_simpoint {
	const struct an_env *env;
	struct an_block_list blocks;
	uint64_t interval;   /* requested length [instructions] */
	uint64_t run_instrs; /* of the run that the intervals are of; 0: not
				known */
	uint64_t warmup;     /* [instructions] before each interval */
	bool has_own_caches; /* the intervals are simulated apart from the run,
				from their warm-up on */
	bool has_truth;	     /* the whole run is simulated */
	struct an_sample_point *point; /* [n_points] in order of time */
	size_t n_points;
	size_t next_point; /* index of the first point whose interval has not
			      ended */
	uint64_t instrs;   /* instructions of the run executed so far */
	bool is_sampling;  /* the last execution was of a point or its
				 warm-up */
	struct an_event_caches of_run;
	struct an_event_caches of_points;
	struct an_event_counts total; /* of the run */
	bool is_merged;		      /* there are several images: no result */
};

/* Build the result. @state: struct an_simpoint. */
void an_simpoint_add_result_to_model(const void *state, struct al_model *);

#endif
