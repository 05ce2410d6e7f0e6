/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup_history.h - stores the last executions, for the warm-up of windows
 *
 * Threads: one at a time.
 *
 * When a window opens, the chunks of the instructions before have been
 * released, so the history has copies of their units. It reaches back as far as
 * the longest warm-up, rounded up to a piece.
 */
#ifndef LIB_PIPELINE_WARMUP_HISTORY_H
#define LIB_PIPELINE_WARMUP_HISTORY_H

#include "lib/recover/recovered_chunk.h"
#include "proto/window.h"

/* Instructions [from, to) of one execution: all of it, or one part if
   al_history_split() has divided it. */
struct al_history_exec {
	const struct al_desc *desc; /* of the whole block */
	uint64_t instret; /* instructions that the process had executed when the
			     block began */
	/* warm lanes for which view 0 has simulated it */
	uint64_t simulated_lanes;
	uint32_t slots_index; /* index of its slots in the words of its piece */
	uint16_t n_words;     /* length of the slots and the rest of the unit */
	uint16_t exit;	      /* or AL_EXIT_FAULT */
	uint16_t first_instr;
	uint16_t end_instr;
	uint8_t class; /* of its thread */
};

/* The executions of one piece that may be simulated. */
struct al_history_chunk {
	struct al_history_chunk *next;
	uint32_t *words;
	struct al_history_exec *exec;
	size_t n;
	size_t size;
};

struct al_history {
	uint64_t warmup[PT_MAX_WINDOWS]; /* by window: instructions */
	uint64_t max_warmup;		 /* maximum of @warmup */
	struct al_history_chunk *first;	 /* oldest */
	struct al_history_chunk *last;	 /* newest */
	uint64_t instret; /* instructions that the process had executed when the
			     last execution began */
	uint64_t n_execs; /* executions in all pieces */
};

struct pt_plan;

/* Set the lengths of the warm-ups of the plan's windows. The history is zeroed
   before. */
void al_history_init(struct al_history *, const struct pt_plan *);

/* Append copies of the executions that a piece lists in `warm`. Return: 0;
   -ENOMEM. */
int al_history_append(struct al_history *, const struct al_recovered_chunk *);

/* Divide execution @e of a piece: entry @e gets the instructions before @from,
   a new entry @e + 1 the others. Return: 0; -ENOMEM. */
int al_history_split(struct al_history *, struct al_history_chunk *, size_t e,
		     uint16_t from);

/* Free the pieces that no warm-up can reach any more. */
void al_history_trim(struct al_history *);

void al_history_release(struct al_history *);

#endif
