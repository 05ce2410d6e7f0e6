/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compiler.h - plans of data as machine code
 *
 * Threads: one at a time.
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
#ifndef ANALYZERS_CACHE_JIT_COMPILER_H
#define ANALYZERS_CACHE_JIT_COMPILER_H

#include "analyzers/cache/jit/assembler.h"
#include "analyzers/cache/jit/run_code.h"
#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"

enum {
	AN_CODE = 24 << 20, /* [bytes] for all blocks, at most */
	AN_DOUBLINGS = 24,
};

/* What the code needs. */
struct an_frame {
	/* Of the caller: */

	/* A run whose line is elsewhere. @slots: of its execution; @line: of
	   its first byte, if it is plain; @last: of its last, if it also
	   spans. */
	void (*search)(struct an_frame *, const struct an_exec *,
		       uint32_t sought, const uint32_t *slots, uint64_t line,
		       uint64_t last);
	/* An execution of a block that has no code. */
	void (*other)(struct an_frame *, const struct an_exec *);

	/* Of an_compile_run(): the level's arrays. Of the caller who spreads:
	   see analyzers/cache/parallel/scatter.c. */
	union {
		struct {
			const uint64_t *way;
			int32_t *used;
			const uint32_t *hint;
			uint8_t *dirty;
			int32_t clock; /* the level's, meanwhile */
		};
		struct {
			uint64_t *present;
			uint64_t *line;	 /* the next use ... */
			uint32_t *where; /* ... and where it is */
			uint64_t *full;	 /* it stops when line is there */
			uint32_t here;	 /* number of the execution, above the
					    bits of an access */
		};
	};

	/* Of an_compile_run(). */
	uint64_t hints; /* the level's, less than 2^32; of who spreads: what
			   lines are remembered by, as the compiler was told */
	const uint32_t *base;
	const struct an_exec *end;
	const struct pt_pos *entry;
	const struct an_exec *at; /* where it stopped, of who spreads */

	/* Of the caller: */
	struct an_first *first; /* of who does not spread */
	const struct an_batch *batch;
	const struct an_plan *plan; /* by block; the caller's own, as are: */
	void *caller;
	void *misses;
	bool failed;
};

enum an_looks {
	AN_LOOKS,   /* looks for lines */
	AN_SPREADS, /* lists uses of lines */
};

/* Zeroed: nothing is compiled. */
struct an_compiler {
	struct an_emit out;
	bool widens;	      /* as an_hierarchy_widens() of data */
	struct pt_pos *entry; /* by block: addresses */
	uint16_t *times;      /* executed without code, by block */
	uint32_t n_entries;
	struct pt_pos *old[AN_DOUBLINGS]; /* entries, which may be in use */
	unsigned n_old;
	enum an_looks looks;
	size_t start; /* where code lies that all blocks share */
	size_t leave;
	size_t search;
	size_t other;
};

/* @code: AN_CODE bytes that may be executed; NULL: nothing will be compiled.
   @widens: as an_hierarchy_widens() of data. */
void an_compile_init(struct an_compiler *, uint8_t *code, enum an_looks,
		     bool widens);

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
 * Of the level that code spreads for, hints is what lines are remembered by.
 *
 * Context: from an_frame.other; where it spreads, whoever makes it ready.
 */
void an_compile_note(struct an_compiler *, uint32_t block,
		     const struct an_path *, const struct an_first *);

/* Simulates the executions of frame->batch, at least one. */
void an_compile_run(const struct an_compiler *, struct an_frame *);

/* Lists what executions from frame->at on use, until there is no room. The
   entries are those that the compiler had when it was ready for them. Context:
   any thread, while another compiles. */
void an_compile_spread(const struct an_compiler *, struct an_frame *);

void an_compile_release(struct an_compiler *);

#endif
