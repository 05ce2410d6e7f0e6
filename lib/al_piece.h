/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_piece.h - what a chunk recorded, recovered and not yet analysed
 *
 * Room:    lib.
 * Used by: al_recover.c (fills it), al_stream.c and al_analyst.c (hand it to
 *          the analyzers).
 * Threads: one at a time.
 *
 * Slots stay in the chunk, which therefore must stay until the piece is
 * analysed.
 */
#ifndef AL_PIECE_H
#define AL_PIECE_H

#include "analyzers/analyzer.h"
#include "lib/al_settings.h"

struct al_block;

struct al_piece {
	const uint32_t *base;
	unsigned lane;		/* see analyzer.h */
	struct al_block *block; /* executed here for the first time ever */
	struct al_block **last_block;
	struct an_exec *exec;
	size_t n_execs;
	size_t execs_size;
	struct an_mark *mark; /* before: counted from the piece's start */
	size_t n_marks;
	size_t marks_size;

	int error[AL_MAX_ANALYSES]; /* of analyses stopped in preparing it, or
				       in analysing the one before in this lane
				       */

	/* What al_piece_prepare() and al_piece_batch() have given out. */
	size_t execs_prepared;
	size_t execs_done;
	size_t marks_done;
};

/**
 * al_piece_start() - Empty the piece, with room for what a chunk can execute.
 * @bytes: size of the chunk.
 *
 * Return: 0; -ENOMEM. It is empty either way.
 */
int al_piece_start(struct al_piece *, const uint32_t *base, size_t bytes);

/* Appends; 0 or -ENOMEM. */
int al_piece_mark(struct al_piece *, unsigned kind, uint32_t id);

/* The next batch, without marks; false when there is none. */
bool al_piece_prepare(struct al_piece *, struct an_batch *batch);

/* The next batch; false when there is none. */
bool al_piece_batch(struct al_piece *, struct an_batch *batch);

void al_piece_release(struct al_piece *);

#endif
