/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * l1.h - simulates a first cache level, which nearly every access hits
 *
 * Model: as in analyzers/lru/set_assoc.h. The ways of a set are adjacent and
 * unordered. The level's clock ticks at every use, used[way] is the time of the
 * way's last use, and the way with the least time is replaced. So a hit costs
 * one store of the time, and one more to make the line dirty.
 *
 * hint[] stores in which way a line was last found, so sets are rarely
 * searched. Lines share hints, and a hint may be stale: way[] decides. A search
 * compares the tags of a set with vector instructions, and then the line
 * numbers of the ways with an equal tag, because a tag is only the lower half
 * of a line number.
 *
 * A level can list the lines that were used in an interval, without cost for a
 * hit: at the end of the interval, these are the lines whose time of last use
 * is in it, and those that were used and then replaced during it.
 */
#ifndef ANALYZERS_CACHE_MODEL_L1_H
#define ANALYZERS_CACHE_MODEL_L1_H

#include "analyzers/analyzer.h"
#include "analyzers/lru/set_assoc.h"

enum {
	AN_MAX_TICKS = 1 << 23,	  /* [clock ticks] more than the uses of lines
				     in one batch */
	AN_MIN_TIME = 0x00800000, /* each time of last use is greater than this;
				     see AN_MAX_TIME */
	AN_MAX_TIME = 0x7f7fffff, /* greatest time of last use. Times are bit
				     patterns of normal floats, and are compared
				     as floats */
	AN_MAX_L1_LINE = 1 << 12, /* [bytes] maximum line size of a level that
				     struct an_l1 can simulate */
};

_Static_assert(2 * AN_MAX_BATCH * PT_MAX_ACCESSES < AN_MAX_TICKS &&
		       2 * AN_MAX_BATCH * PT_MAX_INSTRS < AN_MAX_TICKS &&
		       (int)PT_MAX_LEN <= (int)AN_MIN_LINE,
	       "each access and each instruction uses two lines at most");

enum {
	AN_COUNTED_PAGE_SHIFT = 12
}; /* log2 of the area [bytes] by which
					accesses are counted */

/* A cache line that was used, and its number of accesses. */
struct an_used_line {
	uint64_t line;	     /* address / line size */
	uint64_t n_accesses; /* accesses whose first byte is in the line. A run
				of accesses that crosses the border of two lines
				in one area of 1 << AN_COUNTED_PAGE_SHIFT bytes
				may count as a whole for its first line. 0 if
				accesses are not counted */
};

/* Lines that were used; a line can be in the list more than once. Initialise
   with zeros. */
struct an_used_lines {
	struct an_used_line *item; /* [n] used lines, with their numbers of
				      accesses */
	size_t n, size;
	bool failed; /* memory was short: lines are missing */
};

void an_used_lines_release(struct an_used_lines *);

#define AN_EMPTY_WAY UINT64_MAX /* value of way[] if it holds no line */

struct an_l1 {
	uint64_t *way;	/* by way: number (address / line size) of the line that
			   it holds, or AN_EMPTY_WAY */
	uint8_t *dirty; /* [size of way] 1: the way's line was written since it
			   was filled; 0: it was not */
	int32_t *used;	/* [size of way] time of the way's last use; 0: never
			   used; AN_MAX_TIME: way beyond assoc, never chosen */
	uint32_t *hint; /* [hint_mask + 1] by an_l1_hint_index() of a line:
			   index of the way in which the line probably is */
	int32_t *tag;	/* [size of way] lower half of the line number, compared
			   first */
	uint64_t hint_mask; /* number of hints - 1, a mask of line numbers */
	uint32_t rotate, unrotate;
	uint32_t group_mask; /* mask of set numbers: number of set groups - 1 */
	uint32_t pitch;	     /* [ways] distance from the first way of a group
				to that of the next group */
	uint64_t sets;	     /* at least 2, so that adjacent lines are in
				different sets */
	uint64_t mask;	     /* sets - 1 if sets is a power of two, else 0 */
	int32_t clock;
	uint32_t assoc;	 /* at most AN_MAX_ARRAY_WAYS */
	uint32_t stride; /* [ways] distance from the first way of a set to that
			    of the next set of its group; the ways from assoc
			    on are unused */
	uint32_t shift;	 /* log2 of the line size */
	bool is_usual;	 /* sets is a power of two, stride is AN_USUAL_WAYS, one
			    group */
	uint64_t writebacks;

	/* list to which each line that is written back is appended; NULL: none
	 */
	struct an_write_back_log *log;
	/* number of misses in the caller's list, which is the index of the miss
	   that causes the next write-back; used only if there is a log */
	const size_t *n_misses;

	/* list that receives the lines which were used after time
	   `listed_until` and have left the level since; NULL: none, and
	   `listed_until` is AN_MAX_TIME */
	struct an_used_lines *used_lines;
	int32_t listed_until;
	/* [way] an_used_line.n_accesses of the way's line, counted since the
	   line was last listed; allocated together with `way`, after its
	   elements; NULL: not counted */
	uint64_t *n_accesses;
};

