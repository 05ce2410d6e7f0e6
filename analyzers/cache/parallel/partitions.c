/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partitions.c - which part has which sets; see partitions.h
 *
 * To begin with, each part has as many groups, side by side. A program whose
 * uses gather in few of them makes one part late. So every LOOK chunks the loads
 * of the parts are compared, and when one has much more than its share, groups
 * are handed out anew, by their uses. Counts of a chunk come with its lane,
 * AN_LANES chunks later.
 *
 * What two groups have lies in different cache lines of the machine, so it is
 * all the same which part has which.
 */

#include "analyzers/cache/parallel/partitions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	LOOK = 8,	      /* chunks; twice as many after each move, */
	MOST_DOUBLINGS = 2,   /* so many times */
	ENOUGH = 1 << 16,     /* uses; fewer tell nothing */
	UNEVEN_PERCENT = 125, /* the busiest part's load, of the mean */
	BETTER_PERCENT = 90,  /* with another map, of its load with this */
};

int an_parts_init(struct an_parts *p, struct an_first *f, unsigned n)
{
	p->n = n;
	if (n < 2)
		return 0;
	p->groups = (uint32_t)an_even_share(f->sets, AN_GROUPS);
	p->remembered = an_even_share(f->sets, AN_PRESENT) - 1;
	for (uint32_t g = 0; g < p->groups; g++)
		p->map[g] = (uint8_t)(g * n / p->groups);
	for (unsigned i = 0; i < n; i++)
		p->part[i].clock = f->clock;
	p->lane = calloc(AN_LANES, sizeof(*p->lane));
	return p->lane ? an_first_group(f, p->groups) : -ENOMEM;
}

static void release_lane(struct an_partlane *l)
{
	for (unsigned i = 0; i < AN_MAX_PARTS; i++) {
		free(l->uses[i].line);
		free(l->uses[i].where);
		free(l->missed[i].miss);
	}
}

void an_parts_release(struct an_parts *p)
{
	for (unsigned i = 0; p->lane && i < AN_LANES; i++)
		release_lane(&p->lane[i]);
	free(p->lane);
	p->lane = NULL;
}

/* Takes in what the chunk before in this lane has counted. */
static void take_counts(struct an_parts *p, struct an_partlane *l)
{
	for (uint32_t g = 0; g < p->groups; g++) {
		p->load[l->moves > 0][l->map[g]] += l->used[g];
		p->used[g] += l->used[g];
		l->used[g] = 0;
	}
	p->chunks++;
}

static void add_loads(const struct an_parts *p, const uint8_t *map,
		      uint64_t *load)
{
	memset(load, 0, p->n * sizeof(*load));
	for (uint32_t g = 0; g < p->groups; g++)
		load[map[g]] += p->used[g];
}

static uint64_t highest(const uint64_t *load, unsigned n)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < n; i++)
		if (load[i] > most)
			most = load[i];
	return most;
}

static uint64_t sum(const uint64_t *load, unsigned n)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < n; i++)
		all += load[i];
	return all;
}

/* Hands out the groups anew, neighbours to the same part: each to the part in
   whose share of all uses its middle lies. */
static void deal(const struct an_parts *p, uint8_t *map)
{
	uint64_t all = 0, before = 0;

	/* Idle groups are dealt evenly, too. */
	for (uint32_t g = 0; g < p->groups; g++)
		all += p->used[g] + 1;
	for (uint32_t g = 0; g < p->groups; g++) {
		map[g] =
			(uint8_t)((2 * before + p->used[g]) * p->n / (2 * all));
		before += p->used[g] + 1;
	}
}

/* Return: whether the map has changed. */
static bool balance(struct an_parts *p)
{
	unsigned look =
		LOOK << (p->moves < MOST_DOUBLINGS ? p->moves : MOST_DOUBLINGS);
	uint64_t load[AN_MAX_PARTS], all, most;
	uint8_t map[AN_GROUPS];

	add_loads(p, p->map, load);
	all = sum(load, p->n);
	most = highest(load, p->n);
	if (p->chunks < look || all < ENOUGH)
		return false;
	p->chunks = 0;
	if (most * p->n * 100 > all * UNEVEN_PERCENT) {
		deal(p, map);
		add_loads(p, map, load);
	}
	memset(p->used, 0, sizeof(p->used));
	if (highest(load, p->n) * 100 > most * BETTER_PERCENT)
		return false;
	memcpy(p->map, map, sizeof(map));
	p->moves++;
	return true;
}

bool an_parts_begin(struct an_parts *p, unsigned lane)
{
	struct an_partlane *l = &p->lane[lane];
	bool moved;

	take_counts(p, l);
	moved = balance(p);
	l->moves = p->moves;
	memcpy(l->map, p->map, sizeof(l->map));
	memset(l->present, 0xff, (p->remembered + 1) * sizeof(*l->present));
	for (unsigned i = 0; i < p->n; i++)
		l->uses[i].n = 0;
	return moved;
}

struct an_partsums an_parts_sums(struct an_parts *p)
{
	struct an_partsums sums = {.n = p->lane ? p->n : 0,
				   .moves = p->moves,
				   .wholes = p->wholes};

	for (unsigned i = 0; p->lane && i < AN_LANES; i++)
		take_counts(p, &p->lane[i]);
	for (int i = 0; p->lane && i < 2; i++) {
		sums.uses[i] = sum(p->load[i], p->n);
		sums.busiest[i] = highest(p->load[i], p->n);
	}
	return sums;
}

void an_partsums_add(struct an_partsums *to, const struct an_partsums *s)
{
	if (s->n > to->n)
		to->n = s->n;
	to->moves += s->moves;
	to->wholes += s->wholes;
	for (int i = 0; i < 2; i++) {
		to->uses[i] += s->uses[i];
		to->busiest[i] += s->busiest[i];
	}
}

/* Percent: the busiest part's uses, of the mean. */
static void report_load(const struct an_partsums *s, int i,
			struct an_sink *sink)
{
	static const char *const key[] = {"before_moves", "after_moves"};

	if (s->uses[i] == 0)
		return;
	sink->begin(sink, key[i]);
	sink->number(sink, "uses", s->uses[i]);
	sink->number(sink, "busiest", s->busiest[i]);
	sink->number(sink, "imbalance_percent",
		     100 * s->busiest[i] * s->n / s->uses[i]);
	sink->end(sink);
}

void an_partsums_report(const struct an_partsums *s, struct an_sink *sink)
{
	sink->number(sink, "parts", s->n);
	sink->number(sink, "moves", s->moves);
	sink->number(sink, "whole_batches", s->wholes);
	report_load(s, 0, sink);
	report_load(s, 1, sink);
}

int an_misses_grow(struct an_misses *m)
{
	size_t size = m->size ? 2 * m->size : 512;
	void *p = realloc(m->miss, size * sizeof(*m->miss));

	if (p == NULL)
		return -ENOMEM;
	m->miss = p;
	m->size = size;
	return 0;
}
