/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_recover.h - units of a chunk, checked and turned into a piece
 *
 * Room:    lib.
 * Used by: al_stream.c, al_counts.c, al_analyst.c.
 * Threads: one at a time; pieces made before may be with another meanwhile.
 *
 * Executions are counted here once for all analyzers: how often each block
 * was left by each exit. Instructions, reads and writes follow from that.
 */
#ifndef AL_RECOVER_H
#define AL_RECOVER_H

#include "analyzers/analyzer.h"
#include "lib/al_blocks.h"
#include "lib/al_piece.h"

/* A block that has been executed, with its counters. */
struct al_block {
	struct an_block pub;
	struct al_block *next; /* of those new in a piece */
	const struct al_desc *desc;
	struct al_desc *own; /* a cut block's, to free */
	uint64_t *left;	     /* [n_exits] */
	uint64_t *skipped;   /* [n_accesses] or NULL */
};

/*
 * What the loop over units needs of a route: all in one place. The lower 16
 * bits of the first word are the length of its units [bytes], + 1 when the
 * block has guards, or 1: the block was not executed yet. Those above count
 * executions.
 */
struct al_hot {
	uint64_t times_length;
	uint64_t exec; /* an_exec(), but for the place */
};

struct al_recovery {
	struct al_blocks blocks;
	struct al_hot *hot; /* by route */
	uint32_t n_hot;
	struct al_block **block; /* executed ones */
	uint32_t n_blocks;
	uint32_t blocks_size;
	struct an_exec last; /* executed last */
	uint64_t threads;
	uint64_t signals;
	struct al_child_exit *child; /* exits that were waited for */
	size_t n_children;
	size_t children_size;
};

/* Where recovery stands in a chunk. */
struct al_cursor {
	const uint32_t *base;
	size_t at;  /* [4 bytes] */
	size_t end; /* [4 bytes] */
};

void al_recovery_release(struct al_recovery *);

/**
 * al_recover() - Append what lies between the cursor and its end to a piece.
 * @piece: has room for an execution in every 4 bytes.
 *
 * Return: 0; -EPROTO at a unit that contradicts the descriptors, -ENOMEM; the
 *         piece then holds what came before.
 */
int al_recover(struct al_recovery *, struct al_cursor *,
	       struct al_piece *piece);

/* Brings the blocks' `left` up to date. */
void al_recovery_settle(struct al_recovery *);

#endif
