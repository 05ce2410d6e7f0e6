/* SPDX-License-Identifier: GPL-2.0-or-later */
/* geometry.h - describes a cache hierarchy */
#ifndef ANALYZERS_GEOMETRY_H
#define ANALYZERS_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AN_MAX_LEVELS = 6,
	AN_LEVEL_NAME = 16, /* [bytes] of a level's name, with the NUL */
	AN_MIN_LINE = 32,   /* [bytes] least line size, so that no instruction
			       and no access of 32 bytes spans three lines */
	AN_MEMORY = -1,	    /* value of `next`: no lower level */
};

enum an_cache_kind { AN_INSTRUCTION, AN_DATA, AN_UNIFIED };

/*
 * One cache level. size = sets * assoc * line. line is a power of two and at
 * least AN_MIN_LINE; sets need not be a power of two. A fully associative level
 * has sets == 1.
 */
struct an_level {
	char name[AN_LEVEL_NAME];
	enum an_cache_kind kind;
	uint64_t size; /* [bytes] capacity of the level */
	uint32_t assoc;
	uint32_t line; /* [bytes] size of a line of the level */
	uint64_t sets;
	int next; /* index of the next lower level, or AN_MEMORY */
};

/* One cache of a sweep. */
struct an_shape {
	uint64_t size; /* [bytes] capacity of the cache */
	uint64_t sets;
	uint32_t assoc;
	uint32_t line; /* [bytes] size of a line of the cache */
};

/* Many caches that are simulated in place of one level. All shapes differ. */
struct an_sweep {
	int level; /* index of the swept level; the levels above it are
		      simulated as configured */
	unsigned n;
	struct an_shape shape[];
};

/* Levels in the order given. Exactly one is the first level of instructions and
   one the first level of data; a unified first level is both. */
struct an_geometry {
	struct an_level level[AN_MAX_LEVELS];
	int n_levels;
	int first_instruction;	/* index of the first level of instructions */
	int first_data;		/* index in `level` of the level that data
				   accesses reach first */
	struct an_sweep *sweep; /* freed by the owner of the geometry; NULL: no
				   sweep */
};

#endif
