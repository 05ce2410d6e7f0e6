/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_executed.h - the blocks that an image has executed
 *
 * Room:    lib.
 * Used by: al_recover.c (adds), al_stream.c, al_analyst.c, al_counts.c.
 * Threads: one at a time. Blocks stay where they are, and but for their
 *          counters as they are.
 *
 * In what order they come depends on which chunk was recovered first, so their
 * numbers are for looking them up and nothing else.
 */
#ifndef AL_EXECUTED_H
#define AL_EXECUTED_H

#include "analyzers/analyzer.h"
#include "lib/al_blocks.h"

struct al_block {
	struct an_block pub;
	struct al_block *next; /* executed first after it */
	const struct al_desc *desc;
	struct al_desc *own; /* a cut block's, to free */
	uint64_t *left;	     /* [n_exits] */
	uint64_t *skipped;   /* [n_accesses] or NULL */
};

/* Zeroed: none. */
struct al_executed {
	struct al_block **block; /* by number */
	uint32_t n;
	uint32_t size;
	uint32_t *number; /* by the tool's id: number + 1, or 0 */
	uint32_t n_numbers;
	struct al_block *last;
	struct al_block *fresh; /* the first that nobody has taken yet */
};

void al_executed_release(struct al_executed *);

/**
 * al_executed_find() - A block of the tool's, added if it is not there.
 * @id: the tool's.
 *
 * Return: NULL when memory is short.
 */
struct al_block *al_executed_find(struct al_executed *,
				  const struct al_blocks *, uint32_t id);

/* Adds a block of its own. NULL when memory is short; else it owns @d. */
struct al_block *al_executed_cut(struct al_executed *, struct al_desc *d);

/* Takes those that came since this was last called; @first is the first of
   them. Return: how many. */
uint32_t al_executed_take(struct al_executed *, const struct al_block **first);

#endif
