/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup_history.h - the last executions that warm lanes may want
 *
 * Threads: one at a time.
 *
 * Chunks are gone when a window opens, so this has copies of their units. It
 * goes back as far as the longest warmup, or a piece further.
 */
#ifndef LIB_PIPELINE_WARMUP_HISTORY_H
#define LIB_PIPELINE_WARMUP_HISTORY_H

#include "lib/recover/recovered_chunk.h"
#include "proto/window.h"

/* An execution, or the part of one that was not cut off when a window opened:
   its instructions [from, to). */
struct al_past_exec {
	const struct al_desc *desc; /* of the whole block */
	uint64_t far;		    /* the process was, when the block began */
	uint64_t done;	/* warm lanes for which view 0 has simulated it */
	uint32_t at;	/* its slots, in the words of its piece */
	uint16_t words; /* of them, and of what is behind them in its unit */
	uint16_t exit;	/* or AL_CUT */
	uint16_t from;
	uint16_t to;
	uint8_t class;
};

/* Of a piece. */
struct al_past_piece {
	struct al_past_piece *next;
	uint32_t *words;
	struct al_past_exec *exec;
	size_t n;
	size_t size;
};

struct al_past {
	uint64_t warmup[PT_MAX_WINDOWS]; /* by window: instructions back */
	uint64_t most;			 /* of these */
	struct al_past_piece *first;
	struct al_past_piece *last;
	uint64_t far; /* of the last execution */
	uint64_t n;   /* executions */
};

struct pt_plan;

/* Zeroed; goes back as far as the plan's windows want. */
void al_past_init(struct al_past *, const struct pt_plan *);

/* Appends what a piece has listed. 0; -ENOMEM. */
int al_past_take(struct al_past *, const struct al_piece *);

/* The next execution begins before instruction @from of @e: cuts it in two.
   0; -ENOMEM. */
int al_past_cut(struct al_past *, struct al_past_piece *, size_t e,
		uint16_t from);

/* Drops what no opening can reach any more. */
void al_past_forget(struct al_past *);

void al_past_release(struct al_past *);

#endif
