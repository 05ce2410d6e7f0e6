/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts.h - sums of what was recorded
 */
#ifndef LIB_RECOVER_COUNTS_H
#define LIB_RECOVER_COUNTS_H

#include <stdint.h>

#include "lib/recover/recover.h"

/* Stages of a chunk in the pipeline (lib/pipeline/stages.h). */
enum al_stage {
	AL_LOAD,
	AL_RECOVER,
	AL_PREPARE,
	AL_STORE,
	AL_SPREAD,
	AL_PART,
	AL_JOIN,
	AL_TAIL,
	AL_STAGES
};

/* What was recorded. A modify counts as a read and as a write. */
struct al_counts {
	uint64_t instructions;
	uint64_t reads;
	uint64_t writes;
	uint64_t modifies;
	uint64_t blocks;  /* executions */
	uint64_t threads; /* ever alive, the first included */
	uint64_t signals; /* delivered, deadly ones included */
	uint64_t unit_bytes;
	uint64_t recovery_ns;
	uint64_t analysis_ns; /* the stages of analyzers, added, and the end */
	uint64_t stage_ns[AL_STAGES]; /* by enum al_stage */
};

/* Return the number of accesses to data: a modify is one, though it is counted
   among both the reads and the writes. */
static inline uint64_t al_counts_accesses(const struct al_counts *c)
{
	return c->reads + c->writes - c->modifies;
}

/* What was recorded for a window of the plan. */
struct al_window_counts {
	uint64_t openings;
	uint64_t instructions;
	uint64_t reads;
	uint64_t writes;
	uint64_t modifies; /* counted in both */
};

void al_counts_add(struct al_counts *to, const struct al_counts *c);

/* Adds what one recoverer has found, but for blocks that were cut. */
void al_counts_met(struct al_counts *to, const struct al_recoverer *);

/* Adds what all have found, who must be settled. */
void al_counts_executed(struct al_counts *to, const struct al_executed *);

/* Adds what the executions were for each window, as far as they are settled. */
void al_counts_windows(struct al_window_counts *to, const struct al_executed *);

#endif
