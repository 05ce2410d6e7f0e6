/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer_chunk.h - a view's share of a recovered chunk, cut into batches
 *
 * Threads: as the piece.
 *
 * The share of view 0 (consumer.h) refers to the arrays of the piece. Shares of
 * other views have arrays of their own, with executions of the view's own
 * blocks. Slots are read from the piece's words; only warm batches have copies
 * of their slots.
 */
#ifndef LIB_PIPELINE_CONSUMER_CHUNK_H
#define LIB_PIPELINE_CONSUMER_CHUNK_H

#include "analyzers/analyzer.h"
#include "lib/config/settings.h"

struct al_block;
struct al_recovered_chunk;

/* A warm batch: executions that a window's warm-up simulates. */
struct al_warm_batch {
	size_t before; /* index of the share's execution that follows */
	size_t n;
	uint32_t *words; /* slots of all executions */
	size_t n_words;
	size_t words_size;
	struct an_exec exec[AN_MAX_BATCH];
};

/* Start of the next batch. */
struct al_batch_position {
	size_t execs; /* index of the next execution */
	size_t warm;  /* index of the next warm batch */
};

struct al_consumer_chunk {
	const uint32_t *base;
	unsigned inflight_slot;	      /* see analyzer.h */
	const struct al_block *block; /* first block that is new in this piece;
					 a list of n_blocks */
	uint32_t n_blocks;
	const struct an_exec *exec;
	size_t n_execs;
	struct an_mark *mark; /* `before` counts from the share's start */
	size_t n_marks;
	struct al_warm_batch **warm_batch; /* in order */
	size_t n_warm_batches;
	size_t warm_batches_size;
	bool is_serial; /* partitioned analyses, too, receive it through batch() */

	int error[AL_MAX_ANALYSES]; /* by analysis: -errno that stopped it in an
				       earlier stage of this piece, or in the
				       previous piece of this lane */
	int partition_error
		[AL_MAX_ANALYSES]; /* by analysis: -errno of a part */

	/* Start of the next batch of al_consumer_chunk_next_batch(). */
	struct al_batch_position next;
	size_t marks_done;

	/* Arrays of views other than 0. */
	struct an_exec *own_exec;
	size_t execs_size;
	struct an_mark *own_mark;
	size_t marks_size;
};

/* Make the share all of the piece, whose arrays it uses. */
void al_consumer_chunk_set_all(struct al_consumer_chunk *,
			       const struct al_recovered_chunk *);

/* Make the share empty. */
void al_consumer_chunk_clear(struct al_consumer_chunk *);

/**
 * al_consumer_chunk_select() - Select the executions of blocks that the view
 * has.
 * @own: by id of the image's block: 1 + id of the view's own block; 0: it has
 *       none.
 *
 * The share gets all marks of the piece; the caller sets its blocks.
 *
 * Return: 0; -ENOMEM.
 */
int al_consumer_chunk_select(struct al_consumer_chunk *,
			     const struct al_recovered_chunk *,
			     const uint32_t *own);

/* Append an execution of @block to the warm batches that precede execution
   @before of the share. @before never decreases from call to call. @slots: @n
   words of 4 bytes, copied. Return: 0; -ENOMEM. */
int al_consumer_chunk_add_warm(struct al_consumer_chunk *, size_t before,
			       uint32_t block, const uint32_t *slots, size_t n);

/* Free all warm batches. */
void al_consumer_chunk_free_warm(struct al_consumer_chunk *);

/* Fetch the batch that begins at @at, without marks, and advance @at. Return:
   false when there is none. */
bool al_consumer_chunk_next(const struct al_consumer_chunk *,
			    struct al_batch_position *at,
			    struct an_batch *batch);

/* Fetch the next batch, with its marks. Return: false when there is none. */
bool al_consumer_chunk_next_batch(struct al_consumer_chunk *,
				  struct an_batch *batch);

/* Return the whole share as one batch, without marks and warm batches. */
struct an_batch al_consumer_chunk_whole(const struct al_consumer_chunk *);

void al_consumer_chunk_release(struct al_consumer_chunk *);

#endif
