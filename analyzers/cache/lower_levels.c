/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lower_levels.c - what missed its first level, sent on to the next
 *
 * Misses of code and of data are gathered each in program order. Here they are
 * brought into one. The sets of the next level and the counters are seldom in
 * this machine's caches, so they are asked for some misses ahead.
 */

#include <errno.h>

#include "analyzers/cache/simulation.h"

enum { GROUP = 32 };

/* Asked for together, and then sent on. */
struct group {
	const struct an_miss *miss[GROUP];
	uint64_t *count[GROUP]; /* an_cachesim_counters(), as far as known */
	unsigned n;
};

/* @b if @second, else @a: without a jump, which compilers like to make of it. */
static const struct an_miss *choose(bool second, const struct an_miss *a,
				    const struct an_miss *b)
{
	uintptr_t other = (uintptr_t)a ^ (uintptr_t)b;

	return (const void *)((uintptr_t)a ^ (other & -(uintptr_t)second));
}

/* The next misses of a stretch in program order, as many as there is room for.
   Of one execution, the code of an instruction comes before its data. */
static void take(struct group *g, struct an_misses *code,
		 struct an_misses *data, const struct an_stretch *stretch)
{
	const struct an_miss *c = code->miss + code->sent;
	const struct an_miss *d = data->miss + data->sent;
	const struct an_miss *c_end = code->miss + stretch->code;
	const struct an_miss *d_end = data->miss + stretch->data;
	unsigned n = 0;

	while (n < GROUP && c < c_end && d < d_end) {
		bool is_data = d->when < c->when;

		g->miss[n++] = choose(is_data, c, d);
		c += !is_data;
		d += is_data;
	}
	while (n < GROUP && c < c_end)
		g->miss[n++] = c++;
	while (n < GROUP && d < d_end)
		g->miss[n++] = d++;
	g->n = n;
	code->sent = (size_t)(c - code->miss);
	data->sent = (size_t)(d - data->miss);
}

/* Always inlined, as is what it calls: of a function that only prefetches, gcc
   thinks that calls can be left out. */
static inline __attribute__((always_inline)) void
ask(const struct an_cachesim *s, const struct group *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		const struct an_miss *m = g->miss[i];

		an_hierarchy_prefetch(&s->hierarchy, m->path, m->addr);
		if (m->block < s->misses_size)
			__builtin_prefetch(&s->misses[m->block]);
	}
}

static void find_counters(const struct an_cachesim *s, struct group *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		const struct an_miss *m = g->miss[i];

		g->count[i] =
			an_cachesim_counters(s, m->block, m->path, m->row);
		__builtin_prefetch(g->count[i]);
	}
}

static void send(struct an_cachesim *s, const struct an_plan *plan,
		 const struct an_miss *m, uint64_t *count)
{
	int levels = an_hierarchy_access(&s->hierarchy, m->path, m->addr,
					 m->size, m->write);

	if (count != NULL)
		count[levels - 1]++;
	else
		an_cachesim_count(s, &plan[m->block], m->block, m->path, m->row,
				  levels);
}

static void send_all(struct an_cachesim *s, const struct an_plan *plan,
		     struct group *g)
{
	find_counters(s, g);
	for (unsigned i = 0; i < g->n; i++)
		send(s, plan, g->miss[i], g->count[i]);
}

/* While a group is sent, what the next one needs is on its way. */
static void send_stretch(struct an_cachesim *s, struct an_lane *l,
			 const struct an_stretch *stretch)
{
	struct group group[2];
	unsigned now = 0;

	take(&group[now], &l->code, &l->data, stretch);
	ask(s, &group[now]);
	while (group[now].n > 0) {
		take(&group[!now], &l->code, &l->data, stretch);
		ask(s, &group[!now]);
		send_all(s, l->plan, &group[now]);
		now = !now;
	}
}

/* Nothing of a warm one counts. */
static void send_warm(struct an_cachesim *s, struct an_lane *l,
		      const struct an_stretch *stretch)
{
	uint64_t writebacks[AN_MAX_LEVELS];

	an_hierarchy_note(&s->hierarchy, writebacks);
	send_stretch(s, l, stretch);
	an_hierarchy_reset(&s->hierarchy, writebacks);
}

/* Both lists have a place, though nothing may be in them. */
static bool are_there(struct an_lane *l)
{
	return (l->code.miss || an_misses_grow(&l->code) == 0) &&
	       (l->data.miss || an_misses_grow(&l->data) == 0);
}

int an_cachesend_run(struct an_cachesim *s, const struct an_batch *chunk)
{
	struct an_lane *l = &s->lane[chunk->lane];

	/* Others may be laying out the levels for the next chunk. */
	if (l->n_stretches == 0)
		return 0;
	if (!are_there(l))
		return -ENOMEM;
	for (size_t i = 0; i < l->n_stretches; i++)
		if (l->stretch[i].warm)
			send_warm(s, l, &l->stretch[i]);
		else
			send_stretch(s, l, &l->stretch[i]);
	l->n_stretches = l->stretches_run = 0;
	l->code.n = l->code.sent = l->data.n = l->data.sent = 0;
	return s->count_error;
}
