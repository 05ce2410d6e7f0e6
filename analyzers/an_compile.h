/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_compile.h - plans as machine code
 *
 * Room:    analyzers.
 * Used by: an_cachequick.c, an_cachecode.c.
 * Threads: one at a time; a path has a compiler of its own.
 *
 * A block that is executed often gets code of its own, for this machine's
 * processor: it looks for each run's line where the hint says, notes the time,
 * and goes on to the next execution's block. All the plan's figures are in the
 * instructions, so that nothing but slots, hints, ways and times is loaded.
 * What is not where the hint says is the caller's matter.
 *
 * Where the processor is another, or no memory may be executed, nothing is ever
 * ready, and the caller does it all.
 */
#ifndef AN_COMPILE_H
#define AN_COMPILE_H

#include "analyzers/an_emit.h"
#include "analyzers/an_first.h"
#include "analyzers/an_plan.h"

/* What the code needs. */
struct an_frame {
	/* Of the caller: */

	/* A run whose line is elsewhere; @slots of its execution. */
	void (*search)(struct an_frame *, const struct an_exec *, uint32_t run,
		       const uint32_t *slots);
	/* An execution of a block that has no code. */
	void (*other)(struct an_frame *, const struct an_exec *);
	struct an_first *first;
	const struct an_batch *batch;
	const struct an_plan *plan; /* by block; the caller's own, as are: */
	void *caller;
	void *misses;
	bool failed;

	/* Of an_compile_run(): the level's arrays, and so on. */
	const uint64_t *way;
	int32_t *used;
	const uint32_t *hint;
	uint8_t *dirty;
	const uint32_t *base;
	const struct an_exec *end;
	const uint8_t *const *entry; /* by block */
	int32_t clock;		     /* the level's, meanwhile */
};

/* Zeroed: nothing is compiled. */
struct an_compiler {
	struct an_emit out;
	const uint8_t **entry; /* by block */
	uint8_t *times;	       /* executed without code, by block */
	uint32_t n_entries;
	size_t start; /* where code lies that all blocks share */
	size_t leave;
	size_t search;
	size_t other;
};

enum { AN_CODE = 16 << 20 /* [bytes] for all blocks, at most */ };

/* @code: AN_CODE bytes that may be executed; NULL: nothing will be compiled. */
void an_compile_init(struct an_compiler *, uint8_t *code);

/**
 * an_compile_ready() - Before a batch.
 * @n_blocks: all that it executes are below.
 *
 * Return: whether an_compile_run() can be called.
 */
bool an_compile_ready(struct an_compiler *, uint32_t n_blocks);

/**
 * an_compile_note() - A block was executed without code; when that has come
 *                     often enough, and there is room, it gets some.
 *
 * Context: from an_frame.other.
 */
void an_compile_note(struct an_compiler *, const struct an_path *,
		     const struct an_first *);

/* Simulates the executions of frame->batch, at least one. */
void an_compile_run(const struct an_compiler *, struct an_frame *);

void an_compile_release(struct an_compiler *);

#endif
