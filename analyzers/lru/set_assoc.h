/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set_assoc.h - simulates one cache level: which lines it holds, in LRU order
 *
 * Model: Cachegrind's. Line-granular, LRU, write-allocate, write-back: a line
 * is dirty after a write has reached this level; replacing a dirty line is a
 * write-back, which is counted and is no access to the next level.
 *
 * The ways of a set are adjacent, most recently used first. A way is 32 bits,
 * so that the host's caches hold many of them:
 *
 *   31      30                                                            0
 *   dirty   tag (line number / sets) + 1; 0: this way and all later ones
 *           of the set are empty
 *
 * Tags of AN_FAR_TAG and above ("far tags"), of addresses beyond AN_FAR_TAG *
 * sets lines, are numbered in the order of their first use and stored as
 * AN_FAR_TAG + number. Each takes some 40 bytes until the level is released.
 * With 2048 sets of lines of 64 bytes no address of a program (below 2^47) has
 * such a tag.
 *
 * Sets of more than AN_MAX_ARRAY_WAYS ways are stored as a list with a hash
 * table instead (fully_assoc.h), so that a fully associative level needs no
 * search.
 */
#ifndef ANALYZERS_LRU_SET_ASSOC_H
#define ANALYZERS_LRU_SET_ASSOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/geometry.h"
#include "base/tables/key_table.h"
#include "analyzers/lru/write_back_log.h"

enum { AN_MAX_ARRAY_WAYS = 64, AN_FAR_TAG = 1 << 30 };

#define AN_DIRTY (UINT64_C(1) << 63)

struct an_fully_assoc;

struct an_set_assoc {
	uint32_t *way; /* [sets * stride] ways of all sets, in `memory`; NULL if
			  fully_assoc is used */
	void *memory;
	uint64_t sets;	    /* number of sets */
	uint64_t mask;	    /* sets - 1 if sets is a power of two, else 0 */
	uint32_t tag_shift; /* log2 of sets if it is a power of two */
	bool is_plain;	    /* sets is a power of two, and `way` is used */
	uint32_t stride;    /* distance of two sets [ways]; padded, so that few
			       sets cross a line border of the host's caches */
	uint32_t assoc;
	uint32_t shift;		      /* log2 of the line size */
	struct al_key_table far_tags; /* numbers of far tags */
	uint64_t last_far_tag;	      /* last far tag that was looked up */
	uint32_t last_far_way; /* value that stands for last_far_tag in a way;
				  0: none was looked up */
	struct an_fully_assoc *fully_assoc; /* used instead of `way` if there
					       are more than AN_MAX_ARRAY_WAYS
					       ways */
	uint64_t writebacks;
	uint64_t evicted; /* line that the last miss replaced: its number + 1,
			    with AN_DIRTY if it was dirty; 0: none */
	bool failed;	  /* memory was short, or the numbers of far tags were:
			     the level's results are wrong */
	struct an_write_back_log *log; /* log to which lines that are written
					  back are appended; NULL: none */
	uint32_t log_level;	       /* an_write_back.level of the items
					  appended to `log` */
};

/* Return the number of the line that the last miss wrote back; UINT64_MAX: it
   wrote none back. */
static inline uint64_t
an_set_assoc_written_back_line(const struct an_set_assoc *w)
{
	return w->evicted & AN_DIRTY ? (w->evicted & ~AN_DIRTY) - 1
				     : UINT64_MAX;
}

/* Initialise an empty level. Return: 0 or -ENOMEM. */
int an_set_assoc_init(struct an_set_assoc *, const struct an_level *);
void an_set_assoc_release(struct an_set_assoc *);

/* Return the index of the set of a line. */
static inline uint64_t
an_set_assoc_set_index_of_line(const struct an_set_assoc *w, uint64_t line)
{
	return w->mask || w->sets == 1 ? line & w->mask : line % w->sets;
}

/* Return the tag of a line. */
static inline uint64_t an_set_assoc_line_tag(const struct an_set_assoc *w,
					     uint64_t line)
{
	return w->mask || w->sets == 1 ? line >> w->tag_shift : line / w->sets;
}

/* Do what an_set_assoc_touch_is_miss() does for a line that
   an_set_assoc_try_touch_mru() did not find. The line may still be its set's
   most recently used one if w->is_plain is not set or the line's tag is
   AN_FAR_TAG or above. Return: whether the line was missing. */
bool an_set_assoc_search_or_fill_is_miss(struct an_set_assoc *, uint64_t line,
					 bool write);

/* Simulate a use of a line if it is its set's most recently used one,
   w->is_plain is set and its tag is less than AN_FAR_TAG; else change nothing.
   Return: whether the use was simulated, a hit. */
static inline bool an_set_assoc_try_touch_mru(struct an_set_assoc *w,
					      uint64_t line, bool write)
{
	uint64_t tag = line >> w->tag_shift;
	uint32_t *first;

	if (!w->is_plain || tag >= AN_FAR_TAG)
		return false;
	first = &w->way[(line & w->mask) * w->stride];
	if ((*first ^ ((uint32_t)tag + 1)) << 1 != 0)
		return false;
	if (write)
		*first |= UINT32_C(1) << 31;
	return true;
}

/**
 * an_set_assoc_touch_is_miss() - Simulate a use of a line, which becomes the
 * most recently used one of its set.
 * @line: address / line size.
 *
 * Return: whether the line was missing.
 */
static inline bool an_set_assoc_touch_is_miss(struct an_set_assoc *w,
					      uint64_t line, bool write)
{
	return !an_set_assoc_try_touch_mru(w, line, write) &&
	       an_set_assoc_search_or_fill_is_miss(w, line, write);
}

/* Whether an access is within one line. */
static inline bool
an_set_assoc_is_access_in_one_line(const struct an_set_assoc *w, uint64_t addr,
				   unsigned size)
{
	return addr >> w->shift == (addr + size - 1) >> w->shift;
}

/**
 * an_set_assoc_access_is_miss() - Simulate a use of the one or two lines of an
 * access.
 *
 * Return: whether any was missing: an access that crosses a line border is at
 *         most one miss.
 */
static inline bool an_set_assoc_access_is_miss(struct an_set_assoc *w,
					       uint64_t addr, unsigned size,
					       bool write)
{
	uint64_t first = addr >> w->shift;
	uint64_t last = (addr + size - 1) >> w->shift;
	bool missed = an_set_assoc_touch_is_miss(w, first, write);

	if (last != first)
		missed |= an_set_assoc_touch_is_miss(w, last, write);
	return missed;
}

/* Prefetch the most recently used ways of the set of an access's first line
   into the host's caches, unless the level has no array `way`. */
static inline __attribute__((always_inline)) void
an_set_assoc_host_prefetch_set(const struct an_set_assoc *w, uint64_t addr)
{
	uint64_t line = addr >> w->shift;

	if (w->is_plain)
		__builtin_prefetch(&w->way[(line & w->mask) * w->stride]);
	else if (w->way != NULL)
		__builtin_prefetch(
			&w->way[an_set_assoc_set_index_of_line(w, line) *
				w->stride]);
}

#endif
