/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer.h - selects the executions of a stream that a set of analyses
 *              receives
 *
 * Threads: as the stages of stages.h. A chunk is identified by its in-flight
 *          slot, the index of the pipeline's state for the chunk.
 *
 *   chunk --select--> share of consumer 0: all executions      --> analyses
 *                 \-> share of consumer 3: those of the window --> analyses
 *
 * Every stream has consumer 0, which receives all executions. Each window that
 * has a report of its own has one more consumer. Its analyses receive what they
 * would if it was the only window: blocks of their own, with the instructions
 * that the window selects, and the executions of these. A stream is recovered
 * once for all consumers.
 *
 * Consumer 0 has number 0; the consumer of a window has 1 + the window's number
 * in the plan. Results of consumers with one number are added up over all
 * streams of a run.
 */
#ifndef LIB_PIPELINE_CONSUMER_H
#define LIB_PIPELINE_CONSUMER_H

#include "lib/pipeline/analysis_host.h"
#include "lib/pipeline/consumer_chunk.h"
#include "lib/pipeline/stages.h"
#include "lib/pipeline/warmup.h"
#include "lib/recover/executed_blocks.h"
#include "lib/recover/recovered_chunk.h"

enum { AL_MAX_CONSUMERS = 1 + PT_MAX_WINDOWS };

struct al_consumer {
	unsigned number;
	struct al_consumer_context context;
	size_t n_analyses;
	struct al_executed executed; /* the consumer's own blocks; none for
					consumer 0 */
	/* by id of the image's block: 1 + id of the consumer's own block; 0: it
	   has none */
	uint32_t *own_block;
	uint32_t n_own_blocks;
	struct al_warmup warmup;
	struct al_consumer_chunk
		chunk[AN_INFLIGHT_SLOTS];   /* [AN_INFLIGHT_SLOTS] the
					       consumer's share of each chunk,
					       by in-flight slot */
	struct al_analysis_host analysis[]; /* [n_analyses] in the order of the
					       settings */
};

/* Return a new consumer with its analyses opened, or NULL when memory is short.
   @window_number_or_0: 0, or 1 + number of its window. @plan: the plan with
   this window; NULL for consumer 0. */
struct al_consumer *al_consumer_new(const struct al_consumer_context *,
				    unsigned window_number_or_0,
				    const struct pt_plan *plan);

/* Let the analyses divide their work into at most @n_partitions partitions.
   Call before the first chunk. Return: the largest number of partitions of an
   analysis, 1 if none is partitioned. */
unsigned al_consumer_set_partitions(struct al_consumer *,
				    unsigned n_partitions);

/* Add the warm-up (warmup.h) of each window that starts to record in the chunk
   to the consumer's share, if the consumer receives the window. This adds
   blocks; for consumer 0 these are the stream's, so call before the chunk's new
   blocks are listed. Context: in the order of chunks. Return: 0; -errno. */
int al_consumer_add_warm_batches(struct al_consumer *,
				 const struct al_recovered_chunk *,
				 struct al_history *);

/* Select the consumer's share of a chunk: its executions, marks and new blocks.
   For other consumers than 0 this adds the warm-up, too. @history: NULL if no
   window has a warm-up. Context: in the order of chunks. Return: 0; -errno, and
   the share is empty. */
int al_consumer_select_executions(struct al_consumer *,
				  const struct al_recovered_chunk *,
				  struct al_history *history);

/* Whether the share has warm batches, which are never partitioned. */
bool al_consumer_has_warm_batches(const struct al_consumer *,
				  unsigned inflight_slot);

/* Do stage prepare of a chunk. Return: the strictest mode that any analysis
   demands. */
enum an_chunk_mode al_consumer_prepare(struct al_consumer *,
				       unsigned inflight_slot);

/* Set whether partitioned analyses, too, receive the whole chunk through
   batch(): true if any consumer needs that. */
void al_consumer_set_serial(struct al_consumer *, unsigned inflight_slot,
			    bool serial);

void al_consumer_scatter(struct al_consumer *, unsigned inflight_slot);
void al_consumer_run_partition(struct al_consumer *, unsigned inflight_slot,
			       unsigned partition);
void al_consumer_analyze_gather_free_warm(struct al_consumer *,
					  unsigned inflight_slot);
void al_consumer_run_tail_stage(struct al_consumer *, unsigned inflight_slot);

/* Finish the analyses of an image that has ended. The counters of the image's
   blocks must be up to date (al_recoverer_add_counts_to_blocks()). */
void al_consumer_finish(struct al_consumer *);

/* Add the results of @from, the consumer with the same number of another image;
   both have finished. */
void al_consumer_merge(struct al_consumer *, const struct al_consumer *from);

/* Have the analyses write their outputs of a sum over all images. @command:
   arguments of the run's first image, or NULL. */
void al_consumer_save_outputs(struct al_consumer *, char *const *command);

void al_consumer_free(struct al_consumer *);

#endif
