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

enum { AL_MAX_VIEWS = 1 + PT_MAX_WINDOWS };

struct al_view {
	unsigned number;
	struct al_host host;
	size_t n_analysts;
	struct al_executed executed; /* the view's own blocks; none in view 0 */
	uint32_t *own; /* by id of the image's block: 1 + id of the view's own
			  block; 0: it has none */
	uint32_t n_own;
	struct al_warming warming;
	struct al_share share[AN_LANES]; /* by lane */
	struct al_analyst analyst[];	 /* in the order of the settings */
};

/* Return a new view with its analyses opened, or NULL when memory is short.
   @plan: the plan that has the view's window; NULL for view 0. */
struct al_view *al_view_new(const struct al_host *, unsigned number,
			    const struct pt_plan *plan);

/* Let the analyses divide their work into up to @parts partitions. Call before
   the first piece. Return: the largest number of partitions of an analysis, 1
   if none is partitioned. */
unsigned al_view_partition(struct al_view *, unsigned parts);

/* Add the warm-up of each window that opens in the piece to the view's share,
   if the view records the window. Adds blocks; for view 0 these are the
   stream's, so call before the piece's new blocks are listed. Context: in
   order. Return: 0; -ENOMEM. */
int al_view_warm(struct al_view *, const struct al_piece *, struct al_past *);

/* Select the view's share of a piece: its executions, marks and new blocks.
   Other views than 0 get their warm-up here, too. @past: NULL if no window has
   a warm-up. Context: in order. Return: 0; -ENOMEM: the share is empty. */
int al_view_take(struct al_view *, const struct al_piece *,
		 struct al_past *past);

/* Whether the share has warm batches, which are never partitioned. */
bool al_view_is_warm(const struct al_view *, unsigned lane);

/* Do stage prepare of a piece. Return: the strictest course of any analysis. */
enum an_course al_view_prepare(struct al_view *, unsigned lane);

/* Set whether partitioned analyses, too, receive the piece through batch():
   true if any view needs that. */
void al_view_set_whole(struct al_view *, unsigned lane, bool whole);

void al_view_spread(struct al_view *, unsigned lane);
void al_view_part(struct al_view *, unsigned lane, unsigned part);
void al_view_join(struct al_view *, unsigned lane);
void al_view_tail(struct al_view *, unsigned lane);

/* Finish the analyses of an image that has ended. The counters of the image's
   blocks must be up to date (al_recoverer_settle()). */
void al_view_finish(struct al_view *);

/* Add the results of view @from, which has the same number; both have
   finished. */
void al_view_merge(struct al_view *, const struct al_view *from);

/* Write the analyses' outputs of a sum. @command: arguments of the run's first
   image, or NULL. */
void al_view_save(struct al_view *, char *const *command);

void al_view_free(struct al_view *);

#endif
