/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer_chunk.h - holds a consumer's share of a recovered chunk, cut into
 * batches
 *
 * Threads: as the chunk.
 *
 * The share of consumer 0 (consumer.h) refers to the arrays of the recovered
 * chunk. Shares of other consumers have arrays of their own, with executions of
 * the consumer's own blocks. Slots are read from the words of the recovered
 * chunk; only warm batches have copies of their slots.
 */
#ifndef LIB_PIPELINE_CONSUMER_CHUNK_H
#define LIB_PIPELINE_CONSUMER_CHUNK_H

#include "analyzers/analyzer.h"
#include "lib/config/settings.h"

struct al_block;
struct al_recovered_chunk;

/* A warm batch: executions that a window's warm-up simulates. */
struct al_warm_batch {
	size_t before; /* the batch is simulated before the execution of the
			  share with this index; its own executions are not in
			  the share */
	size_t n;
	uint32_t *words; /* slots of the batch's executions */
	size_t n_words;
	size_t words_size;
	struct an_exec exec[AN_MAX_BATCH];
};

/* Position in a share at which the next batch starts. */
struct al_batch_position {
	size_t execs; /* index of the next execution */
	size_t warm;  /* index of the next warm batch */
};

struct al_consumer_chunk {
	const uint32_t *base;
	unsigned inflight_slot;	      /* index of the pipeline's state for the
					 chunk, see an_batch in analyzer.h */
	const struct al_block *block; /* first of the blocks that are new in
					 this chunk, a list of n_blocks; NULL:
					 there is none */
	uint32_t n_blocks;
	const struct an_exec *exec;
	size_t n_execs;
	struct an_mark *mark; /* before_exec of a mark is an index into the
				 share */
	size_t n_marks;
	const struct an_stream_event *event; /* before_exec is an index into the
					 share */
	size_t n_events;
	const uint64_t *event_word;
	/* [n_warm_batches] in the order of @before */
	struct al_warm_batch **warm_batch;
	size_t n_warm_batches;
	size_t warm_batches_size;
	bool is_serial; /* partitioned analyses, too, receive the whole share
			   through batch() */

	int error[AL_MAX_ANALYSES]; /* for each analysis: -errno that stopped it
				       in an earlier stage of this chunk, or in
				       the previous chunk of this in-flight
				       slot; else 0 */
	int partition_error
		[AL_MAX_ANALYSES]; /* for each analysis: -errno of a partition,
				      or 0 */

	/* Start of the next batch that al_consumer_chunk_next_batch() returns,
	   and the numbers of marks and events that it has returned. */
	struct al_batch_position next;
	size_t marks_done;
	size_t events_done;

	/* Arrays of consumers other than 0. */
	struct an_exec *own_exec;
	size_t execs_size;
	struct an_mark *own_mark;
	size_t marks_size;
	struct an_stream_event *own_event;
	size_t events_size;
};

/* Make the share equal to the recovered chunk, whose arrays it then uses. */
void al_consumer_chunk_alias_whole(struct al_consumer_chunk *,
				   const struct al_recovered_chunk *);

/* Make the share empty. */
void al_consumer_chunk_clear(struct al_consumer_chunk *);

/**
 * al_consumer_chunk_copy_selected() - Set the share to the executions of those
 * blocks that the consumer has.
 * @own_block_numbers: by id of the image's block: 1 + id of the consumer's own
 * block; 0: it
 *       has none.
 *
 * The share receives all marks and events of the chunk; the caller sets its
 * blocks.
 *
 * Return: 0; -ENOMEM.
 */
int al_consumer_chunk_copy_selected(struct al_consumer_chunk *,
				    const struct al_recovered_chunk *,
				    const uint32_t *own_block_numbers);

/* Append an execution of @block to the warm batches that precede execution
   @before of the share. @before must not decrease from call to call. @slots:
   [@slot_word_count] words of 4 bytes, copied. Return: 0; -ENOMEM. */
int al_consumer_chunk_append_warm_exec(struct al_consumer_chunk *,
				       size_t before, uint32_t block,
				       const uint32_t *slots,
				       size_t slot_word_count);

/* Free all warm batches. */
void al_consumer_chunk_free_warm(struct al_consumer_chunk *);

/* Set @batch to the batch that begins at @position, without marks and events,
   and advance
   @position. Return: false if there is no batch. */
bool al_consumer_chunk_next_batch_from(const struct al_consumer_chunk *,
				       struct al_batch_position *position,
				       struct an_batch *batch);

/* Set @batch to the next batch, with its marks and events. Return: false if
   there is no batch. */
bool al_consumer_chunk_next_batch(struct al_consumer_chunk *,
				  struct an_batch *batch);

/* Return the whole share as one batch, with its events, without marks and warm
   batches. */
struct an_batch al_consumer_chunk_as_batch(const struct al_consumer_chunk *);

void al_consumer_chunk_release(struct al_consumer_chunk *);

#endif
