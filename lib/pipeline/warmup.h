/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup.h - what a view simulates when a window with a warmup opens
 *
 * Threads: one at a time, in the order of the stream.
 *
 * Of the instructions that the process has executed since it took the last one
 * for the window, but of so many as the window's warmup says at most, those that
 * the window's warm lanes want. View 0, which has all windows, leaves out what
 * is counted for another one, or was simulated for it: no instruction comes to
 * an analysis twice.
 *
 * They come in warm batches, as executions of blocks of their own: of so much of
 * a block as is wanted, with one exit.
 */
#ifndef LIB_PIPELINE_WARMUP_H
#define LIB_PIPELINE_WARMUP_H

#include <pthread.h>

#include "base/tables/pair_table.h"
#include "lib/pipeline/consumer_chunk.h"
#include "lib/pipeline/warmup_history.h"
#include "lib/recover/executed_blocks.h"

/* Zeroed: nothing was taken yet. */
struct al_warming {
	struct al_numbering masks; /* lanes that want something, and that
					 must not */
	struct al_numbering cuts;  /* block, and where a fault stopped it */
	struct al_numbering parts; /* of blocks; see warmup.c */
	uint32_t *block;	   /* by part: 1 + number of the block; 0:
					 there is none */
	uint32_t blocks_size;
	uint64_t since[PT_MAX_WINDOWS]; /* how far the process was then */
};

/* Where it finds what it takes, and puts it. */
struct al_warming_of {
	const struct al_lanes *lanes;
	struct al_executed *executed; /* gets the blocks */
	pthread_mutex_t *lock;	      /* guards it; or NULL */
	bool all;		      /* windows are the view's */
	struct al_share *share;
	size_t before; /* execution of the share */
};

/* A window begins to take what comes. 0; -ENOMEM. */
int al_warming_take(struct al_warming *, const struct al_warming_of *,
		    struct al_past *, const struct al_taking *);

void al_warming_release(struct al_warming *);

#endif
