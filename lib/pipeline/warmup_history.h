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
   al_past_cut() has divided it. */
struct al_past_exec {
	const struct al_desc *desc; /* of the whole block */
	uint64_t far;	/* instructions that the process had executed when the
			   block began */
	uint64_t done;	/* warm lanes for which view 0 has simulated it */
	uint32_t at;	/* index of its slots in the words of its piece */
	uint16_t words; /* length of the slots and the rest of the unit */
	uint16_t exit;	/* or AL_CUT */
	uint16_t from;
	uint16_t to;
	uint8_t class; /* of its thread */
};

/* The executions of one piece that may be simulated. */
struct al_past_piece {
	struct al_past_piece *next;
	uint32_t *words;
	struct al_past_exec *exec;
	size_t n;
	size_t size;
};

struct al_past {
	uint64_t warmup[PT_MAX_WINDOWS]; /* by window: instructions */
	uint64_t most;			 /* maximum of @warmup */
	struct al_past_piece *first;	 /* oldest */
	struct al_past_piece *last;	 /* newest */
	uint64_t far; /* instructions that the process had executed when the
			 last execution began */
	uint64_t n;   /* executions in all pieces */
};

struct pt_plan;

/* Set the lengths of the warm-ups of the plan's windows. The history is zeroed
   before. */
void al_past_init(struct al_past *, const struct pt_plan *);

/* Append copies of the executions that a piece lists in `warm`. Return: 0;
   -ENOMEM. */
int al_past_take(struct al_past *, const struct al_piece *);

/* Divide execution @e of a piece: entry @e gets the instructions before @from,
   a new entry @e + 1 the others. Return: 0; -ENOMEM. */
int al_past_cut(struct al_past *, struct al_past_piece *, size_t e,
		uint16_t from);

/* Free the pieces that no warm-up can reach any more. */
void al_past_forget(struct al_past *);

void al_past_release(struct al_past *);

#endif
