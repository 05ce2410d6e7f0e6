/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup_history.h - stores the last executions, for the warm-up of windows
 *
 * Threads: one at a time.
 *
 * When a window begins to record, the chunks with the instructions before that
 * have been released, so the history has copies of their units. It reaches back
 * as far as the longest warm-up, rounded up to a chunk.
 */
#ifndef LIB_PIPELINE_WARMUP_HISTORY_H
#define LIB_PIPELINE_WARMUP_HISTORY_H

#include "lib/recover/recovered_chunk.h"
#include "proto/window.h"

/* An execution that a warm-up may simulate. */
struct al_history_exec {
	const struct al_desc
		*desc;	      /* descriptor of the block that was executed */
	uint64_t instret;     /* number of instructions that the process had
			     executed when the block began */
	uint64_t n_recorded;  /* number of recorded executions of the stream up
				to this one, counting this one if it is
				recorded */
	uint32_t slots_index; /* index of its slots in the words of its
				 al_history_chunk */
	uint16_t n_words;     /* length of the execution's unit without the
				 header [4 bytes] */
	uint16_t exit;	      /* exit taken, or AL_EXIT_FAULT */
	uint16_t n_instrs;    /* number of instructions executed */
	uint8_t class;	      /* class of its thread, see thread_filter.h */
};

/* The executions of one chunk that may be simulated, with copies of their
   units. */
struct al_history_chunk {
	struct al_history_chunk *next;
	uint32_t *words;
	struct al_history_exec *exec;
	size_t n;
};

struct al_history {
	uint64_t warmup[PT_MAX_WINDOWS]; /* length of each window's warm-up
					    [instructions]; 0: none */
	uint64_t max_warmup;		 /* greatest value in `warmup` */
	struct al_history_chunk *first;	 /* oldest chunk, or NULL */
	struct al_history_chunk *last;	 /* newest chunk, or NULL */
	uint64_t instret;      /* number of instructions that the process had
			     executed when the last execution of the history
			     began */
	uint64_t n_execs;      /* number of executions in all chunks */
	uint64_t n_recorded;   /* number of recorded executions of the stream in
				all chunks before the one being prepared */
	uint64_t recorded_end; /* number of these up to the last one that has
				  instructions */
};

struct pt_plan;

/* Set the lengths of the warm-ups of the plan's windows. The history must be
   zeroed before. */
void al_history_set_warmup_lengths(struct al_history *, const struct pt_plan *);

/* Append to the history a chunk with copies of the recovered chunk's executions
   that warm lanes, the thread filters of windows' warm-ups (proto/window.h),
   may select (its member `warmup`), and of their units. Append nothing if there
   are none. Return: 0; -ENOMEM. */
int al_history_append_copy_of_warmup_execs(struct al_history *,
					   const struct al_recovered_chunk *);

/* Free the oldest chunks, as long as the longest warm-up of any window that
   begins to record now would begin after them. */
void al_history_free_chunks_beyond_warmups(struct al_history *);

void al_history_release(struct al_history *);

#endif
