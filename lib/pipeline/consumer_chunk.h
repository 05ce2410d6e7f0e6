/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer_chunk.h - what the analyses of a view get of a piece
 *
 * Threads: as the piece.
 *
 * A view (consumer.h) of the whole stream gets all of a piece, as it is. Others
 * get executions of blocks of their own, in arrays of their own. Slots are where
 * the piece has them; those of warm batches are the share's.
 */
#ifndef LIB_PIPELINE_CONSUMER_CHUNK_H
#define LIB_PIPELINE_CONSUMER_CHUNK_H

#include "analyzers/analyzer.h"
#include "lib/config/settings.h"

struct al_block;
struct al_piece;

/* Executions of a warm batch. */
struct al_stretch {
	size_t before; /* execution of the share */
	size_t n;
	uint32_t *words; /* slots */
	size_t n_words;
	size_t words_size;
	struct an_exec exec[AN_BATCH];
};

/* Where the next batch begins. */
struct al_share_at {
	size_t execs;
	size_t warm;
};

struct al_share {
	const uint32_t *base;
	unsigned lane;		      /* see analyzer.h */
	const struct al_block *block; /* of those to be told now, the first */
	uint32_t n_blocks;
	const struct an_exec *exec;
	size_t n_execs;
	struct an_mark *mark; /* before: counted from the share's start */
	size_t n_marks;
	struct al_stretch **warm; /* in order */
	size_t n_warm;
	size_t warm_size;
	bool whole; /* it is for batch(), of analyses in parts too */

	int error[AL_MAX_ANALYSES]; /* of analyses stopped in what was done so
				       far with this piece, or in analysing the
				       one before in this lane */
	int part_error[AL_MAX_ANALYSES]; /* the same, in parts */

	/* What al_share_batch() has given out. */
	struct al_share_at done;
	size_t marks_done;

	/* Of a view that does not get all. */
	struct an_exec *own_exec;
	size_t execs_size;
	struct an_mark *own_mark;
	size_t marks_size;
};

/* It is all of the piece, which stays as long. */
void al_share_all(struct al_share *, const struct al_piece *);

/* It is nothing of it. */
void al_share_none(struct al_share *);

/**
 * al_share_some() - The executions of blocks of which the view has its own.
 * @own: [by block of the piece] 1 + the number of the view's; 0: it has none.
 *
 * Marks are all of the piece; blocks are for the caller to set.
 *
 * Return: 0; -ENOMEM.
 */
int al_share_some(struct al_share *, const struct al_piece *,
		  const uint32_t *own);

/* Appends an execution for warm batches before execution @before, which is not
   less than the last one's. @slots: [n] [4 bytes]; copied. 0; -ENOMEM. */
int al_share_warm(struct al_share *, size_t before, uint32_t block,
		  const uint32_t *slots, size_t n);

/* There are none of these. */
void al_share_cool(struct al_share *);

/* The next batch, without marks; false when there is none. @at: where it begins;
   moved on. */
bool al_share_next(const struct al_share *, struct al_share_at *at,
		   struct an_batch *batch);

/* The next batch; false when there is none. */
bool al_share_batch(struct al_share *, struct an_batch *batch);

/* All of it, without marks and warm batches. */
struct an_batch al_share_whole(const struct al_share *);

void al_share_release(struct al_share *);

#endif
