/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer.h - selects the executions of a stream that a set of analyses
 *              receives
 *
 * Threads: as the stages of stages.h. A chunk is identified by its in-flight
 *          slot, the index of the pipeline's state for the chunk.
 *
 *   chunk --select--> chunk of consumer 0: all executions        --> analyses
 *                 \-> chunk of consumer 3: those of its window   --> analyses
 *
 * Every stream has consumer 0, which receives all executions. Each window that
 * has a report of its own adds a consumer. The analyses of this consumer
 * receive the same as if its window was the only one: blocks that have only the
 * instructions that the window selects, and the executions of these blocks. A
 * stream is recovered once for all consumers. The executions of a chunk that a
 * consumer receives are the consumer's share of the chunk.
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
	struct al_executed executed; /* blocks of the consumer; none for
					consumer 0, which uses those of the
					image */
	/* [n_own_blocks] for each block of the exec image, by its id: 1 + id of
	   the block in `executed` made from it; 0: the window selects nothing
	   of it */
	uint32_t *own_block;
	uint32_t n_own_blocks;
	struct al_warmup warmup;
	struct al_consumer_chunk
		chunk[AN_INFLIGHT_SLOTS];   /* by in-flight slot: the
					       executions, marks and blocks of
					       the chunk that the consumer
					       receives */
	struct al_analysis_host analysis[]; /* [n_analyses] in the order of the
					       settings */
};

/* Return a new consumer with all analyses of the settings opened; NULL when
   memory is short. @window_number_plus_1_or_0: number of the consumer: 0, or 1
   + number of its window in @plan. @plan: NULL for consumer 0. */
struct al_consumer *
al_consumer_new_and_open_analyses(const struct al_consumer_context *,
				  unsigned window_number_plus_1_or_0,
				  const struct pt_plan *plan);

/* Have each analysis that can be partitioned divide its work into partitions,
   if the settings and their number of workers allow it. Call before the first
   chunk. Return: the largest number of partitions that an analysis now has; 1
   if none is partitioned. */
unsigned al_consumer_partition_analyses(struct al_consumer *);

/* For each window that starts to record in the chunk and that the consumer
   receives, add the executions of the window's warm-up (warmup.h), which are
   not counted, in warm batches to the consumer's chunk. The warm-ups of windows
   that start after the last execution of a chunk are added to the next one,
   since more windows may start at the same instruction. This also adds blocks:
   for consumer 0 to the blocks of the image, so call it before the chunk's new
   blocks are listed. Context: in the order of chunks. Return: 0; -errno. */
int al_consumer_add_warm_batches(struct al_consumer *,
				 const struct al_recovered_chunk *,
				 struct al_history *);

/* Set the consumer's chunk to the executions of the recovered chunk that the
   consumer receives, to all marks and events, and to the blocks that are new.
   For consumers other than 0, also add the warm batches, the executions of
   warm-ups (warmup.h). @source_of_warm_batches_or_null: NULL if no window has a
   warm-up or no analysis accepts warm-ups. Context: in the order of chunks.
   Return: 0; -errno, and the consumer's chunk is empty. */
int al_consumer_fill_chunk(struct al_consumer *,
			   const struct al_recovered_chunk *,
			   struct al_history *source_of_warm_batches_or_null);

/* Whether the consumer's chunk in slot @inflight_slot has warm batches,
   executions of warm-ups (warmup.h). Such a chunk is never processed by
   partitions. */
bool al_consumer_has_warm_batches(const struct al_consumer *,
				  unsigned inflight_slot);

/* Do stage prepare of a chunk. Return: the strictest mode that any analysis
   demands. */
enum an_chunk_mode al_consumer_prepare_chunk(struct al_consumer *,
					     unsigned inflight_slot);

/* Set whether partitioned analyses, too, receive the chunk through batch()
   instead of their partitions. @serial: true if any consumer needs that. */
void al_consumer_set_chunk_is_serial(struct al_consumer *,
				     unsigned inflight_slot, bool serial);

void al_consumer_scatter_chunk(struct al_consumer *, unsigned inflight_slot);
void al_consumer_run_partition_of_analyses(struct al_consumer *,
					   unsigned inflight_slot,
					   unsigned partition_index);
void al_consumer_pass_batches_and_gather(struct al_consumer *,
					 unsigned inflight_slot);
void al_consumer_run_tail_stage(struct al_consumer *, unsigned inflight_slot);

/* Free the consumer's chunks, add the counters of the exec image's blocks to
   those of the consumer's blocks, and finish the analyses and their outputs,
   when this image has ended. Call al_recoverer_add_counts_to_blocks() for every
   recoverer first. */
void al_consumer_finish_counts_and_analyses(struct al_consumer *);

/* Add the results of @from, the consumer with the same number of another exec
   image, which has finished. */
void al_consumer_merge_results(struct al_consumer *,
			       const struct al_consumer *from);

/* Have each analysis write its output about the sum over all exec images.
   @command_argv: NULL-terminated arguments of the run's first image, or NULL;
   must outlive the analyses. */
void al_consumer_save_outputs(struct al_consumer *, char *const *command_argv);

void al_consumer_free(struct al_consumer *);

#endif
