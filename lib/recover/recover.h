/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover.h - units of a chunk, checked and turned into a piece
 *
 * Threads: several may recover chunks of an image at once, each with a
 *          recoverer of its own, in any order.
 *
 * Executions are counted here once for all analyzers: how often each block
 * was left by each exit. Instructions, reads and writes follow from that. Each
 * recoverer has counters of its own, so that all that they share are the
 * blocks: those that the tool has described, and those that were executed.
 */
#ifndef LIB_RECOVER_RECOVER_H
#define LIB_RECOVER_RECOVER_H

#include <pthread.h>

#include "analyzers/analyzer.h"
#include "lib/recover/executed_blocks.h"
#include "lib/recover/recovered_chunk.h"

/* What the recoverers of an image share. */
struct al_recovery {
	pthread_mutex_t lock; /* guards the rest; nothing is taken while it is
				 held */
	struct al_blocks blocks;
	struct al_executed executed;
	struct al_lanes lanes; /* constant; a recoverer reads it without */
	bool warms;	 /* constant, too: what warm lanes may want is listed */
	uint32_t thread; /* that runs where the last chunk ended; used
				  where there are several classes of threads,
				  whose chunks are recovered in order */
};

/* @strings: where paths are kept. */
void al_recovery_init(struct al_recovery *, struct al_intern *strings);

void al_recovery_release(struct al_recovery *);

/* What is recovered was recorded by a plan. Before anything has come. */
void al_recovery_plan(struct al_recovery *, const struct pt_plan *);

/*
 * What the loop over units needs of a route: all in one place. The lower 16
 * bits of the first word are the length of its units [4 bytes], with more in
 * front when it takes more than this loop: the block has guards, or this
 * recoverer has not met it yet, or none of the thread's lanes wants it, or some
 * warm lane does. Those above count executions.
 */
struct al_hot {
	uint64_t times_length;
	uint64_t exec; /* an_exec(), but for the place */
};

enum { AL_ONCE = 1 << 16 /* in al_hot.times_length */ };

/* A block that a recoverer has met. */
struct al_met {
	struct al_block *block; /* NULL: not met */
	uint64_t *skipped;	/* [n_accesses]; NULL: it has no guards */
	uint64_t *tally;	/* [n_exits] see chunk_counts.c, or NULL */
	bool is_far;		/* has accesses for which al_is_far(); as soon
				   as there is a tally */
};

/* By route, of one class of threads. */
struct al_hots {
	struct al_hot *hot;
	uint32_t n;
};

struct al_recoverer {
	struct al_recovery *recovery;
	struct al_recoverer *next; /* the owner's */
	unsigned class;		   /* of the thread that runs */
	struct al_hots hots;	   /* of class 0 */
	struct al_hots *others;	   /* [classes - 1]; NULL: not used yet */
	uint32_t n_met;
	struct al_met *met;	      /* by number of the block */
	const struct al_desc **whole; /* by route, of blocks with warm lanes;
					 NULL: there are none */
	uint32_t n_whole;
	struct al_touch *touch; /* for who records, or NULL; its own */
};

/* Where recovery stands in a chunk. */
struct al_cursor {
	const uint32_t *base;
	size_t at;  /* [4 bytes] */
	size_t end; /* [4 bytes] */
};

void al_recoverer_release(struct al_recoverer *);

/* Executions of a block that the recoverer has met, by an exit. */
uint64_t al_recoverer_times(const struct al_recoverer *, const struct al_met *,
			    unsigned exit);

/**
 * al_recover() - Append what lies between the cursor and its end to a piece.
 * @piece: has room for an execution in every 4 bytes.
 *
 * Return: 0; -EPROTO at a unit that contradicts the descriptors, -ENOMEM; the
 *         piece then holds what came before.
 */
int al_recover(struct al_recoverer *, struct al_cursor *,
	       struct al_piece *piece);

/* Takes back that a piece was recovered, and empties it. */
void al_recovery_undo(struct al_recovery *, struct al_piece *);

/* Moves what a recoverer has counted to the blocks' counters. */
void al_recoverer_settle(struct al_recoverer *);

#endif
