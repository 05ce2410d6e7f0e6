/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup.h - adds warm batches to a consumer's chunk when a window opens
 *
 * Threads: one at a time, in the order of the stream.
 *
 * A warm-up simulates the last instructions before a window opens, to warm the
 * caches, and does not count them. Their number is the window's `warmup`, but
 * none is from before the window's previous opening. Only the instructions
 * among these that the window's warm lanes select are simulated. Consumer 0
 * receives all windows, so it leaves out instructions that were counted, or
 * simulated before, for any window: no instruction reaches an analysis twice.
 *
 * Warm batches have blocks of their own: each is the selected part of a block,
 * with one exit.
 */
#ifndef LIB_PIPELINE_WARMUP_H
#define LIB_PIPELINE_WARMUP_H

#include <pthread.h>

#include "base/tables/key_table.h"
#include "lib/pipeline/consumer_chunk.h"
#include "lib/pipeline/warmup_history.h"
#include "lib/recover/executed_blocks.h"

/* Warm-up state of a consumer; initialise with zeros. */
struct al_warmup {
	struct al_key_table masks; /* numbers pairs (lanes to simulate, lanes
				       to leave out) */
	struct al_key_table cuts;  /* numbers pairs (block, position of the
				       fault) */
	/* numbers the parts of blocks, see find_or_add_exec_part_number() in
	   warmup.c */
	struct al_key_table partial_blocks;
	uint32_t *block; /* [blocks_size] by number of a part in
			    `partial_blocks`: 1 + id of the block made of the
			    part; 0: the part has no block */
	uint32_t blocks_size;
	uint64_t last_opening
		[PT_MAX_WINDOWS]; /* for each window: number of instructions
				     that the process had executed at the last
				     opening */
};

/* Inputs and outputs of al_warmup_append_warm_batches(). */
struct al_warmup_target {
	const struct al_lanes *lanes;
	struct al_executed *executed;	 /* receives the blocks of the
					    warm-up */
	pthread_mutex_t *lock;		 /* lock that guards `executed`; NULL:
					    none is needed */
	bool has_all_windows;		 /* true for consumer 0, which receives
					    all windows */
	struct al_consumer_chunk *share; /* receives the executions of the
					    warm-up, as warm batches */
	size_t before; /* index of the execution of `share` before which the
			  warm-up is simulated */
};

/* Append warm batches with the warm-up of a window that starts to record: the
   instructions in the history since its previous opening, but no more than its
   warm-up is long, that its warm lanes, the thread filters of the warm-up,
   select. Store the time of this opening. Return: 0; -ENOMEM;
   -AL_E_PARTIAL_BYTES: a bound on warm-ups (memory_bounds.h) is reached. */
int al_warmup_append_warm_batches(struct al_warmup *,
				  const struct al_warmup_target *,
				  struct al_history *,
				  const struct al_warmup_start *);

void al_warmup_release(struct al_warmup *);

#endif
