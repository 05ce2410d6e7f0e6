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

	s->code_changes = 1; /* no route is known to be quiet */

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

static inline uint64_t base_of(const struct an_op *op, const uint32_t *slots)
{
	return pt_slot(slots + op->place) & -(uint64_t)op->has_base;
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
			 const struct an_route *r, const uint32_t *slots)
{
	const struct pt_access *access = c->block->access;
	unsigned op = 0;

	for (unsigned f = 0; f < r->n_fetches; f++) {
		unsigned instr = c->fetch[f].instr;

		if (f > 0 && c->fetch[f - 1].instr == instr)
			continue; /* the second line of a straddling one */
		for (; op < r->n_ops && access[op].instr < instr; op++)
			access_slowly(s, c, op, base_of(&c->op[op], slots));
		fetch_slowly(s, c, instr);
	}
	for (; op < r->n_ops; op++)
		access_slowly(s, c, op, base_of(&c->op[op], slots));
	s->code_changes++;
}

/* The first data level, at hand. */
struct last_used {
	const uint64_t *line; /* by set */
	uint64_t mask;
};

/*
 * 0 when the line is its set's last used and dirty; with @any AN_DIRTY it need
 * not be dirty.
 */
static inline uint64_t differs(struct last_used l, uint64_t line, uint64_t any)
{
	return (l.line[line & l.mask] | any) ^ (line + 1 + AN_DIRTY);
}

/* The accesses of an execution whose code changes nothing. */
static void run_data(struct an_cachesim *s, struct an_cacheblock *c,
		     const struct an_route *r, const uint32_t *slots,
		     struct last_used l, unsigned shift)
{
	for (unsigned i = 0; i < r->n_ops; i++) {
		const struct an_op *op = &c->op[i];
		uint64_t base = base_of(op, slots);
		uint64_t any = (uint64_t)!op->write << 63;
		uint64_t line = (base + op->delta) >> shift;
		uint64_t last = (base + op->delta + op->last) >> shift;

		if ((differs(l, line, any) | (line ^ last) | op->guarded) != 0)
			access_slowly(s, c, i, base);
	}
}

/* Whether the code of an execution changes nothing. */
static inline bool code_is_quiet(const struct an_cachesim *s,
				 const struct an_cacheblock *c,
				 struct an_route *r, const uint64_t *mru)
{
	uint64_t other = 0;

	if (r->quiet == s->code_changes)
		return true;
	for (unsigned f = 0; f < r->n_fetches; f++)
		other |= mru[c->fetch[f].set] ^ (c->fetch[f].line + 1);
	if (other == 0)
		r->quiet = s->code_changes;
	return other == 0;
}

/* The same of its data. */
static inline bool data_is_quiet(const struct an_cacheblock *c,
				 const struct an_route *r,
				 const uint32_t *slots, struct last_used l,
				 unsigned shift)
{
	const struct an_group *g = c->group + r->first_group;
	uint64_t other = r->guarded;

	for (unsigned n = r->n_groups; n > 0; n--, g++) {
		uint64_t base = pt_slot(slots + g->place) & (uint64_t)g->based;
		uint64_t any = (uint64_t)g->reads & AN_DIRTY;
		uint64_t addr = base + g->delta;

		other |= differs(l, addr >> shift, any);
		other |= differs(l, (addr + g->span) >> shift, any);
	}
	return other == 0;
}

/* Inlined with constants for the line size that caches have. */
static inline __attribute__((always_inline)) void
run(struct an_cachesim *s, const struct an_batch *batch, unsigned shift)
{
	const struct an_hierarchy *h = &s->hierarchy;
	const struct an_ways *data = &h->ways[h->path[AN_DATA][0]];
	const uint64_t *code = h->ways[h->path[AN_INSTRUCTION][0]].mru;
	const struct last_used l = {data->mru, data->mask};

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		struct an_cacheblock *c = s->block[e.block];
		struct an_route *r = &c->route[an_exit(e)];
		const uint32_t *slots = batch->base + an_at(e);

		if (s->in_order || !code_is_quiet(s, c, r, code))
			run_in_order(s, c, r, slots);
		else if (!data_is_quiet(c, r, slots, l, shift))
			run_data(s, c, r, slots, l, shift);
	}
}

/* Apart, for a compiler that sees both would make one of them. */
static __attribute__((noinline)) void run_64(struct an_cachesim *s,
					     const struct an_batch *batch)
{
	run(s, batch, 6);
}

static __attribute__((noinline)) void run_any(struct an_cachesim *s,
					      const struct an_batch *batch)
{
	run(s, batch, s->hierarchy.ways[s->hierarchy.path[AN_DATA][0]].shift);
}

void an_cachesim_run(struct an_cachesim *s, const struct an_batch *batch)
{
	const struct an_hierarchy *h = &s->hierarchy;

	if (h->ways[h->path[AN_DATA][0]].shift == 6)
		run_64(s, batch);
	else
		run_any(s, batch);
}