/* Initialise an empty level. Return: 0 or -ENOMEM. */
int an_l1_init_empty_level(struct an_l1 *, const struct an_level *);
void an_l1_release(struct an_l1 *);

/* From now on append the cache lines that were used to the list; call before
   the first use. @count_accesses: also count the accesses to each. */
void an_l1_begin_to_list_used_lines(struct an_l1 *, struct an_used_lines *,
				    bool count_accesses);

/* Append to the level's list used_lines all lines that were used since the last
   call and are in the level. The caller empties the list. */
void an_l1_append_lines_used_since_last_list(struct an_l1 *);

/* Append the line in way @way_index, with its number of accesses, to the
   level's list used_lines. */
void an_l1_append_line_of_way_to_used_lines(struct an_l1 *, uint32_t way_index);

/* Renumber the LRU timestamps if AN_MAX_TICKS or fewer clock values are
   left. Lists used lines before. */
void an_l1_renumber_times_if_due(struct an_l1 *);

/* Replace the last-use times, except those of empty ways, in every @set_step-th
   set, beginning with set @first_set, by AN_MIN_TIME + 1, AN_MIN_TIME + 2 and
   so on, in the same order within each set. */
void an_l1_replace_times_by_ranks(struct an_l1 *, uint64_t first_set,
				  uint64_t set_step);

/* Return the greatest time that an_l1_replace_times_by_ranks() can assign:
   AN_MIN_TIME + the number of ways of a set. */
static inline int32_t an_l1_max_time_after_ranking(const struct an_l1 *f)
{
	return AN_MIN_TIME + (int32_t)f->assoc;
}

/* Empty the level, and lay out its arrays anew, by set groups. A group is the
   sets with the same number modulo @group_count, a power of two that divides
   the number of sets. Each group's ways, times and hints (guesses of a line's
   way) lie together, and no line of the host's caches holds data of two groups.
   A new level has one group. Return: 0 or -ENOMEM. */
int an_l1_empty_and_lay_out_by_groups(struct an_l1 *, uint32_t group_count);

/* Return the index in f->hint of the hint of a line (a guess of the way that
   holds it). */
static inline uint64_t an_l1_hint_index(const struct an_l1 *f, uint64_t line)
{
	return (line << f->rotate | (line & f->hint_mask) >> f->unrotate) &
	       f->hint_mask;
}

/* Count @n accesses of @line, if accesses are counted. Since the last use of
   @line, only the line adjacent to it may have been used, so its hint is
   right. */
static inline void
an_l1_add_to_access_counter_of_line(struct an_l1 *f, uint64_t line, unsigned n)
{
	if (f->n_accesses != NULL)
		f->n_accesses[f->hint[an_l1_hint_index(f, line)]] += n;
}

/* Return the index of the first way of the set of @line (address / line size).
   This function and an_l1_lru_way_index() are for callers that record the ways
   of lines themselves (i1_lines.h) and use only the times of the level. */
uint32_t an_l1_first_way_of_line_set(const struct an_l1 *, uint64_t line);

/* Return the index of the least recently used way, or of an empty way if there
   is one, in the set whose first way has index @first_way_index. */
uint32_t an_l1_lru_way_index(const struct an_l1 *, uint32_t first_way_index);

/* Simulate a use of a line that is not in the way that its hint names: find its
   way or, if it is missing, replace the least recently used line of its set by
   it. @clock: the clock's next tick, for callers that hold the clock in a
   register; in memory, each use would wait for the store of the one before.
   Return: whether the line was missing. */
bool an_l1_search_or_fill_is_miss(struct an_l1 *, uint64_t line, bool write,
				  int32_t clock);

/**
 * an_l1_touch_is_miss() - Simulate a use of a line: update its last-use time;
 * if it is missing, first replace the least recently used line of its set by
 * it. The caller calls an_l1_renumber_times_if_due() at least once in
 * AN_MAX_TICKS uses.
 * @line: address / line size.
 *
 * Return: whether the line was missing.
 */
static inline bool an_l1_touch_is_miss(struct an_l1 *f, uint64_t line,
				       bool write)
{
	uint32_t way_index = f->hint[an_l1_hint_index(f, line)];

	if (f->way[way_index] != line)
		return an_l1_search_or_fill_is_miss(f, line, write, ++f->clock);
	f->dirty[way_index] |= write;
	f->used[way_index] = ++f->clock;
	return false;
}

/* Simulate a use of the one or two lines of an access. Return: whether any was
   missing. */
static inline bool an_l1_simulate_access_is_miss(struct an_l1 *f, uint64_t addr,
						 unsigned size, bool write)
{
	uint64_t first = addr >> f->shift;
	uint64_t last = (addr + size - 1) >> f->shift;
	bool missed = an_l1_touch_is_miss(f, first, write);

	if (last != first)
		missed |= an_l1_touch_is_miss(f, last, write);
	return missed;
}

#endif
