/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation.h - runs batches through a hierarchy
 *
 * Two ways to the same result: reference.c takes one access after the
 * other, d1.c many at one look, where code and data do not share
 * their first level.
 *
 * Threads: an_cachesim_add() and an_cachesim_prepare() on one,
 *          an_cachesim_run() on another meanwhile, an_cachesend_run() on a
 *          third, as analyzer.h says of prepare() and tail(). Each uses what
 *          is its own.
 */
#ifndef ANALYZERS_CACHE_SIMULATION_H
#define ANALYZERS_CACHE_SIMULATION_H

#include "analyzers/cache/jit/compiler.h"
#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/i1_lines.h"
#include "analyzers/cache/parallel/partitions.h"

/* Batches one behind the other; warm ones each by itself. */
struct an_stretch {
	size_t code, data; /* where its misses end */
	bool warm;
};

/* What the stages of a chunk hand on. */
struct an_lane {
	const struct an_plan *plan; /* of all blocks up to now */
	size_t n_plans;
	struct an_misses code;
	struct an_misses data;
	struct an_stretch *stretch; /* in order */
	size_t n_stretches;
	size_t stretches_size;
	size_t stretches_run; /* that have begun to be run */
};

/* How often each instruction of a block, and each access, missed exactly n + 1
   levels: [of them * deepest path]; NULL until one did. */
struct an_counts {
	uint64_t *row[2]; /* of AN_INSTRUCTION, of AN_DATA */
};

struct an_cachesim {
	/* Constant but for the levels: the first one of code is the
	   preparation's, that of data the run's, the others are the tail's. */
	struct an_hierarchy hierarchy;

	/* Of the preparation. An array that has grown too small is kept, for
	   the run may be reading it. */
	struct an_planner planner;
	struct an_plan *plan; /* by id */
	size_t n_plans;
	size_t plans_size;
	struct an_plan **old;
	size_t n_old;
	struct an_codelines codelines;
	uint32_t n_listed; /* batches, see i1.c ... */
	uint32_t *seen;	   /* ... by id: the last one that executed it, and by
			      which exit; [plans_size] */
	bool calm;	   /* the last batch missed no code */
	bool code_narrows; /* a level behind has shorter lines than the first */
	uint16_t *heavy; /* by id: accesses, or 0 when there is no more than one
			    a byte of its units; [plans_size] */
	bool any_heavy;

	/* Of the preparation, then of the run or the parts, then of the tail. */
	struct an_lane lane[AN_LANES];

	struct an_parts parts;

	/* Of the run; in parts, of the preparation. */
	struct an_compiler compiler; /* of data */

	/* Of the run; in parts, of the join. */
	struct an_misses *gathered; /* data of the chunk: its lane's; of the run
				       only */
	int error;		    /* 0 or -errno */

	/* Of the tail; access by access, of the run. */
	struct an_counts *misses; /* by id */
	size_t misses_size;
	int count_error; /* 0 or -errno */
};

/* 0 or -ENOMEM; an_cachesim_release() in both cases. @parts: to work in, less
   than 2: none. */
int an_cachesim_init(struct an_cachesim *, const struct an_env *,
		     unsigned parts);
void an_cachesim_release(struct an_cachesim *);

/* All: 0 or -ENOMEM. */
int an_cachesim_add(struct an_cachesim *, const struct an_block *);
int an_cachesim_prepare(struct an_cachesim *, const struct an_batch *);
int an_cachesim_run(struct an_cachesim *, const struct an_batch *);

/* Its two ways. */
int an_cacheorder_run(struct an_cachesim *, const struct an_batch *);
int an_cachecode_prepare(struct an_cachesim *, const struct an_batch *);
int an_cachequick_run(struct an_cachesim *, const struct an_batch *);

/* In parts, instead of an_cachequick_run(). Of the preparation: a chunk
   begins. */
enum an_course an_spread_begin(struct an_cachesim *,
			       const struct an_batch *chunk);
int an_spread_run(struct an_cachesim *, const struct an_batch *);
int an_part_run(struct an_cachesim *, const struct an_batch *chunk,
		unsigned part);
int an_part_join(struct an_cachesim *, const struct an_batch *chunk);

/* The tail: sends on what missed in a chunk, in program order, and empties its
   lane. Return: 0 or -ENOMEM. */
int an_cachesend_run(struct an_cachesim *, const struct an_batch *chunk);

/* Which of @n stretches a batch belongs to, a new one perhaps; there is room
   for it. */
static inline struct an_stretch *an_lane_stretch(struct an_lane *l, size_t *n,
						 bool warm)
{
	if (*n == 0 || warm || l->stretch[*n - 1].warm)
		l->stretch[(*n)++].warm = warm;
	return &l->stretch[*n - 1];
}

/* The counters of a block's path, NULL if there are none yet. */
static inline uint64_t *an_cachesim_rows(const struct an_cachesim *s,
					 uint32_t id, int path)
{
	return id < s->misses_size ? s->misses[id].row[path] : NULL;
}

/* Now there are; NULL and an error when memory is short. Context: the counters
   are the tail's, or, access by access, the run's. */
uint64_t *an_cachesim_new_rows(struct an_cachesim *, const struct an_block *,
			       int path);

/* The counters of instruction or access @row: of misses of one level, of two
   and so on; NULL if there are none yet. */
static inline uint64_t *an_cachesim_counters(const struct an_cachesim *s,
					     uint32_t id, int path,
					     unsigned row)
{
	uint64_t *rows = an_cachesim_rows(s, id, path);

	return rows ? rows + row * s->hierarchy.deepest : NULL;
}

/* One more execution of instruction or access @row of block @id, whose plan is
   looked at the first time only, has missed @levels levels. */
static inline void an_cachesim_count(struct an_cachesim *s,
				     const struct an_plan *plan, uint32_t id,
				     int path, unsigned row, int levels)
{
	if (an_cachesim_rows(s, id, path) == NULL)
		an_cachesim_new_rows(s, plan->data->block, path);
	if (an_cachesim_rows(s, id, path) != NULL)
		an_cachesim_counters(s, id, path, row)[levels - 1]++;
}

#endif
