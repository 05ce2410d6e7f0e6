/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shard.c - uses of lines, simulated; and what missed, in one list
 *
 * Both halves of an access across the border of two lines are reported,
 * whether they missed or not, for they may be in different parts; it is one
 * miss when either did, and none when neither.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/simulation.h"

enum {
	FAR = 32, /* misses looked ahead, when they are completed, */
	NEAR = 16,
	SOON = 8, /* and when they are joined */
	PART_BITS = 6,
};

_Static_assert(AN_MAX_PARTS == 1 << PART_BITS, "a part's number has so many");

/* The first level as a part sees it: the sets are shared, times are not. */
static struct an_first view(struct an_cachesim *s, unsigned part)
{
	struct an_first f = s->hierarchy.first[AN_DATA];

	f.clock = s->parts.part[part].clock;
	f.writebacks = 0;
	return f;
}

/* Sees to it that the clock can tick AN_TICKS times. */
static void wind(struct an_first *f, const struct an_parts *p,
		 const struct an_partlane *l, unsigned part)
{
	for (uint32_t g = 0; g < p->groups; g++)
		if (l->map[g] == part)
			an_first_rank(f, g, p->groups);
	f->clock = an_first_last_rank(f);
}

/* What is to be reported: for now, where it is. 0 or -ENOMEM. */
static int note(struct an_misses *missed, uint32_t where, bool hit)
{
	struct an_miss *next = an_misses_next(missed);

	if (next == NULL)
		return -ENOMEM;
	next->when = where;
	next->hit = hit;
	return 0;
}

static struct an_exec exec_at(const struct an_batch *chunk, uint32_t where)
{
	return chunk->exec[where >> AN_ACCESS_BITS];
}

static void complete(const struct an_cachesim *s, const struct an_batch *chunk,
		     struct an_miss *m)
{
	struct an_exec e = exec_at(chunk, m->when);
	unsigned access = m->when & ((1u << AN_ACCESS_BITS) - 1);
	const struct an_block *b =
		s->lane[chunk->lane].plan[e.block].data->block;
	bool hit = m->hit;
	struct an_ref r;

	an_block_ref(b, s->hierarchy.smallest_line, access,
		     chunk->base + an_at(e), &r);
	an_miss_fill(m, e, AN_DATA, access, b->access[access].instr, r);
	m->hit = hit;
}

/* The accesses themselves, which another thread may have had last: they are
   far, and fetched ahead. */
static void complete_all(const struct an_cachesim *s,
			 const struct an_batch *chunk, struct an_misses *missed)
{
	struct an_miss *m = missed->miss;

	for (size_t i = 0; i < missed->n; i++) {
		if (i + FAR < missed->n)
			__builtin_prefetch(&chunk->exec[m[i + FAR].when >>
							AN_ACCESS_BITS]);
		if (i + NEAR < missed->n)
			__builtin_prefetch(
				chunk->base +
				an_at(exec_at(chunk, m[i + NEAR].when)));
		complete(s, chunk, &m[i]);
	}
}

/* Uses from @i to @end, no more than AN_TICKS. */
static int simulate(struct an_first *f, const struct an_uses *u, size_t i,
		    size_t end, struct an_misses *m)
{
	int err = 0;

	for (; i < end && !err; i++) {
		uint64_t use = u->line[i];
		bool missed = an_first_touch(f, use >> AN_LINE_SHIFT,
					     use & AN_WRITES);

		if (missed || (use & AN_STRADDLES))
			err = note(m, u->where[i], !missed);
	}
	return err;
}

