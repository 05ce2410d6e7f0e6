/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup.h - adds warm batches to a consumer's chunk when windows begin to
 *            record
 *
 * Threads: one at a time, in the order of the stream.
 *
 * A warm-up simulates the last instructions before a window begins to record
 * (opens, or begins a sample or interval), to warm the caches, and does not
 * count them. Their number is the window's `warmup`. Only the instructions
 * among these that the window's warm lanes select are simulated. An analysis
 * receives instructions in program order: a warm-up leaves out all instructions
 * up to the last one that the consumer has received before, recorded or in a
 * warm-up, for any window. Warm-ups of windows that begin to record at the same
 * instruction are simulated together.
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
	struct al_key_table masks; /* numbers sets of lanes to simulate */
	struct al_key_table cuts;  /* numbers pairs (block, position of the
				       fault) */
	/* numbers the parts of blocks, see find_or_add_exec_part_number() in
	   warmup.c */
	struct al_key_table partial_blocks;
	uint32_t *block; /* [blocks_size] by number of a part in
			    `partial_blocks`: 1 + id of the block made of the
			    part; 0: the part has no block */
	uint32_t blocks_size;
	uint64_t simulated_end; /* number of instructions that the process had
				   executed up to the last one that a warm-up
				   simulated, this one included; 0: none */
	uint64_t windows; /* windows, as bits, that have started to record and
			     whose warm-up is not simulated yet */
	uint64_t instret; /* number of instructions that the process had
			     executed when these started to record */
};

/* Inputs and outputs of al_warmup_append_warm_batches(). */
struct al_warmup_target {
	const struct al_lanes *lanes;
	struct al_executed *executed; /* receives the blocks of the
					    warm-up */
	pthread_mutex_t *lock;	      /* lock that guards `executed`; NULL:
					    none is needed */
	uint64_t recorded_end;	  /* executions of the history with a smaller
				  n_recorded come before one that the consumer
				  has received */
	bool leaves_out_recorded; /* the instructions of each execution up to
				     the last one that a lane of its thread
				     records are left out */
	struct al_consumer_chunk *share; /* receives the executions of the
					    warm-up, as warm batches */
	size_t before; /* index of the execution of `share` before which the
			  warm-up is simulated */
};

/* Append warm batches with the warm-ups of the windows in `windows`, and remove
   these from `windows`. Return: 0; -ENOMEM; -AL_E_PARTIAL_BYTES: a bound on
   warm-ups (memory_bounds.h) is reached. */
int al_warmup_append_warm_batches(struct al_warmup *,
				  const struct al_warmup_target *,
				  const struct al_history *);

void al_warmup_release(struct al_warmup *);

#endif
