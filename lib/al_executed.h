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
	uint32_t cut_id;     /* a cut block's: of what block, */
	uint64_t cut_how;    /* and where, see pt_cut() */
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
	void *cuts; /* those of them that are cut, a tree by id and how */
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

/**
 * al_executed_cut() - A block stopped by a fault, added if it is not there.
 * @id: the tool's, of the whole block.
 * @how: where it was stopped, see pt_cut().
 *
 * A program may take the same fault a million times: they are one block.
 *
 * Return: NULL with errno set: EPROTO when the block has no such part, ENOMEM.
 */
struct al_block *al_executed_cut(struct al_executed *, const struct al_blocks *,
				 uint32_t id, uint64_t how);

/* Takes those that came since this was last called; @first is the first of
   them. Return: how many. */
uint32_t al_executed_take(struct al_executed *, const struct al_block **first);

#endif