int an_part_run(struct an_cachesim *s, const struct an_batch *chunk,
		unsigned part)
{
	struct an_partlane *l = &s->parts.lane[chunk->lane];
	struct an_first f = view(s, part);
	const struct an_uses *u = &l->uses[part];
	struct an_misses m = l->missed[part]; /* its neighbour is another's */
	size_t at = 0;
	int err = 0;

	m.n = m.sent = 0;
	if (s->parts.part[part].moves != l->moves)
		wind(&f, &s->parts, l, part);
	while (at < u->n && !err) {
		size_t end = u->n - at < AN_TICKS ? u->n : at + AN_TICKS;

		if (AN_LATE - f.clock <= AN_TICKS)
			wind(&f, &s->parts, l, part);
		err = simulate(&f, u, at, end, &m);
		at = end;
	}
	complete_all(s, chunk, &m);
	l->missed[part] = m;
	s->parts.part[part].clock = f.clock;
	s->parts.part[part].moves = l->moves;
	s->parts.part[part].writebacks += f.writebacks;
	return err;
}

static uint64_t order_of(const struct an_miss *m)
{
	return (uint64_t)m->when << 16 | m->row;
}

/* Of the next miss of a part, and the part; UINT64_MAX when there is none. */
static uint64_t next_of(const struct an_misses *m, unsigned part)
{
	return m->sent < m->n ? order_of(&m->miss[m->sent]) << PART_BITS | part
			      : UINT64_MAX;
}

static void take_one(struct an_lane *lane, const struct an_miss *m)
{
	struct an_misses *all = &lane->data;
	struct an_miss *last = all->n ? &all->miss[all->n - 1] : NULL;

	if (last != NULL && order_of(last) == order_of(m)) {
		last->hit &= m->hit;
		return;
	}
	if (last != NULL && last->hit)
		all->n--;
	all->miss[all->n++] = *m;
}

/* The next miss of the part at leaf @i is another one. Node 1 is the least of
   all leaves; each node but these the lesser of nodes 2i and 2i + 1. */
static void play(uint64_t *node, unsigned i, uint64_t next)
{
	node[i] = next;
	for (; i > 1; i /= 2) {
		next = node[i ^ 1] < next ? node[i ^ 1] : next;
		node[i / 2] = next;
	}
}

/* What is next after leaf @i. */
static uint64_t second(const uint64_t *node, unsigned i)
{
	uint64_t least = UINT64_MAX;

	for (; i > 1; i /= 2)
		least = node[i ^ 1] < least ? node[i ^ 1] : least;
	return least;
}

/* In program order. */
static void take_all(const struct an_cachesim *s, struct an_lane *lane,
		     struct an_partlane *l)
{
	uint64_t node[2 * AN_MAX_PARTS];
	unsigned leaf = 1;

	while (leaf < s->parts.n)
		leaf *= 2;
	memset(node, 0xff, sizeof(node));
	for (unsigned i = 0; i < s->parts.n; i++)
		play(node, leaf + i, next_of(&l->missed[i], i));
	while (node[1] != UINT64_MAX) {
		unsigned part = node[1] % AN_MAX_PARTS;
		uint64_t other = second(node, leaf + part), next;
		struct an_misses *m = &l->missed[part];

		do {
			__builtin_prefetch(&m->miss[m->sent + SOON]);
			take_one(lane, &m->miss[m->sent++]);
			next = next_of(m, part);
		} while (next < other);
		play(node, leaf + part, next);
	}
}

int an_part_join(struct an_cachesim *s, const struct an_batch *chunk)
{
	struct an_partlane *l = &s->parts.lane[chunk->lane];
	struct an_lane *lane = &s->lane[chunk->lane];
	struct an_misses *all = &lane->data;
	size_t n = 0;

	for (unsigned i = 0; i < s->parts.n; i++)
		n += l->missed[i].n;
	if (n > all->size) {
		void *p = realloc(all->miss, n * sizeof(*all->miss));

		if (p == NULL)
			return -ENOMEM;
		all->miss = p;
		all->size = n;
	}
	take_all(s, lane, l);
	if (all->n > 0 && all->miss[all->n - 1].hit)
		all->n--;
	an_lane_stretch(lane, &lane->stretches_run, false)->data = all->n;
	return s->error;
}
