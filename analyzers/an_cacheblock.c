/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_cacheblock.c - a block, prepared; see an_cacheblock.h */

#include "analyzers/an_cacheblock.h"

#include <stdlib.h>
#include <string.h>

#define NO_LINE UINT64_MAX

/* Writes the lines to look up to @fetch (may be NULL). Return: how many. */
static unsigned list_fetches(const struct an_block *b, const struct an_ways *w,
			     bool every, struct an_fetch *fetch)
{
	uint64_t previous = NO_LINE;
	unsigned n = 0;

	for (unsigned i = 0; i < b->n_instrs; i++) {
		uint64_t line = b->instr[i].addr >> w->shift;
		uint64_t end =
			(b->instr[i].addr + b->instr[i].len - 1) >> w->shift;

		for (; line <= end; line++) {
			if (line == previous && !every)
				continue;
			if (fetch != NULL)
				fetch[n] = (struct an_fetch){
					line, (uint32_t)an_ways_set(w, line),
					i};
			n++;
			previous = line;
		}
	}
	return n;
}

static void list_ops(const struct an_block *b, unsigned smallest_line,
		     struct an_op *op)
{
	for (unsigned i = 0; i < b->n_accesses; i++) {
		const struct pt_access *a = &b->access[i];
		bool has_base = a->slot != PT_NO_SLOT;
		unsigned size = a->size;

		/* Cachegrind cuts what Valgrind's helpers access in one go. */
		if (size > smallest_line)
			size = smallest_line;
		op[i] = (struct an_op){
			.delta = a->delta,
			.place = has_base ? (uint16_t)(2 * a->slot) : 0,
			.last = (uint8_t)(size - 1),
			.based = (int8_t)-has_base,
			.reads = (int8_t) - (a->kind == PT_LOAD),
			.guarded = (a->flags & PT_GUARDED) != 0,
		};
	}
}

/* Base, then address: what may share a group comes together. */
static int by_group(const void *x, const void *y)
{
	const struct an_op *a = x, *b = y;

	if (a->based != b->based)
		return a->based - b->based;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return ((int64_t)a->delta > (int64_t)b->delta) -
	       ((int64_t)a->delta < (int64_t)b->delta);
}

static bool extend(struct an_group *g, const struct an_op *op, unsigned line)
{
	uint64_t span = op->delta + op->last - g->delta;

	if (op->place != g->place || op->based != g->based || span >= line)
		return false;
	if (span > g->span)
		g->span = (uint8_t)span;
	g->reads &= op->reads;
	return true;
}

/* Groups the first @n operations. @sorted is scratch. Return: how many. */
static unsigned list_groups(const struct an_op *op, unsigned n, unsigned line,
			    struct an_op *sorted, struct an_group *group)
{
	unsigned groups = 0;

	memcpy(sorted, op, n * sizeof(*op));
	qsort(sorted, n, sizeof(*sorted), by_group);
	for (unsigned i = 0; i < n; i++) {
		const struct an_op *o = &sorted[i];

		if (groups > 0 && extend(&group[groups - 1], o, line))
			continue;
		group[groups++] = (struct an_group){o->delta, o->place, o->last,
						    o->based, o->reads};
	}
	return groups;
}

static void lay_route(struct an_cacheblock *c, unsigned exit, unsigned n_fetch,
		      unsigned first_group, unsigned n_groups)
{
	const struct pt_exit *e = &c->block->exit[exit];
	struct an_route *r = &c->route[exit];

	r->first_group = first_group;
	r->n_groups = (uint16_t)n_groups;
	r->n_ops = e->n_accesses;
	r->single = n_groups == e->n_accesses;
	while (r->n_fetches < n_fetch &&
	       c->fetch[r->n_fetches].instr < e->n_instrs)
		r->n_fetches++;
	for (unsigned i = 0; i < e->n_accesses; i++)
		r->guarded |= c->op[i].guarded;
}

/* Groups of all exits one behind the other, in memory of their own while
   their number is not known. */
static bool lay_routes(struct an_cacheblock *c, unsigned n_fetch, unsigned line)
{
	const struct an_block *b = c->block;
	size_t most = 0, n = 0;
	struct an_op *scratch = malloc((b->n_accesses + 1u) * sizeof(*scratch));

	for (unsigned e = 0; e < b->n_exits; e++)
		most += b->exit[e].n_accesses;
	c->group = malloc((most + 1) * sizeof(*c->group));
	for (unsigned e = 0; scratch && c->group && e < b->n_exits; e++) {
		unsigned groups = list_groups(c->op, b->exit[e].n_accesses,
					      line, scratch, c->group + n);

		lay_route(c, e, n_fetch, (uint32_t)n, groups);
		n += groups;
	}
	free(scratch);
	return scratch != NULL && c->group != NULL;
}

struct an_cacheblock *an_cacheblock_new(const struct an_block *b,
					const struct an_hierarchy *h,
					bool every)
{
	const struct an_ways *code = &h->ways[h->path[AN_INSTRUCTION][0]];
	const struct an_ways *data = &h->ways[h->path[AN_DATA][0]];
	unsigned n = list_fetches(b, code, every, NULL);
	struct an_cacheblock *c;

	c = calloc(1, sizeof(*c) + b->n_exits * sizeof(*c->route) +
			      n * sizeof(*c->fetch) +
			      b->n_accesses * sizeof(*c->op));
	if (c == NULL)
		return NULL;
	c->block = b;
	c->fetch = (struct an_fetch *)(c + 1);
	c->op = (struct an_op *)(c->fetch + n);
	c->route = (struct an_route *)(c->op + b->n_accesses);
	list_fetches(b, code, every, c->fetch);
	list_ops(b, h->smallest_line, c->op);
	if (!lay_routes(c, n, 1u << data->shift)) {
		an_cacheblock_free(c);
		return NULL;
	}
	return c;
}

void an_cacheblock_free(struct an_cacheblock *c)
{
	if (c == NULL)
		return;
	free(c->group);
	free(c->misses);
	free(c);
}

uint64_t *an_cacheblock_misses(struct an_cacheblock *c, unsigned row)
{
	static _Thread_local uint64_t scratch[AN_MAX_LEVELS];
	size_t rows = c->block->n_instrs + c->block->n_accesses;

	if (c->misses == NULL)
		c->misses = calloc(rows * AN_MAX_LEVELS, sizeof(*c->misses));
	return c->misses ? c->misses + row * AN_MAX_LEVELS : scratch;
}
