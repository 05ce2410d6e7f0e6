/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forest.h - many LRU caches of one line size at a time
 *
 * The caches differ in the number of sets and in associativity. For each number
 * of sets there is a tier with the LRU stack of every set, which knows all
 * associativities at once (Mattson). Each number of sets divides the next one,
 * so a line that is first in its set in one tier is so in all that follow
 * (Hill and Smith, Evaluating associativity in CPU caches, IEEE Transactions on
 * Computers 38(12), 1989): there nothing is to be done.
 *
 * No order is kept, either, of lines that every cache of a tier holds. As many
 * lines of a set as its smallest cache holds (AN_GROUP at most) are the set's
 * group, and of each of them only the time of its last use is known, which is
 * the same in all tiers. So a line that is in its group in every tier costs one
 * look and one store, as in a single cache, and most accesses are to such a
 * line. Who has to leave a group is found out when another one comes.
 *
 * Groups go down to the first tier that has direct-mapped caches: a group of
 * one is the first line. From there on, tiers keep stacks alone.
 */
#ifndef ANALYZERS_SWEEP_FOREST_H
#define ANALYZERS_SWEEP_FOREST_H

#include "analyzers/lru/line_ids.h"
#include "analyzers/lru/stack.h"

enum {
	AN_TIERS = 32,
	AN_GROUP = 256,
	AN_SMALL_GROUP = 16,
	AN_BLOCK = 8, /* of a group that is larger */
};

/* A line that is in some group. */
struct an_entry {
	uint64_t top;	/* line + 1 when it is in its group in every tier */
	uint32_t line;	/* its short number; 0: none */
	uint32_t tiers; /* bits: in whose groups it is */
	uint32_t next;	/* in the chain of its bucket, or of free ones */
};

struct an_tier {
	uint64_t sets;
	uint64_t mask;	       /* sets - 1 when a power of two, else 0 */
	uint32_t group;	       /* size of the sets' groups; 0: there are none */
	uint32_t stride;       /* the group, full blocks of it if it is large */
	uint32_t *member;      /* [sets * stride] entries, in no order */
	uint64_t *oldest;      /* [sets * stride / AN_BLOCK] no entry of the
				  block was used before; of large groups */
	struct an_stack stack; /* what is not in the group */
	uint32_t n;	       /* associativities */
	uint32_t *assoc;       /* [n] ascending */
	uint64_t *missed;      /* [(n + 1) * 2] accesses that miss in just so
				  many of them, by kind */
};

struct an_forest {
	struct an_lines lines;
	struct an_entry *entry; /* [0] is none, [1] fills blocks */
	uint64_t *used;		/* by entry: when, by the clock */
	uint32_t *bucket;	/* [buckets + 1] first entry, by line */
	uint64_t buckets;	/* mask of line numbers, short or long */
	uint64_t clock;
	uint32_t n_entries;
	uint32_t free;	  /* entry */
	uint32_t grouped; /* tiers that have groups: the first ones */
	uint32_t all;	  /* bits of those */
	unsigned n_tiers;
	unsigned shift; /* log2 of the line size */
	bool warm;	/* what misses now does not count */
	int error; /* 0; -EOVERFLOW: too many regions, see analyzers/lru/line_ids.h */
	struct an_tier tier[AN_TIERS];
};

enum an_sweep_kind { AN_READ, AN_WRITE };

/* Whether a cache of @sets sets can be added: @sets is that of the last cache or
   a multiple of it; if it differs, or there is no cache yet, fewer than AN_TIERS
   tiers are used. */
bool an_forest_fits(const struct an_forest *, uint64_t sets);

/* Adds a cache; those of one number of sets by ascending associativity. 0 or
   -ENOMEM. */
int an_forest_add(struct an_forest *, uint64_t sets, uint32_t assoc);

/* After the last: makes all of them, empty. 0 or -ENOMEM. */
int an_forest_start(struct an_forest *, unsigned line_size);
void an_forest_release(struct an_forest *);

/* The only entry that may have this line on top. */
static inline uint32_t an_forest_look(const struct an_forest *f, uint64_t line)
{
	return f->bucket[line & f->buckets];
}

/* Uses one line or two, of which no more than one miss counts. */
void an_forest_search(struct an_forest *, uint64_t line, uint64_t last,
		      enum an_sweep_kind);

static inline void an_forest_use(struct an_forest *f, uint64_t line,
				 uint64_t last, enum an_sweep_kind kind)
{
	uint32_t entry = an_forest_look(f, line);

	if (line == last && f->entry[entry].top == line + 1)
		f->used[entry] = ++f->clock;
	else
		an_forest_search(f, line, last, kind);
}

/**
 * an_forest_misses() - What one of the caches has missed.
 * @misses: by kind.
 *
 * Return: whether there is such a cache.
 */
bool an_forest_misses(const struct an_forest *, uint64_t sets, uint32_t assoc,
		      uint64_t misses[2]);

#endif
