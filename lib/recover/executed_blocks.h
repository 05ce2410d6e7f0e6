/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * executed_blocks.h - the blocks that an image has executed
 *
 * Threads: one at a time. Blocks stay where they are, and but for their
 *          counters as they are.
 *
 * In what order they come depends on which chunk was recovered first, so their
 * numbers are for looking them up and nothing else.
 *
 * Where there are windows, a block that threads of two classes
 * (thread_filter.h) execute is two blocks here, and of each there is just what
 * its threads' lanes want. A view (lib/pipeline/consumer.h) that does not get
 * all has its own blocks, each of what it gets of a block of the image's.
 */
#ifndef LIB_RECOVER_EXECUTED_BLOCKS_H
#define LIB_RECOVER_EXECUTED_BLOCKS_H

#include "analyzers/analyzer.h"
#include "lib/recover/blocks.h"
#include "lib/recover/thread_filter.h"

struct al_block {
	struct an_block pub;
	struct al_block *next; /* executed first after it */
	const struct al_desc *desc;
	struct al_desc *own; /* a cut or narrow block's, to free */
	uint64_t lanes;	     /* of a view's: that it gets */
	unsigned class;	     /* of the threads that execute it */
	bool is_cut;	     /* by a fault: */
	uint32_t cut_id;     /* of what block, */
	uint64_t cut_how;    /* and where, see pt_cut() */
	uint64_t *left;	     /* [n_exits] */
	uint64_t *skipped;   /* [n_accesses] or NULL */
};

/* Blocks of one class. */
struct al_numbers {
	uint32_t *number; /* by the tool's id: number + 1; 0: not met;
			     AL_UNWANTED: nobody wants it */
	uint32_t n;
};

#define AL_UNWANTED UINT32_MAX

/* Zeroed but for the lanes: none. */
struct al_executed {
	struct al_block **block; /* by number */
	uint32_t n;
	uint32_t size;
	const struct al_lanes *lanes; /* NULL: everything is everybody's */
	struct al_numbers *numbers;   /* of each class */
	void *cuts; /* those of them that are cut, a tree by id and how; of a
		       view's: all */
	uint64_t part_bytes; /* [bytes] of cuts and warm blocks, AL_MOST_PARTS
				at most */
	struct al_block *last;
	struct al_block *fresh; /* the first that nobody has taken yet */
};

void al_executed_release(struct al_executed *);

/**
 * al_executed_find() - A block of the tool's, added if it is not there.
 * @id: the tool's.
 * @class: of the thread that executes it.
 * @out: receives it; NULL: none of the thread's lanes wants it.
 *
 * Return: 0; -ENOMEM.
 */
int al_executed_find(struct al_executed *, const struct al_blocks *,
		     uint32_t id, unsigned class, struct al_block **out);

/**
 * al_executed_cut() - A block stopped by a fault, added if it is not there.
 * @id: the tool's, of the whole block.
 * @how: where it was stopped, see pt_cut().
 *
 * A program may take the same fault a million times: they are one block.
 *
 * Return: 0, @class and @out as above; -EPROTO when the block has no such part;
 *         -AL_E_PARTS; -ENOMEM.
 */
int al_executed_cut(struct al_executed *, const struct al_blocks *, uint32_t id,
		    uint64_t how, unsigned class, struct al_block **out);

/**
 * al_executed_own() - A view's own of a block, added if it is not there.
 * @of: the image's. Those of several classes may have one.
 * @lanes: that the view gets, of those that its threads are in.
 *
 * Return: 0 and @out as above; -ENOMEM.
 */
int al_executed_own(struct al_executed *, const struct al_block *of,
		    uint64_t lanes, struct al_block **out);

/* Adds to what a view's own has counted what one of its image's has, which is
   settled. */
void al_executed_settle(struct al_block *own, const struct al_block *of);

/* The lanes that a thread of a class is in. */
static inline uint64_t al_executed_lanes(const struct al_executed *x,
					 unsigned class)
{
	return x->lanes ? x->lanes->class[class].lanes : UINT64_MAX;
}

/* Add a block for warm batches, which nobody counts. @own: its descriptor, which
   is freed with it. Return: NULL with errno ENOMEM or AL_E_PARTS: @own is not
   freed. */
struct al_block *al_executed_warm(struct al_executed *, struct al_desc *own);

/* Takes those that came since this was last called; @first is the first of
   them. Return: how many. */
uint32_t al_executed_take(struct al_executed *, const struct al_block **first);

#endif
