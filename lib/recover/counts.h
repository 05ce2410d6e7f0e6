/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts.h - adds up recorded instructions and accesses
 */
#ifndef LIB_RECOVER_COUNTS_H
#define LIB_RECOVER_COUNTS_H

#include <stdint.h>

#include "lib/recover/recover.h"

/* Stages that a chunk passes through in the pipeline
   (lib/pipeline/stages.h). */
enum al_stage {
	AL_LOAD,
	AL_RECOVER,
	AL_PREPARE,
	AL_STORE,
	AL_SCATTER,
	AL_PARTITION,
	AL_GATHER,
	AL_TAIL,
	AL_STAGES
};

/* Numbers of recorded events. A modify counts as a read and as a write. */
struct al_counts {
	uint64_t instructions;
	uint64_t reads;
	uint64_t writes;
	uint64_t modifies;
	uint64_t blocks;     /* executions of blocks (code with one entry that
				Valgrind translates at once) */
	uint64_t threads;    /* threads created, including the first */
	uint64_t signals;    /* signals delivered, including fatal ones */
	uint64_t unit_bytes; /* [bytes] of the units recovered */
	uint64_t recovery_ns;
	/* time of all stages but load, recover and store, and of
	   al_stream_finish_counts_and_analyses() */
	uint64_t analysis_ns;
	uint64_t stage_ns[AL_STAGES]; /* time spent in each stage, by enum
					 al_stage */
};

/* Return the number of accesses to data: a modify is one, though it is counted
   among both the reads and the writes. */
static inline uint64_t
al_counts_data_accesses_modify_once(const struct al_counts *c)
{
	return c->reads + c->writes - c->modifies;
}

/* Numbers of events recorded for one window of the plan. */
struct al_window_counts {
	uint64_t openings;
	uint64_t instructions;
	uint64_t reads;
	uint64_t writes;
	uint64_t modifies; /* each is also counted in reads and in writes */
};

/* Add each number of @c to that in @to. */
void al_counts_add(struct al_counts *to, const struct al_counts *c);

/* Add to @to the executions that one recoverer has counted so far, with their
   instructions and accesses. Executions that a fault stopped are not among
   them. */
void al_counts_add_executions_of_recoverer(struct al_counts *to,
					   const struct al_recoverer *);

/* Add to @to the executions of all executed blocks, with their instructions and
   accesses. Before al_recoverer_add_counts_to_blocks() is called on a
   recoverer, its executions are missing, except those that faults stopped. */
void al_counts_add_counts_of_executed_blocks(struct al_counts *to,
					     const struct al_executed *);

/* Add to each element of @to_by_window, [windows of the plan], the executed
   instructions and accesses that the lanes (thread filters) of that window
   select. Call al_recoverer_add_counts_to_blocks() on every recoverer first. */
void al_counts_add_executed_by_window(struct al_window_counts *to_by_window,
				      const struct al_executed *);

#endif
