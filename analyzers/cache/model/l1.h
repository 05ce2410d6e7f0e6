/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * l1.h - a first cache level, which nearly every access hits
 *
 * Model: as in analyzers/lru/set_assoc.h. The ways of a set stand side by side,
 * in no order; the level's clock ticks at every use, used[way] tells when that
 * was, and the way used longest ago is thrown out. So a hit costs one store
 * wherever in its set the line is, and one more to make it dirty.
 *
 * Sets are searched seldom, for hint[] remembers in which way a line was found
 * last. Lines share hints, and a hint may be stale: the way itself tells. A
 * search compares the tags of a set side by side, and then the ways that are
 * alike, for a tag is half of a line number.
 */
#ifndef ANALYZERS_CACHE_MODEL_L1_H
#define ANALYZERS_CACHE_MODEL_L1_H

#include "analyzers/analyzer.h"
#include "analyzers/lru/set_assoc.h"

enum {
	AN_TICKS = 1 << 23,	 /* more than the uses in a batch */
	AN_EARLY = 0x00800000,	 /* ticks come behind this, and ... */
	AN_LATE = 0x7f7fffff,	 /* ... up to this: they are the bits of normal
				    floats, and as such compared */
	AN_FIRST_LINE = 1 << 12, /* [bytes] the longest */
};

_Static_assert(2 * AN_BATCH * PT_MAX_ACCESSES < AN_TICKS &&
		       2 * AN_BATCH * PT_MAX_INSTRS < AN_TICKS &&
		       (int)PT_MAX_LEN <= (int)AN_MIN_LINE,
	       "each access and each instruction uses two lines at most");

#define AN_EMPTY UINT64_MAX /* a way without a line */

struct an_first {
	uint64_t *way;	/* line number: address / line size */
	uint8_t *dirty; /* [as way] */
	int32_t *used;	/* [as way] by `clock`; 0: never */
	uint32_t *hint; /* [hints + 1] index of a way, by line */
	int32_t *tag;	/* [as way] the lower half of the line number */
	uint64_t hints; /* mask of line numbers; see an_first_hint() */
	uint32_t rotate, unrotate;
	uint32_t group_mask; /* of set numbers */
	uint32_t pitch;	     /* of groups [ways] */
	uint64_t sets;	     /* at least 2: neighbouring lines do not meet */
	uint64_t mask;	     /* sets - 1 when a power of two, else 0 */
	int32_t clock;
	uint32_t assoc;	 /* AN_WIDE at most */
	uint32_t stride; /* of sets [ways]; those beyond assoc are never used */
	uint32_t shift;	 /* log2 of the line size */
	bool is_usual;	 /* a power of two of sets of the usual stride, in one
			    group */
	uint64_t writebacks;
};

/* 0 or -ENOMEM. */
int an_first_init(struct an_first *, const struct an_level *);
void an_first_release(struct an_first *);

/* Sees to it that the clock can tick AN_TICKS times. */
void an_first_wind(struct an_first *);

/* Replaces the times of every @step-th set from @set on by ranks, the least
   times that are in the same order. */
void an_first_rank(struct an_first *, uint64_t set, uint64_t step);

/* No rank is later. */
static inline int32_t an_first_last_rank(const struct an_first *f)
{
	return AN_EARLY + (int32_t)f->assoc;
}

/* Lays an empty level out anew: the sets whose numbers are the same modulo
   @groups, a power of two that divides their number, lie together with their
   hints, and no line of this machine's caches has any of another group's. To
   begin with: one group. 0 or -ENOMEM. */
int an_first_group(struct an_first *, uint32_t groups);

/* Which hint is a line's. */
static inline uint64_t an_first_hint(const struct an_first *f, uint64_t line)
{
	return (line << f->rotate | (line & f->hints) >> f->unrotate) &
	       f->hints;
}

/* For those who note themselves where lines are (i1_lines.h), and use
   nothing else but the times: where the ways of a line's set begin, and which
   of them has not been used for longest. The caller uses it now. */
uint32_t an_first_place(const struct an_first *, uint64_t line);
uint32_t an_first_oldest(const struct an_first *, uint32_t place);

/* an_first_touch() of a line that is not where its hint says. @clock: its next
   tick, for those who have it elsewhere: what waits for a clock in memory waits
   for all that uses it. */
bool an_first_search(struct an_first *, uint64_t line, bool write,
		     int32_t clock);

/**
 * an_first_touch() - Use a line. The clock must be wound.
 * @line: address / line size.
 *
 * Return: whether it was missing.
 */
static inline bool an_first_touch(struct an_first *f, uint64_t line, bool write)
{
	uint32_t at = f->hint[an_first_hint(f, line)];

	if (f->way[at] != line)
		return an_first_search(f, line, write, ++f->clock);
	f->dirty[at] |= write;
	f->used[at] = ++f->clock;
	return false;
}

/* Uses the one or two lines of an access; see an_ways_access(). */
static inline bool an_first_access(struct an_first *f, uint64_t addr,
				   unsigned size, bool write)
{
	uint64_t first = addr >> f->shift;
	uint64_t last = (addr + size - 1) >> f->shift;
	bool missed = an_first_touch(f, first, write);

	if (last != first)
		missed |= an_first_touch(f, last, write);
	return missed;
}

#endif
