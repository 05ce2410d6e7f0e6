/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cachesend.c - what missed its first level, sent on to the next
 *
 * Room:    analyzers.
 *
 * Misses of code and of data are gathered each in program order. Here they are
 * brought into one. The sets of the next level and the counters are seldom in
 * this machine's caches, so they are asked for some misses ahead.
 */

#include "analyzers/an_cachesim.h"

enum { GROUP = 64 };

/* Sent on together. */
struct group {
	const struct an_miss *miss[GROUP];
	uint64_t *count[GROUP]; /* an_cachesim_counter(), as far as known */
	unsigned n;
};

/* @b if @second, else @a: without a jump, which compilers like to make of it. */
static const struct an_miss *choose(bool second, const struct an_miss *a,
				    const struct an_miss *b)
{
	uintptr_t other = (uintptr_t)a ^ (uintptr_t)b;

	return (const void *)((uintptr_t)a ^ (other & -(uintptr_t)second));
}

/* The next misses in program order, as many as there is room for: of code up
   to @end, and of data. Of one execution, the code of an instruction comes
   before its data. */
static void take(struct group *g, struct an_misses *code, size_t end,
		 struct an_misses *data)
{
	const struct an_miss *c = code->miss + code->sent;
	const struct an_miss *d = data->miss + data->sent;
	const struct an_miss *c_end = code->miss + end;
	const struct an_miss *d_end = data->miss + data->n;
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

void an_cachesend_ask(struct an_cachesim *s, const struct an_batch *batch,
		      size_t end)
{
	const struct an_misses *code = &s->lane[batch->lane].code;

	for (size_t i = code->sent; i < end; i++)
		an_cachesim_prefetch(s, code->miss[i].block, AN_INSTRUCTION,
				     code->miss[i].addr);
}

void an_cachesend_run(struct an_cachesim *s, const struct an_batch *batch,
		      size_t end)
{
	struct an_lane *l = &s->lane[batch->lane];
	struct group g;

	do {
		take(&g, &l->code, end, &s->data);
		find_counters(s, &g);
		for (unsigned i = 0; i < g.n; i++)
			send(s, l->plan, g.miss[i], g.count[i]);
	} while (l->code.sent < end || s->data.sent < s->data.n);
	s->data.sent = s->data.n = 0;
	if (l->ends_used == l->n_ends)
		l->code.sent = l->code.n = l->ends_used = l->n_ends = 0;
}
