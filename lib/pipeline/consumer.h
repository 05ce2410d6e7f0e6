/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer.h - views: which executions of a stream a set of analyses receives
 *
 * Threads: as the stages of stages.h. A piece is identified by its lane.
 *
 *   piece --take--> share of view 0: all executions      --> analyses
 *               \-> share of view 3: those of the window --> analyses
 *
 * Every stream has view 0, which receives all executions. Each window that has
 * a report of its own has one more view. Its analyses receive what they would
 * if it was the only window: blocks of their own, reduced to the instructions
 * that the window records, and the executions of these. A stream is recovered
 * once for all views.
 *
 * View 0 has number 0; the view of a window has 1 + the window's number in the
 * plan. Views with one number are added up over all streams of a run.
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
	struct al_executed executed; /* the view's own blocks; none in view 0 */
	/* by id of the image's block: 1 + id of the view's own block; 0: it has
	   none */
	uint32_t *own_block;
	uint32_t n_own_blocks;
	struct al_warmup warmup;
	struct al_consumer_chunk chunk[AN_INFLIGHT_SLOTS]; /* by lane */
	struct al_analysis_host analysis[]; /* in the order of the settings */
};

/* Return a new view with its analyses opened, or NULL when memory is short.
   @plan: the plan that has the view's window; NULL for view 0. */
struct al_consumer *al_consumer_new(const struct al_consumer_context *,
				    unsigned number,
				    const struct pt_plan *plan);

/* Let the analyses divide their work into up to @parts partitions. Call before
   the first piece. Return: the largest number of partitions of an analysis, 1
   if none is partitioned. */
unsigned al_consumer_divide(struct al_consumer *, unsigned parts);

/* Add the warm-up of each window that opens in the piece to the view's share,
   if the view records the window. Adds blocks; for view 0 these are the
   stream's, so call before the piece's new blocks are listed. Context: in
   order. Return: 0; -ENOMEM. */
int al_consumer_add_warmup(struct al_consumer *,
			   const struct al_recovered_chunk *,
			   struct al_history *);

/* Select the view's share of a piece: its executions, marks and new blocks.
   Other views than 0 get their warm-up here, too. @past: NULL if no window has
   a warm-up. Context: in order. Return: 0; -ENOMEM: the share is empty. */
int al_consumer_select(struct al_consumer *, const struct al_recovered_chunk *,
		       struct al_history *past);

/* Whether the share has warm batches, which are never partitioned. */
bool al_consumer_has_warm(const struct al_consumer *, unsigned lane);

/* Do stage prepare of a piece. Return: the strictest course of any analysis. */
enum an_chunk_mode al_consumer_prepare(struct al_consumer *, unsigned lane);

/* Set whether partitioned analyses, too, receive the piece through batch():
   true if any view needs that. */
void al_consumer_set_serial(struct al_consumer *, unsigned lane, bool whole);

void al_consumer_scatter(struct al_consumer *, unsigned lane);
void al_consumer_partition(struct al_consumer *, unsigned lane, unsigned part);
void al_consumer_gather(struct al_consumer *, unsigned lane);
void al_consumer_tail(struct al_consumer *, unsigned lane);

/* Finish the analyses of an image that has ended. The counters of the image's
   blocks must be up to date (al_recoverer_sum_counts()). */
void al_consumer_finish(struct al_consumer *);

/* Add the results of view @from, which has the same number; both have
   finished. */
void al_consumer_merge(struct al_consumer *, const struct al_consumer *from);

/* Write the analyses' outputs of a sum. @command: arguments of the run's first
   image, or NULL. */
void al_consumer_save(struct al_consumer *, char *const *command);

void al_consumer_free(struct al_consumer *);

#endif
