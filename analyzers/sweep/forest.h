/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forest.h - simulates many LRU caches of one line size at once
 *
 * The caches differ in the number of sets and in associativity. For each number
 * of sets there is a tier with the LRU stack of every set, whose depths show
 * hits and misses for all associativities at once (Mattson). Each number of
 * sets divides the next one, so a line that is on top of its set in one tier is
 * so in all later ones, and they need no update (Hill and Smith, Evaluating
 * associativity in CPU caches, IEEE Transactions on Computers 38(12), 1989).
 *
 * A tier stores no order of the lines that all of its caches hold: the most
 * recent lines of a set, as many as the smallest cache holds (at most
 * AN_MAX_LRU_GROUP), are the set's group. Of each line in a group only the time
 * of its last use is stored, which is the same in all tiers. So a line that is
 * in its group in every tier costs one lookup and one store, as in a single
 * cache, and most accesses use such a line. The line with the least time leaves
 * a group when another one enters.
 *
 * Groups exist up to the first tier with direct-mapped caches, whose groups
 * have one line, the top of the set. Later tiers have stacks only.
 */
#ifndef ANALYZERS_SWEEP_FOREST_H
#define ANALYZERS_SWEEP_FOREST_H

#include "analyzers/lru/line_ids.h"
#include "analyzers/lru/stack.h"

enum {
	AN_MAX_TIERS = 32,
	AN_MAX_LRU_GROUP = 256,
	AN_MAX_SMALL_GROUP = 16,
	AN_GROUP_BLOCK = 8, /* entries in a block; each large group is divided
			       into blocks */
};

/* A line that is in the group (the most recent lines) of its set in at least
   one tier (all caches with one number of sets). */
struct an_forest_entry {
	uint64_t top;	/* line + 1 if the line is in its LRU group in every
			   tier that has groups; else 0 */
	uint32_t line;	/* number of the line, see line_ids.h; 0: none */
	uint32_t tiers; /* bit n: the line is in its group in tier n */
	uint32_t next;	/* next entry of its bucket, or of the list of unused
			   entries */
};

struct an_tier {
	uint64_t sets;
	uint64_t mask;	  /* sets - 1 if sets is a power of two, else 0 */
	uint32_t group;	  /* lines in the group of a set; 0: the tier has no
			     groups */
	uint32_t stride;  /* elements of `member` for each set: `group`, rounded
			     up to full blocks if it exceeds
			     AN_MAX_SMALL_GROUP */
	uint32_t *member; /* [sets * stride] entries in the groups,
				  unordered */
	uint64_t *oldest; /* [sets * stride / AN_GROUP_BLOCK] lower bound of the
			     last-use times in each block; NULL unless groups
			     are large */
	struct an_lru_stack stack; /* the lines of each set below its group */
	uint32_t n_assocs;	   /* number of different associativities of the
				      tier's caches */
	uint32_t *assoc;	   /* [n_assocs] ascending */
	uint64_t *missed; /* [(n_assocs + 1) * 2] at 2 * k + kind, k > 0:
			     accesses of the kind that missed in exactly k
			     caches */
};

struct an_forest {
	struct an_line_ids lines;
	struct an_forest_entry
		*entry;	      /* [0] is unused, [1] pads the blocks of large
				   groups */
	uint64_t *last_use;   /* [by entry] value of `clock` at the last use */
	uint32_t *bucket;     /* [bucket_mask + 1] first entry of each
				   bucket */
	uint64_t bucket_mask; /* number of buckets - 1, a mask of lines
				   (address / line size) and of their numbers
				   in `lines`, whose lower bits are equal */
	uint64_t clock;
	uint32_t n_entries;
	uint32_t free_entry;	  /* first of the list of unused entries; 0:
				     none */
	uint32_t n_grouped_tiers; /* number of tiers (a tier: all caches with
				     one number of sets) with groups: the first
				     ones */
	uint32_t grouped_tiers;	  /* a bit for each tier with groups */
	unsigned n_tiers;
	unsigned shift; /* log2 of the line size */
	bool warm;	/* warm-up: misses are not counted */
	int error;	/* 0; -EOVERFLOW: too many regions, see
		      analyzers/lru/line_ids.h */
	struct an_tier tier[AN_MAX_TIERS];
};

enum an_sweep_kind { AN_READ, AN_WRITE };

/* Whether a cache of @sets sets can be added: @sets is that of the last cache
   or a multiple of it; if it differs, or there is no cache yet, fewer than
   AN_MAX_TIERS tiers are used. */
bool an_forest_can_add_multiple_of_last_sets(const struct an_forest *,
					     uint64_t sets);

/* Add a cache, for which an_forest_can_add_multiple_of_last_sets() is true.
   Caches of one number of sets are added by ascending associativity. Return: 0
   or -ENOMEM. */
int an_forest_add_cache(struct an_forest *, uint64_t sets, uint32_t assoc);

/* Allocate all caches, empty. Call after the last an_forest_add_cache().
   @line_size: [bytes]. Return: 0 or -ENOMEM; call
   an_forest_release_lru_caches() in both cases. */
int an_forest_allocate(struct an_forest *, unsigned line_size);
void an_forest_release_lru_caches(struct an_forest *);

/* Return the number of the first entry of the bucket of @line, or 0. It is the
   only entry that an_forest_access() checks. */
static inline uint32_t an_forest_bucket_first_entry(const struct an_forest *f,
						    uint64_t line)
{
	return f->bucket[line & f->bucket_mask];
}

/* Simulate one access of the given kind to the lines @first_line and
   @last_line, which may be equal, and count the caches in which one of them or
   both missed, except during warm-up. */
void an_forest_access_slow_path(struct an_forest *, uint64_t first_line,
				uint64_t last_line, enum an_sweep_kind);

/* Do what an_forest_access_slow_path() does, but at once if the access uses one
   line, which is in the group (the most recent lines) of its set in every tier
   with groups, and has the first entry of its bucket. */
static inline void an_forest_access(struct an_forest *f, uint64_t first_line,
				    uint64_t last_line, enum an_sweep_kind kind)
{
	uint32_t entry = an_forest_bucket_first_entry(f, first_line);

	if (first_line == last_line && f->entry[entry].top == first_line + 1)
		f->last_use[entry] = ++f->clock;
	else
		an_forest_access_slow_path(f, first_line, last_line, kind);
}

/**
 * an_forest_find_cache_miss_counts() - Sum the misses of one cache of the
 * forest.
 * @read_write_misses_out: receives the misses, by enum an_sweep_kind, if there
 *         is such a cache.
 *
 * Return: whether the forest has a cache with @sets and @assoc.
 */
bool an_forest_find_cache_miss_counts(const struct an_forest *, uint64_t sets,
				      uint32_t assoc,
				      uint64_t read_write_misses_out[2]);

#endif
