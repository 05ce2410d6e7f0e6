/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_cacheblock.c - a block, prepared; see an_cacheblock.h */

#include "analyzers/an_cacheblock.h"

#include <stdlib.h>

#define NO_LINE UINT64_MAX

/* Writes the lines to look up to @fetch (may be NULL) and their number up to
   each exit to @n_fetches. */
static unsigned list_fetches(const struct an_block *b, const struct an_ways *w,
			     bool every, struct an_fetch *fetch,
			     uint16_t *n_fetches)
{
	uint64_t previous = NO_LINE;
	unsigned n = 0, exit = 0;

	for (unsigned i = 0; i < b->n_instrs; i++) {
		uint64_t line = b->instr[i].addr >> w->shift;
		uint64_t end =
			(b->instr[i].addr + b->instr[i].len - 1) >> w->shift;

		for (; line <= end; line++) {
			if (line == previous && !every)
				continue;
			if (fetch != NULL)
				fetch[n] = (struct an_fetch){
					line + 1,
					(uint32_t)an_ways_set(w, line), i};
			n++;
			previous = line;
		}
		for (; n_fetches && exit < b->n_exits &&
		       b->exit[exit].n_instrs <= i + 1;
		     exit++)
			n_fetches[exit] = (uint16_t)n;
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

		/* Cachegrind cuts what its helpers access in one go. */
		if (size > smallest_line)
			size = smallest_line;
		op[i] = (struct an_op){
			.delta = a->delta,
			.word = has_base ? (uint16_t)(a->slot + 1) : 0,
			.last = (uint8_t)(size - 1),
			.write = a->kind != PT_LOAD,
			.has_base = has_base,
			.guarded = (a->flags & PT_GUARDED) != 0,
		};
	}
}

struct an_cacheblock *an_cacheblock_new(const struct an_block *b,
					const struct an_hierarchy *h,
					bool every)
{
	const struct an_ways *code = &h->ways[h->path[AN_INSTRUCTION][0]];
	unsigned n = list_fetches(b, code, every, NULL, NULL);
	struct an_cacheblock *c;

	c = calloc(1, sizeof(*c) + n * sizeof(*c->fetch) +
			      b->n_accesses * sizeof(*c->op) +
			      2 * b->n_exits * sizeof(*c->n_ops));
	if (c == NULL)
		return NULL;
	c->block = b;
	c->fetch = (struct an_fetch *)(c + 1);
	c->op = (struct an_op *)(c->fetch + n);
	c->n_fetches = (uint16_t *)(c->op + b->n_accesses);
	c->n_ops = c->n_fetches + b->n_exits;
	list_fetches(b, code, every, c->fetch, c->n_fetches);
	list_ops(b, h->smallest_line, c->op);
	for (unsigned e = 0; e < b->n_exits; e++)
		c->n_ops[e] = b->exit[e].n_accesses;
	return c;
}

void an_cacheblock_free(struct an_cacheblock *c)
{
	if (c != NULL)
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
