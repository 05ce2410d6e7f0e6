/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer_chunk.h - holds the executions of a recovered chunk that one
 *                    consumer receives (its share), and divides them into
 *                    batches
 *
 * Threads: as the chunk.
 *
 * The chunk of consumer 0 (consumer.h) points to the arrays of the recovered
 * chunk. Chunks of other consumers have arrays of their own, with executions of
 * the consumer's blocks. Slots are read from the words of the recovered chunk;
 * only warm batches have copies of their slots.
 */
#ifndef LIB_PIPELINE_CONSUMER_CHUNK_H
#define LIB_PIPELINE_CONSUMER_CHUNK_H

#include "analyzers/analyzer.h"
#include "lib/config/settings.h"

struct al_block;
struct al_recovered_chunk;

/* A warm batch: executions before a window's start that its warm-up simulates,
   but does not count. */
struct al_warm_batch {
	size_t before; /* the batch is simulated just before execution number
			  `before` of the consumer's chunk, which does not
			  contain the batch's executions */
	size_t n;
	uint32_t *words; /* [n_words] copy of the slots of all executions of the
			    batch */
	size_t n_words;
	size_t words_size;
	struct an_exec exec[AN_MAX_BATCH];
};

/* Position in a consumer's chunk at which the next batch starts. */
struct al_batch_position {
	size_t execs; /* index of the next execution */
	size_t warm;  /* index of the next warm batch */
};

struct al_consumer_chunk {
	const uint32_t *base;
	unsigned inflight_slot;	      /* index of the pipeline's state for the
					 chunk, see an_batch in analyzer.h */
	const struct al_block *block; /* first of the consumer's blocks that are
					 new in this chunk, a list of n_blocks;
					 NULL: there is none */
	uint32_t n_blocks;
	const struct an_exec *exec;
	size_t n_execs;
	struct an_mark *mark; /* [n_marks] before_exec is an index into
				 `exec` */
	size_t n_marks;
	/* [n_events] before_exec is an index into `exec` */
	const struct an_stream_event *event;
	size_t n_events;
	const uint64_t *event_word;
	/* [n_warm_batches] executions of warm-ups, sorted by their member
	   `before` */
	struct al_warm_batch **warm_batch;
	size_t n_warm_batches;
	size_t warm_batches_size;
	bool is_serial; /* partitioned analyses, too, receive this chunk through
			   batch() instead of their partitions */

	int error[AL_MAX_ANALYSES]; /* for each analysis: -errno that stopped it
				       in an earlier stage of this chunk, or in
				       the previous chunk of this in-flight
				       slot; else 0 */
	/* for each analysis: -errno of the partition that failed last; 0: none
	   failed */
	int partition_error[AL_MAX_ANALYSES];

	/* start of the next batch that al_consumer_chunk_next_batch() will
	   return */
	struct al_batch_position next;
	/* numbers of marks and of events in the batches of this chunk that
	   al_consumer_chunk_next_batch() has returned */
	size_t marks_done, events_done;
	/* an_mark.before_exec of the marks of the last batch, from index
	   marks_relative to marks_done - 1, is relative to execution
	   marks_base; that of all other marks is relative to the chunk */
	size_t marks_relative, marks_base;

	/* Arrays that `exec`, `mark` and `event` point to, with the numbers of
	   allocated elements; unused for consumer 0. */
	struct an_exec *own_exec;
	size_t execs_size;
	struct an_mark *own_mark;
	size_t marks_size;
	struct an_stream_event *own_event;
	size_t events_size;
};

/* Set the consumer's chunk to the whole recovered chunk: point to its arrays
   without copying them. The next batch is then the first one. */
void al_consumer_chunk_alias_recovered_chunk(struct al_consumer_chunk *,
					     const struct al_recovered_chunk *);

/* Set the numbers of blocks, executions, marks and events to 0, and free all
   warm batches (copies of executions of warm-ups). */
void al_consumer_chunk_clear(struct al_consumer_chunk *);

/**
 * al_consumer_chunk_copy_own_block_execs() - Copy the recovered chunk's
 * executions of those blocks that the consumer has, and all marks (an_mark) and
 * events (an_stream_event).
 * @own_block_id_plus_1_or_0: for each block of the image, by its id: 1 + id of
 *         the consumer's block made from it; 0: there is none, and executions
 *         of the block are left out.
 *
 * Copied executions have the id of the consumer's block; `before_exec` of the
 * copied marks and events is an index of a copied execution. The caller sets
 * the list of new blocks.
 *
 * Return: 0; -ENOMEM.
 */
int al_consumer_chunk_copy_own_block_execs(
	struct al_consumer_chunk *, const struct al_recovered_chunk *,
	const uint32_t *own_block_id_plus_1_or_0);

/* Append an execution of block @block_id, with exit 0, to the last warm batch
   (executions of a warm-up) that is simulated before execution @before_exec of
   the consumer's chunk; if there is none or it is full, append a new batch.
   @before_exec must not decrease from call to call. @slots: [@slot_word_count]
   words of 4 bytes, copied. Return: 0; -ENOMEM. */
int al_consumer_chunk_append_warm_exec(struct al_consumer_chunk *,
				       size_t before_exec, uint32_t block_id,
				       const uint32_t *slots,
				       size_t slot_word_count);

/* Free all warm batches (copies of executions of warm-ups). */
void al_consumer_chunk_free_warm_batches(struct al_consumer_chunk *);

/* Set @batch to the batch that begins at @position: the next warm batch if it
   is due, else at most AN_MAX_BATCH executions. Marks and events between the
   executions neither end the batch nor are listed in it: its n_marks and
   n_events are 0. Advance @position to the end of the batch. Return: false if
   no batch is left. */
bool al_consumer_chunk_next_batch_from(const struct al_consumer_chunk *,
				       struct al_batch_position *position,
				       struct an_batch *batch);

/* Set @batch to the batch that follows the one of the last call, with its marks
   and events. Return: false if there is none. */
bool al_consumer_chunk_next_batch(struct al_consumer_chunk *,
				  struct an_batch *batch);

/* Return all executions, marks and events of the consumer's chunk as one batch,
   without the executions of warm batches. Call before the first or after the
   last call of al_consumer_chunk_next_batch(): between them, marks are relative
   to a batch. */
struct an_batch al_consumer_chunk_as_batch(const struct al_consumer_chunk *);

void al_consumer_chunk_release(struct al_consumer_chunk *);

#endif
