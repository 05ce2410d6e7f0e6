/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup.h - adds warm batches to a view's share when a window opens
 *
 * Threads: one at a time, in the order of the stream.
 *
 * A window's warm-up is simulated and not counted. It covers the last
 * instructions before the opening, as many as the window's `warmup` says, but
 * none before the window's previous opening; of these, the instructions that
 * the window's warm lanes record. View 0 has all windows, so it leaves out
 * instructions that were counted, or simulated before, for any window: no
 * instruction reaches an analysis twice.
 *
 * Warm batches have blocks of their own: each is the recorded part of a block,
 * with one exit.
 */
#ifndef LIB_PIPELINE_WARMUP_H
#define LIB_PIPELINE_WARMUP_H

#include <pthread.h>

#include "base/tables/pair_table.h"
#include "lib/pipeline/consumer_chunk.h"
#include "lib/pipeline/warmup_history.h"
#include "lib/recover/executed_blocks.h"

/* Warm-up state of a view; zero it before use. */
struct al_warmup {
	struct al_pair_table masks; /* numbers of pairs (lanes to simulate,
				       lanes to leave out) */
	struct al_pair_table cuts;  /* numbers of pairs (block, position of the
				       fault) */
	/* numbers of parts of blocks; see warmup.c */
	struct al_pair_table partial_blocks;
	uint32_t *block; /* by number of the part: 1 + id of its block; 0: it
			    has none */
	uint32_t blocks_size;
	uint64_t last_opening
		[PT_MAX_WINDOWS]; /* by window: instructions that the process
				     had executed at the last opening */
};

/* Inputs and outputs of al_warmup_add(). */
struct al_warmup_target {
	const struct al_lanes *lanes;
	struct al_executed *executed;	 /* receives the blocks */
	pthread_mutex_t *lock;		 /* guards @executed; or NULL */
	bool has_all_windows;		 /* view 0, which has all windows */
	struct al_consumer_chunk *share; /* receives the executions */
	size_t before; /* index of the share's execution that follows */
};

/* Add the warm-up of a window that opens to the share. Return: 0; -ENOMEM. */
int al_warmup_add(struct al_warmup *, const struct al_warmup_target *,
		  struct al_history *, const struct al_warmup_start *);

void al_warmup_release(struct al_warmup *);

#endif
