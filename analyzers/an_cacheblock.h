/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cacheblock.h - blocks, prepared for the cache simulation
 *
 * Room:    analyzers.
 * Used by: an_cachesim.h, which executes them.
 *
 * What does not depend on the execution is worked out once: which lines of
 * code have to be looked up (an instruction in the same line as the one before
 * it cannot miss), and runs of accesses that one look can clear.
 *
 * A plan holds what every execution of a block needs, in as few bytes as can
 * be, one array behind the other: most of the time goes into fetching it.
 */
#ifndef AN_CACHEBLOCK_H
#define AN_CACHEBLOCK_H

#include "analyzers/an_hierarchy.h"
#include "analyzers/analyzer.h"

/* A line of code to look up; a straddling instruction may have two. */
struct an_fetch {
	uint64_t line;
	uint32_t way;	/* index of the way where it was found last */
	uint16_t instr; /* index in its block */
};

enum { AN_GUARDED = UINT16_MAX }; /* as a span: more than any quick line */

/*
 * Accesses in a row with the same base, no further apart than a line: they
 * touch the first byte's line and the last byte's, and no other. A guarded
 * access is a run of its own, and spans AN_GUARDED.
 */
struct an_run {
	uint64_t delta; /* of the first byte */
	uint16_t place; /* of the base behind the header, if any [4 bytes] */
	uint16_t span;	/* [bytes] from the first byte to the last */
	uint16_t first; /* number of its first access */
	int8_t based;	/* -1: relative to the base, 0: absolute */
	uint8_t reads;	/* 1: nothing is written, 0: something is */
};

/* What an execution that leaves by an exit does. */
struct an_route {
	uint16_t n_fetches;
	uint16_t n_runs;
};

struct an_plan {
	const struct an_block *block;
	uint32_t seen;	/* batch in which it was last listed ... */
	uint16_t lines; /* ... with so many fetches; see an_cachecode.c */
	uint16_t fetch; /* where its arrays begin [8 bytes from here] */
	uint16_t run;
	struct an_route route[]; /* by exit */
};

static inline struct an_fetch *an_plan_fetches(struct an_plan *p)
{
	return (struct an_fetch *)((uint64_t *)p + p->fetch);
}

/* One more than there are: its first access is where accesses end. */
static inline const struct an_run *an_plan_runs(const struct an_plan *p)
{
	return (const struct an_run *)((const uint64_t *)p + p->run);
}

/* For free(). NULL when memory is short, or the block too large. */
struct an_plan *an_plan_new(const struct an_block *,
			    const struct an_hierarchy *);

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
