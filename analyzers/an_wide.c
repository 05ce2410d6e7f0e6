/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_wide.c - sets of very many ways; see an_wide.h
 *
 * All sets share one hash table over line numbers, and one array of ways.
 * Memory is touched as lines come in, so a level much larger than what the
 * program uses stays small.
 */

#include "analyzers/an_wide.h"

#include <stdlib.h>

enum { NONE = 0 }; /* way 0 is not used */

struct way {
	uint64_t line;
	uint32_t newer, older; /* in the set's order; NONE at its ends */
	uint32_t next;	       /* in the hash chain */
	uint32_t dirty;
};

struct set {
	uint32_t newest, oldest;
	uint32_t used;
};

struct an_wide {
	uint32_t assoc;
	unsigned hash_bits;
	uint32_t n_ways; /* handed out so far */
	struct way *way;
	struct set *set;
	uint32_t *bucket;
};

struct an_wide *an_wide_new(uint64_t sets, uint32_t assoc)
{
	struct an_wide *w = calloc(1, sizeof(*w));
	uint64_t ways = sets * assoc;

	if (w == NULL)
		return NULL;
	w->assoc = assoc;
	w->hash_bits = 4;
	while (w->hash_bits < 28 && (UINT64_C(1) << w->hash_bits) < ways)
		w->hash_bits++;
	w->way = calloc(ways + 1, sizeof(*w->way));
	w->set = calloc(sets, sizeof(*w->set));
	w->bucket = calloc(UINT64_C(1) << w->hash_bits, sizeof(*w->bucket));
	if (w->way == NULL || w->set == NULL || w->bucket == NULL) {
		an_wide_free(w);
		return NULL;
	}
	return w;
}

void an_wide_free(struct an_wide *w)
{
	if (w == NULL)
		return;
	free(w->way);
	free(w->set);
	free(w->bucket);
	free(w);
}

/* Fibonacci hashing: the upper bits of a product with 2^64 / golden ratio. */
static uint32_t *bucket_of(const struct an_wide *w, uint64_t line)
{
	return &w->bucket[line * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - w->hash_bits)];
}

static uint32_t find(const struct an_wide *w, uint64_t line)
{
	uint32_t i = *bucket_of(w, line);

	while (i != NONE && w->way[i].line != line)
		i = w->way[i].next;
	return i;
}

static void unhash(struct an_wide *w, uint32_t way)
{
	uint32_t *at = bucket_of(w, w->way[way].line);

	while (*at != way)
		at = &w->way[*at].next;
	*at = w->way[way].next;
}

static void hash(struct an_wide *w, uint32_t way)
{
	uint32_t *at = bucket_of(w, w->way[way].line);

	w->way[way].next = *at;
	*at = way;
}

static void unlink_way(struct an_wide *w, struct set *s, uint32_t way)
{
	const struct way *p = &w->way[way];

	if (p->newer != NONE)
		w->way[p->newer].older = p->older;
	else
		s->newest = p->older;
	if (p->older != NONE)
		w->way[p->older].newer = p->newer;
	else
		s->oldest = p->newer;
}

static void push_newest(struct an_wide *w, struct set *s, uint32_t way)
{
	w->way[way].newer = NONE;
	w->way[way].older = s->newest;
	if (s->newest != NONE)
		w->way[s->newest].newer = way;
	else
		s->oldest = way;
	s->newest = way;
}

/* A way for a new line: a fresh one, or the oldest line's. */
static uint32_t take_way(struct an_wide *w, struct set *s, bool *writeback)
{
	uint32_t way;

	if (s->used < w->assoc) {
		s->used++;
		return ++w->n_ways;
	}
	way = s->oldest;
	*writeback = w->way[way].dirty;
	unlink_way(w, s, way);
	unhash(w, way);
	return way;
}

bool an_wide_touch(struct an_wide *w, uint64_t set, uint64_t line, bool write,
		   bool *writeback)
{
	struct set *s = &w->set[set];
	uint32_t way = find(w, line);
	bool missed = way == NONE;

	*writeback = false;
	if (missed) {
		way = take_way(w, s, writeback);
		w->way[way].line = line;
		w->way[way].dirty = false;
		hash(w, way);
	} else {
		unlink_way(w, s, way);
	}
	push_newest(w, s, way);
	w->way[way].dirty |= write;
	return missed;
}
