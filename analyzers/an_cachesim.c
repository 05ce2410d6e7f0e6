/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_cachesim.c - runs batches through a hierarchy; see an_cachesim.h */

#include "analyzers/an_cachesim.h"

#include <errno.h>
#include <stdlib.h>

/* Narrow, and with a number of sets that a mask can pick. */
static bool is_quick(const struct an_ways *w)
{
	return w->wide == NULL && (w->mask != 0 || w->sets == 1);
}

int an_cachesim_init(struct an_cachesim *s, const struct an_geometry *g)
{
	int err = an_hierarchy_init(&s->hierarchy, g);

	s->in_order = g->first_instruction == g->first_data ||
		      !is_quick(&s->hierarchy.ways[g->first_instruction]) ||
		      !is_quick(&s->hierarchy.ways[g->first_data]);
	return err;
}

void an_cachesim_release(struct an_cachesim *s)
{
	for (size_t i = 0; i < s->n_blocks; i++)
		an_cacheblock_free(s->block[i]);
	free(s->block);
	an_hierarchy_release(&s->hierarchy);
	s->block = NULL;
	s->n_blocks = s->size = 0;
}

int an_cachesim_add(struct an_cachesim *s, const struct an_block *block)
{
	struct an_cacheblock *c;

	if (s->n_blocks == s->size) {
		size_t size = s->size ? 2 * s->size : 1024;
		void *p = realloc(s->block, size * sizeof(*s->block));

		if (p == NULL)
			return -ENOMEM;
		s->block = p;
		s->size = size;
	}
	c = an_cacheblock_new(block, &s->hierarchy, s->in_order);
	if (c == NULL)
		return -ENOMEM;
	s->block[s->n_blocks++] = c;
	return 0;
}

static void note_miss(struct an_cacheblock *c, unsigned row, int levels)
{
	if (levels > 0)
		an_cacheblock_misses(c, row)[levels - 1]++;
}

static void fetch_slowly(struct an_cachesim *s, struct an_cacheblock *c,
			 unsigned instr)
{
	const struct pt_instr *i = &c->block->instr[instr];

	note_miss(c, instr,
		  an_hierarchy_access(&s->hierarchy, AN_INSTRUCTION, i->addr,
				      i->len, false));
}

static inline uint64_t base_of(const struct an_op *op, const uint64_t *unit)
{
	return pt_word(unit + op->word) & -(uint64_t)op->has_base;
}

static void access_slowly(struct an_cachesim *s, struct an_cacheblock *c,
			  unsigned i, uint64_t base)
{
	const struct an_op *op = &c->op[i];

	if (op->guarded && base == PT_NOT_DONE)
		return;
	note_miss(c, c->block->n_instrs + i,
		  an_hierarchy_access(&s->hierarchy, AN_DATA, base + op->delta,
				      op->last + 1u, op->write));
}

/* One execution in program order. */
static void run_in_order(struct an_cachesim *s, struct an_cacheblock *c,
			 unsigned exit, const uint64_t *unit)
{
	const struct pt_access *access = c->block->access;
	unsigned n_ops = c->n_ops[exit], op = 0, f;

	for (f = 0; f < c->n_fetches[exit]; f++) {
		unsigned instr = c->fetch[f].instr;

		if (f > 0 && c->fetch[f - 1].instr == instr)
			continue; /* the second line of a straddling one */
		for (; op < n_ops && access[op].instr < instr; op++)
			access_slowly(s, c, op, base_of(&c->op[op], unit));
		fetch_slowly(s, c, instr);
	}
	for (; op < n_ops; op++)
		access_slowly(s, c, op, base_of(&c->op[op], unit));
}

/* Whether all lines of code are the last used of their sets. */
static inline bool code_is_last_used(const struct an_cacheblock *c, unsigned n,
				     const uint64_t *tag)
{
	uint64_t other = 0;

	for (unsigned f = 0; f < n; f++)
		other |= (tag[c->fetch[f].set] ^ c->fetch[f].tag) << 1;
	return other == 0;
}

void an_cachesim_run(struct an_cachesim *s, const struct an_batch *batch)
{
	const struct an_hierarchy *h = &s->hierarchy;
	const uint64_t *code = h->ways[h->path[AN_INSTRUCTION][0]].tag;
	const struct an_ways data = h->ways[h->path[AN_DATA][0]];
	const uint64_t *tag = data.tag;

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		struct an_cacheblock *c = s->block[e.block];
		const uint64_t *unit = batch->words + an_at(e) - 1;
		unsigned exit = an_exit(e), n_ops = c->n_ops[exit];

		if (s->in_order ||
		    !code_is_last_used(c, c->n_fetches[exit], code)) {
			run_in_order(s, c, exit, unit);
			continue;
		}
		for (unsigned k = 0; k < n_ops; k++) {
			const struct an_op *op = &c->op[k];
			uint64_t base = base_of(op, unit);
			uint64_t addr = base + op->delta;
			uint64_t line = addr >> data.shift;
			uint64_t want = (line + 1) | (uint64_t)op->write << 63;
			uint64_t last = tag[(line & data.mask) * data.assoc];
			uint64_t next = (addr + op->last) >> data.shift;

			if (((last ^ want) << !op->write | (next ^ line) |
			     op->guarded) != 0)
				access_slowly(s, c, k, base);
		}
	}
}
