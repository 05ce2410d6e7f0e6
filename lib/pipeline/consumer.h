/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer.h - what analyses see of a stream: all of it, or a window's share
 *
 * Threads: as the stages of stages.h. What is done with a piece is told by
 *          its lane.
 *
 *   piece --take--> share of view 0: all --> analyses
 *               \-> share of view 3: what window number 3 wants --> analyses
 *
 * Every stream has view 0. For a window that has a report of its own there is
 * one more, whose analyses see what they would if it was the only window: own
 * blocks, each with the instructions that the window's lanes want, and their
 * executions. A stream is recovered once for all views.
 *
 * Views are told by number, and those of a number in all streams of a run are
 * added up: 0, and of a window 1 + its number in the plan.
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
	struct al_executed executed; /* own blocks; of view 0: none */
	uint32_t *own; /* by block of the image: 1 + number of the own; or 0 */
	uint32_t n_own;
	struct al_warming warming;
	struct al_share share[AN_LANES]; /* by lane */
	struct al_analyst analyst[];	 /* as the settings have them */
};

/* With its analyses opened. @plan: that has its window; of view 0 NULL. NULL
   when memory is short. */
struct al_view *al_view_new(const struct al_host *, unsigned number,
			    const struct pt_plan *plan);

/* Before the first piece. Return: in how many parts at most one works. */
unsigned al_view_partition(struct al_view *, unsigned parts);

/* Of view 0: what comes before the openings in a piece will be in its share. So
   new blocks come with the piece. Context: in order. 0; -ENOMEM. */
int al_view_warm(struct al_view *, const struct al_piece *, struct al_past *);

/* Takes its share of a piece, with which the next block is that of the stream.
   @past: NULL: no window has a warmup. Context: in order. Return: 0; -ENOMEM:
   the share is empty. */
int al_view_take(struct al_view *, const struct al_piece *,
		 struct al_past *past);

/* Whether it has warm batches, which are never worked on in parts. */
bool al_view_is_warm(const struct al_view *, unsigned lane);

enum an_course al_view_prepare(struct al_view *, unsigned lane);

/* What all views have in common was found out: whether a piece is for batch(),
   of analyses in parts too. */
void al_view_set_whole(struct al_view *, unsigned lane, bool whole);

void al_view_spread(struct al_view *, unsigned lane);
void al_view_part(struct al_view *, unsigned lane, unsigned part);
void al_view_join(struct al_view *, unsigned lane);
void al_view_tail(struct al_view *, unsigned lane);

/* The image has ended; its counters are settled. */
void al_view_finish(struct al_view *);

/* Adds the results of a view of the same number; both finished. */
void al_view_merge(struct al_view *, const struct al_view *from);

/* Has analyses write what they write of a sum, which is @command's. */
void al_view_save(struct al_view *, char *const *command);

void al_view_free(struct al_view *);

#endif
