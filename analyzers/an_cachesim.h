/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cachesim.h - runs batches through a hierarchy
 *
 * Room:    analyzers.
 * Used by: an_cache.c.
 *
 * Two ways to the same result: an_cacheorder.c takes one access after the
 * other, an_cachequick.c many at one look, where code and data do not share
 * their first level.
 */
#ifndef AN_CACHESIM_H
#define AN_CACHESIM_H

#include "analyzers/an_cacheblock.h"

/* An access that missed its first level, on the way to the next. */
struct an_miss {
	uint64_t addr;
	uint64_t *row;	/* its counters */
	uint64_t order; /* rises in the batch */
	uint8_t size;	/* [bytes] */
	bool write;
};

struct an_misses {
	struct an_miss *miss;
	size_t n;
	size_t size;
};

struct an_cachesim {
	struct an_hierarchy hierarchy;
	struct an_cacheblock *block; /* by id */
	struct an_plan **plan;	     /* by id */
	size_t n_blocks;
	size_t size;		    /* of both arrays */
	struct an_misses misses[2]; /* of the batch: code's and data's */
	int error;		    /* 0 or -errno */
};

/* 0 or -ENOMEM; an_cachesim_release() in both cases. */
int an_cachesim_init(struct an_cachesim *, const struct an_geometry *);
void an_cachesim_release(struct an_cachesim *);

/* 0 or -ENOMEM. */
int an_cachesim_add(struct an_cachesim *, const struct an_block *);

/* 0 or -ENOMEM. */
int an_cachesim_run(struct an_cachesim *, const struct an_batch *);

/* Its two ways. */
int an_cacheorder_run(struct an_cachesim *, const struct an_batch *);
int an_cachequick_run(struct an_cachesim *, const struct an_batch *);

#endif
