/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * geometry.h - shape of a cache hierarchy
 */
#ifndef ANALYZERS_GEOMETRY_H
#define ANALYZERS_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AN_MAX_LEVELS = 6,
	AN_LEVEL_NAME = 16, /* [bytes] with the NUL */
	AN_MIN_LINE = 32,   /* [bytes] so that no access spans three lines */
	AN_MEMORY = -1,	    /* next: nothing below */
};

enum an_cache_kind { AN_INSTRUCTION, AN_DATA, AN_UNIFIED };

/*
 * size = sets * assoc * line. line is a power of two, AN_MIN_LINE at least;
 * sets need be none, full associativity is sets == 1.
 */
struct an_level {
	char name[AN_LEVEL_NAME];
	enum an_cache_kind kind;
	uint64_t size; /* [bytes] */
	uint32_t assoc;
	uint32_t line; /* [bytes] */
	uint64_t sets;
	int next; /* index of the level that its misses go to, or AN_MEMORY */
};

/* A shape that a sweep tries. */
struct an_shape {
	uint64_t size; /* [bytes] */
	uint64_t sets;
	uint32_t assoc;
	uint32_t line; /* [bytes] */
};

/* Many caches in place of a level. No two shapes are the same. */
struct an_sweep {
	int level; /* index; the levels above it are as they are */
	unsigned n;
	struct an_shape shape[];
};

/* Levels in the order given; exactly one of them serves instructions first
   and one serves data first (the same one when it is unified). */
struct an_geometry {
	struct an_level level[AN_MAX_LEVELS];
	int n_levels;
	int first_instruction;	/* index */
	int first_data;		/* index */
	struct an_sweep *sweep; /* the owner of the geometry frees it; NULL:
				   none */
};

#endif
