/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cacheblock.h - a block, prepared for the cache simulation
 *
 * Room:    analyzers.
 * Used by: an_cachesim.c (executes it), an_cacheresult.c (adds it up).
 *
 * What does not depend on the execution is worked out once: which lines of
 * code have to be looked up (an instruction in the same line as the one before
 * it cannot miss), the accesses as flat operations, and for each exit, groups
 * of accesses that one look can clear.
 */
#ifndef AN_CACHEBLOCK_H
#define AN_CACHEBLOCK_H

#include "analyzers/an_hierarchy.h"
#include "analyzers/analyzer.h"

/* A line of code to look up; a straddling instruction may have two. */
struct an_fetch {
	uint64_t line;
	uint32_t set;
	uint32_t instr; /* index in the block */
};

/* Data access number i of the block. */
struct an_op {
	uint64_t delta;
	uint16_t place; /* of its base behind the header, if it has one, [4
			   bytes] */
	uint8_t last;	/* [bytes] size - 1 */
	int8_t based;	/* -1: relative to the base, 0: absolute */
	int8_t reads;	/* -1: reads, 0: writes, if only besides */
	uint8_t guarded;
};

/*
 * Accesses with the same base, no further apart than a line: they touch the
 * first byte's line and the last byte's line, and no other.
 */
struct an_group {
	uint64_t delta; /* of the first byte */
	uint16_t place; /* [4 bytes] */
	uint8_t span;	/* [bytes] from the first byte to the last, < line */
	int8_t based;	/* -1: relative to the base, 0: absolute */
	int8_t reads;	/* -1: nothing is written, 0: something is */
};

/* What an execution that leaves by an exit does. */
struct an_route {
	uint32_t quiet; /* when its code was last known to change nothing */
	uint32_t first_group;
	uint16_t n_groups;
	uint16_t n_fetches;
	uint16_t n_ops;
	uint8_t guarded; /* some access is */
	uint8_t single;	 /* no access shares its group */
};

struct an_cacheblock {
	struct an_route *route; /* by exit */
	struct an_fetch *fetch;
	struct an_group *group;
	struct an_op *op;
	const struct an_block *block;
	uint64_t *misses; /* [(n_instrs + n_accesses) * AN_MAX_LEVELS]: how
			     often a fetch or access missed exactly n + 1
			     levels; NULL until one did */
};

/**
 * an_cacheblock_new() - Prepare a block.
 * @every: look every instruction up, also in the line of the one before.
 *
 * Return: NULL when memory is short.
 */
struct an_cacheblock *an_cacheblock_new(const struct an_block *,
					const struct an_hierarchy *,
					bool every);
void an_cacheblock_free(struct an_cacheblock *);

/* The counters of row @row: instruction row, or n_instrs + access. Never
   NULL; a scratch row when memory is short. */
uint64_t *an_cacheblock_misses(struct an_cacheblock *, unsigned row);

#endif
