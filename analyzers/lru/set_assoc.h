/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set_assoc.h - one cache level: which lines it holds, in LRU order
 *
 * Model: Cachegrind's. Line-granular, LRU, write-allocate. Write-back: a line
 * is dirty once a write has reached this level; throwing a dirty line out is
 * a writeback, which is counted and is no access to the next level.
 *
 * A set's ways stand side by side, the one used last first. A way is a word of
 * 32 bits, for this machine's caches shall hold many of them:
 *
 *   31      30                                                            0
 *   dirty   tag (line number / sets) + 1, or 0: empty; behind it all are
 *
 * Tags of AN_FAR and above, which addresses beyond AN_FAR * sets lines have,
 * are numbered as they come, and stand as AN_FAR + number. Each takes some 40
 * bytes until the level is released; with 2048 sets of lines of 64 bytes no
 * address of a program (below 2^47) has one.
 *
 * Wide sets (more than AN_WIDE ways) keep the same order in a list with a
 * hash table, so that a fully associative level costs no search.
 */
#ifndef ANALYZERS_LRU_SET_ASSOC_H
#define ANALYZERS_LRU_SET_ASSOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/geometry.h"
#include "analyzers/key_table.h"

enum { AN_WIDE = 64, AN_FAR = 1 << 30 };

#define AN_DIRTY (UINT64_C(1) << 63)

struct an_wide;

struct an_ways {
	uint32_t *way; /* [sets * stride], in `memory` */
	void *memory;
	uint64_t sets;	    /* number of sets */
	uint64_t mask;	    /* sets - 1 when a power of two, else 0 */
	uint32_t tag_shift; /* log2 of sets when a power of two */
	bool is_plain;	    /* they are, and in `way` */
	uint32_t stride;    /* of sets [ways]: so that few of them lie in more
			       lines of this machine's than need be */
	uint32_t assoc;
	uint32_t shift;	      /* log2 of the line size */
	struct an_index far;  /* tags ... */
	uint64_t last_far;    /* ... the last one asked for ... */
	uint32_t last_way;    /* ... and how it stands; 0: there is none */
	struct an_wide *wide; /* instead of way */
	uint64_t writebacks;
	uint64_t thrown; /* what the last line that was missing threw out: its
			    number + 1, and AN_DIRTY; or 0 */
	bool failed;	 /* memory was short: the level is wrong */
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

/* The tag of a line. */
static inline uint64_t an_ways_tag(const struct an_ways *w, uint64_t line)
{
	return w->mask || w->sets == 1 ? line >> w->tag_shift : line / w->sets;
}

/* an_ways_touch() of a line that an_ways_again() does not use, which may be its
   set's most recently used one where sets are no power of two. */
bool an_ways_search(struct an_ways *, uint64_t line, bool write);

/* Uses a line that was its set's most recently used one and is found without a
   search; whether it was. */
static inline bool an_ways_again(struct an_ways *w, uint64_t line, bool write)
{
	uint64_t tag = line >> w->tag_shift;
	uint32_t *first;

	if (!w->is_plain || tag >= AN_FAR)
		return false;
	first = &w->way[(line & w->mask) * w->stride];
	if ((*first ^ ((uint32_t)tag + 1)) << 1 != 0)
		return false;
	if (write)
		*first |= UINT32_C(1) << 31;
	return true;
}

/**
 * an_ways_touch() - Use a line and make it the most recently used of its set.
 * @line: address / line size.
 *
 * Return: whether it was missing.
 */
static inline bool an_ways_touch(struct an_ways *w, uint64_t line, bool write)
{
	return !an_ways_again(w, line, write) && an_ways_search(w, line, write);
}

/* Whether an access is in one line. */
static inline bool an_ways_has_whole(const struct an_ways *w, uint64_t addr,
				     unsigned size)
{
	return addr >> w->shift == (addr + size - 1) >> w->shift;
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
static inline __attribute__((always_inline)) void
an_ways_prefetch(const struct an_ways *w, uint64_t addr)
{
	uint64_t line = addr >> w->shift;

	if (w->is_plain)
		__builtin_prefetch(&w->way[(line & w->mask) * w->stride]);
	else if (w->way != NULL)
		__builtin_prefetch(&w->way[an_ways_set(w, line) * w->stride]);
}

#endif
