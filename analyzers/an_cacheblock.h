/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cacheblock.h - a block, prepared for the cache simulation
 *
 * Room:    analyzers.
 * Used by: an_cachesim.c (executes it), an_cacheresult.c (adds it up).
 *
 * What does not depend on the execution is worked out once: which lines of
 * code have to be looked up (an instruction in the same line as the one before
 * it cannot miss), and the accesses as flat operations.
 */
#ifndef AN_CACHEBLOCK_H
#define AN_CACHEBLOCK_H

#include "analyzers/an_hierarchy.h"
#include "analyzers/analyzer.h"

/* A line of code to look up; a straddling instruction may have two. */
struct an_fetch {
	uint64_t tag;	/* as it stands in a set */
	uint32_t set;	/* index of the set's first way */
	uint32_t instr; /* index in the block */
};

/* Data access number i of the block. */
struct an_op {
	uint64_t delta;
	uint16_t word; /* of the unit that holds its base; 0: none does */
	uint8_t last;  /* [bytes] size - 1 */
	uint8_t write; /* 1 when it makes lines dirty */
	uint8_t has_base;
	uint8_t guarded;
};

struct an_cacheblock {
	const struct an_block *block;
	struct an_fetch *fetch;
	struct an_op *op;
	uint16_t *n_fetches; /* by exit */
	uint16_t *n_ops;     /* by exit */
	uint64_t *misses;    /* [(n_instrs + n_accesses) * AN_MAX_LEVELS]: how
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
