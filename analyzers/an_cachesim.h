/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cachesim.h - runs batches through a hierarchy
 *
 * Room:    analyzers.
 * Used by: an_cache.c.
 *
 * Nine accesses of ten use the line that their set used last, and change
 * nothing. So a whole execution is first held against the last used lines;
 * where all agree it changes nothing in whatever order, and is done. (A group
 * of accesses of which some write asks for dirty lines: too much, but what
 * fails is only simulated in full.)
 *
 * Code agrees as long as no code has changed a level since it last did.
 *
 * Instruction and data levels are apart, so the order between them matters
 * only where something goes on to a common level: when code misses its first
 * level, the execution is simulated access by access in program order. Where
 * the first level is one for both, all are.
 */
#ifndef AN_CACHESIM_H
#define AN_CACHESIM_H

#include "analyzers/an_cacheblock.h"

struct an_cachesim {
	struct an_hierarchy hierarchy;
	struct an_cacheblock **block; /* by id */
	size_t n_blocks;
	size_t size;
	bool in_order; /* the geometry leaves no choice: no quick test */
	uint32_t code_changes; /* times that code changed its first level */
};

/* 0 or -ENOMEM; an_cachesim_release() in both cases. */
int an_cachesim_init(struct an_cachesim *, const struct an_geometry *);
void an_cachesim_release(struct an_cachesim *);

/* 0 or -ENOMEM. */
int an_cachesim_add(struct an_cachesim *, const struct an_block *);

void an_cachesim_run(struct an_cachesim *, const struct an_batch *);

#endif
