/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_level.h - one cache level: which lines it holds, in LRU order
 *
 * Room:    analyzers.
 * Used by: an_hierarchy.c; an_first.h has the other kind.
 *
 * Model: Cachegrind's. Line-granular, LRU, write-allocate. Write-back: a line
 * is dirty once a write has reached this level; throwing a dirty line out is
 * a writeback, which is counted and is no access to the next level.
 *
 * A way is a word:
 *
 *   63      62                                                            0
 *   dirty   line number (address / line size) + 1, or 0: empty
 *
 * A set's most recently used way stands in mru[set], where one look tells the
 * usual case; the others follow by age in rest[set * (assoc - 1)].
 *
 * Wide sets (more than AN_WIDE ways) keep the same order in a list with a
 * hash table, so that a fully associative level costs no search.
 */
#ifndef AN_LEVEL_H
#define AN_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/an_geometry.h"

enum { AN_WIDE = 64 };

#define AN_DIRTY (UINT64_C(1) << 63)

struct an_wide;

struct an_ways {
	uint64_t *mru;	/* [sets] */
	uint64_t *rest; /* [sets * (assoc - 1)] */
	uint64_t sets;	/* number of sets */
	uint64_t mask;	/* sets - 1 when a power of two, else 0 */
	uint32_t assoc;
	uint32_t shift;	      /* log2 of the line size */
	struct an_wide *wide; /* instead of mru and rest */
	uint64_t writebacks;
	uint64_t thrown; /* way: what the last line that was missing threw out,
			    or 0 */
};

/* The line that was written back for the last one that was missing; UINT64_MAX:
   none was. */
static inline uint64_t an_ways_written(const struct an_ways *w)
{
	return w->thrown & AN_DIRTY ? (w->thrown & ~AN_DIRTY) - 1 : UINT64_MAX;
}

/* 0 or -ENOMEM. */
int an_ways_init(struct an_ways *, const struct an_level *);
void an_ways_release(struct an_ways *);

/* The set of a line. */
static inline uint64_t an_ways_set(const struct an_ways *w, uint64_t line)
{
	return w->mask || w->sets == 1 ? line & w->mask : line % w->sets;
}

/* For a line that is not its set's most recently used one. */
bool an_ways_touch_older(struct an_ways *, uint64_t line, bool write);

/**
 * an_ways_touch() - Use a line and make it the most recently used of its set.
 * @line: address / line size.
 *
 * Return: whether it was missing.
 */
static inline bool an_ways_touch(struct an_ways *w, uint64_t line, bool write)
{
	uint64_t *mru;

	if (w->mru == NULL)
		return an_ways_touch_older(w, line, write);
	mru = &w->mru[an_ways_set(w, line)];
	if ((*mru ^ (line + 1)) << 1 != 0)
		return an_ways_touch_older(w, line, write);
	*mru |= (uint64_t)write << 63;
	return false;
}

/**
 * an_ways_access() - Use the one or two lines of an access.
 *
 * Return: whether any was missing: a straddling access costs one miss at most.
 */
static inline bool an_ways_access(struct an_ways *w, uint64_t addr,
				  unsigned size, bool write)
{
	uint64_t first = addr >> w->shift;
	uint64_t last = (addr + size - 1) >> w->shift;
	bool missed = an_ways_touch(w, first, write);

	if (last != first)
		missed |= an_ways_touch(w, last, write);
	return missed;
}

/* The set of an access's first line is wanted soon. */
static inline void an_ways_prefetch(const struct an_ways *w, uint64_t addr)
{
	if (w->mru != NULL)
		__builtin_prefetch(&w->mru[an_ways_set(w, addr >> w->shift)]);
}

#endif
