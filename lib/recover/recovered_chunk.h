/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recovered_chunk.h - what a chunk recorded, recovered and not yet analysed
 *
 * Threads: one at a time, but for what lib/pipeline/stages.h allows.
 *
 * Slots stay in the chunk, which therefore must stay until the piece is
 * analysed. Where the stream is kept in a profile, they are in a copy: what is
 * coded is then what was checked, whatever the program writes meanwhile.
 */
#ifndef LIB_RECOVER_RECOVERED_CHUNK_H
#define LIB_RECOVER_RECOVERED_CHUNK_H

#include "analyzers/analyzer.h"
#include "profile/format/pages.h"

struct al_block;
struct al_desc;
struct pf_block;

/* Wait status of a child as its parent saw it. */
struct al_child_exit {
	uint32_t pid;
	uint32_t status; /* as from waitpid() */
};

/* An execution that some warm lane may want. */
struct al_warm {
	const struct al_desc *desc; /* of the whole block */
	uint32_t at;		    /* its slots [4 bytes from the base] */
	uint16_t words; /* of them, and of what is behind them in its unit */
	uint16_t exit;	/* or AL_CUT: a fault stopped it */
	uint8_t class;	/* of its thread */
};

enum { AL_CUT = UINT16_MAX };

/* A private copy of a chunk. */
struct al_copy {
	struct al_copy *next; /* next copy of the owner's list */
	size_t size;	      /* [bytes] of words */
	uint64_t words[];
};

/* A window with warm lanes begins to take what comes. */
struct al_taking {
	uint32_t before; /* execution */
	uint32_t window;
	uint64_t far; /* how far the process is */
};

struct al_piece {
	const uint32_t *base; /* the chunk's words, or those of the copy */
	size_t bytes;	      /* of the chunk */
	size_t end;   /* [bytes] of a chunk that was not finished, or 0 */
	size_t taken; /* [bytes] recovered */
	int broken;   /* by what comes next in the chunk: -errno */
	int (*load)(void *arg); /* brings the words; or NULL */
	void *load_arg;
	unsigned lane;		      /* see analyzer.h */
	const struct al_block *block; /* of those to be told now, the first */
	uint32_t n_blocks;
	struct an_exec *exec;
	size_t n_execs;
	size_t execs_size;
	struct an_mark *mark; /* before: counted from the piece's start */
	size_t n_marks;
	size_t marks_size;
	size_t n_cuts;		     /* executions stopped by a fault */
	struct al_child_exit *child; /* exits that were waited for */
	size_t n_children;
	size_t children_size;

	/* Of windows with a warmup. */
	struct al_warm *warm;
	size_t n_warm;
	size_t warm_size;
	struct al_taking *taking;
	size_t n_takings;
	size_t takings_size;

	/* What is kept in a profile. */
	uint64_t come_ns; /* when it was begun, by CLOCK_MONOTONIC */
	struct pf_counts counts;
	struct pf_pages *far;	  /* al_is_far(); NULL: there was none ever */
	struct pf_block *packing; /* until it is put; or NULL */
	struct al_copy *copy;	  /* copy of the chunk, or NULL */
};

/**
 * al_piece_start() - Empty the piece, with room for what a chunk can execute.
 *
 * base, bytes and end are set.
 * Return: 0; -ENOMEM. It is empty either way.
 */
int al_piece_start(struct al_piece *);

/**
 * al_piece_copy() - Copy the chunk to private memory, and use the copy.
 * @bytes: of the chunk, from its start; 8 bytes of 0 follow them.
 *
 * Reuses the piece's copy of an earlier chunk if it is long enough. The words
 * stay valid until the next call or al_piece_release().
 * Return: 0; -ENOMEM: base is as it was.
 */
int al_piece_copy(struct al_piece *, size_t bytes);

/* Append; 0 or -ENOMEM. */
int al_piece_mark(struct al_piece *, unsigned kind, uint32_t id);
int al_piece_child(struct al_piece *, uint32_t pid, uint32_t status);

int al_piece_warm(struct al_piece *, const struct al_warm *);
int al_piece_taking(struct al_piece *, uint32_t window, uint64_t far);

/* Nothing was executed. */
void al_piece_empty(struct al_piece *);

void al_piece_release(struct al_piece *);

#endif
