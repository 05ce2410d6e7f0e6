/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access_runs.h - what the cache simulation needs of a block
 *
 * What does not depend on the execution is worked out once: which lines of
 * code have to be looked up (an instruction in the same line as the one before
 * it cannot miss), and runs of accesses that one look can clear.
 *
 * A plan holds what every execution of a block needs, in as few bytes as can
 * be: most of the time goes into fetching it. Code and data are simulated by
 * different threads, so each has a plan of its own, in memory of its own.
 */
#ifndef ANALYZERS_CACHE_MODEL_ACCESS_RUNS_H
#define ANALYZERS_CACHE_MODEL_ACCESS_RUNS_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"
#include "analyzers/cache/model/hierarchy.h"

enum { AN_GUARDED = UINT16_MAX }; /* as a span: more than any quick line */

/*
 * Accesses in a row with the same base, no further apart than a line: they
 * touch the first byte's line and the last byte's, and no other. A guarded
 * access is a run of its own, and spans AN_GUARDED. Of code, the instructions
 * in a row that need no look but one: a line's.
 */
struct an_run {
	uint64_t delta; /* of the first byte */
	uint16_t place; /* of the base behind the header, if any [4 bytes]; of
			   code, what the first instruction has before the line,
			   and below it its length [bytes] */
	uint16_t span;	/* [bytes] from the first byte to the last */
	uint16_t first; /* number of its first access or instruction */
	int8_t based;	/* -1: relative to the base, 0: absolute */
	uint8_t writes; /* 1: something is written, 0: nothing is */
};

static inline uint64_t an_run_base(const struct an_run *r,
				   const uint32_t *slots)
{
	return pt_slot(slots + r->place) & (uint64_t)r->based;
}

/* Whether it can be looked up by its first line: it is sure to happen, and not
   known to be in two. @shift: log2 of the line size. */
static inline bool an_run_is_plain(const struct an_run *r, uint32_t shift)
{
	if (r->based)
		return r->span != AN_GUARDED;
	return r->delta >> shift == (r->delta + r->span) >> shift;
}

/* Where a run of code has its first instruction. */
static inline uint64_t an_run_addr(const struct an_run *r)
{
	return r->delta - (r->place >> 8);
}

static inline unsigned an_run_len(const struct an_run *r)
{
	return r->place & UINT8_MAX;
}

/*
 * A use of a line: its number, and in the lowest bits how. Line numbers have
 * bits to spare, for lines are no shorter than AN_MIN_LINE. Where: the number
 * of the execution, and below that of the access.
 */
enum {
	AN_WRITES = 1,
	AN_STRADDLES = 2,
	AN_LINE_SHIFT = 2,
	AN_ACCESS_BITS = 10,
};

_Static_assert(PT_MAX_ACCESSES <= 1 << AN_ACCESS_BITS,
	       "an access and its execution fit into 32 bits");

/* Behind the counts, at the next multiple of 8 bytes, come the runs, and one
   more: its first is where accesses or instructions end. */
struct an_path {
	const struct an_block *block;
	uint16_t run; /* where the runs begin [8 bytes from here] */
	uint16_t n[]; /* runs, by exit */
};

static inline const struct an_run *an_path_runs(const struct an_path *p)
{
	return (const struct an_run *)((const uint64_t *)p + p->run);
}

/* Where paths do not begin apart, accesses are simulated one by one: then there
   is no code, and of the data only the block. */
struct an_plan {
	const struct an_path *code;
	const struct an_path *data;
};

/* Zeroed: no plans. */
struct an_planner {
	struct an_arena code;
	struct an_arena data;
};

/* 0 with the plan in @out, alive until release; -ENOMEM. */
int an_planner_add(struct an_planner *, const struct an_block *,
		   const struct an_hierarchy *, struct an_plan *out);
void an_planner_release(struct an_planner *);

/* An access of an execution. */
struct an_ref {
	uint64_t addr;
	unsigned size; /* [bytes] cut to the smallest line: Cachegrind does so
			  with what Valgrind's helpers access in one go */
	bool write;
};

/* Access @i of an execution with these slots; false when it did not happen. */
bool an_block_ref(const struct an_block *, unsigned smallest_line, unsigned i,
		  const uint32_t *slots, struct an_ref *out);

#endif
