/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_cachesim.c - runs batches through a hierarchy; see an_cachesim.h */

#include "analyzers/an_cachesim.h"

#include <errno.h>
#include <limits.h>
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

/* An access has missed the first level of its path. */
static void miss(struct an_cachesim *s, struct an_cacheblock *c, int path,
		 unsigned row, uint64_t addr, unsigned size, bool write)
{
	int levels = an_hierarchy_below(&s->hierarchy, path, addr, size, write);

	an_cacheblock_misses(c, row)[levels - 1]++;
}

static void fetch_missed(struct an_cachesim *s, struct an_cacheblock *c,
			 unsigned instr)
{
	const struct pt_instr *i = &c->block->instr[instr];

	miss(s, c, AN_INSTRUCTION, instr, i->addr, i->len, false);
}

static inline uint64_t base_of(const struct an_op *op, const uint32_t *slots)
{
	return pt_slot(slots + op->place) & (uint64_t)op->based;
}

static void access_data(struct an_cachesim *s, struct an_cacheblock *c,
			unsigned i, uint64_t base)
{
	struct an_ways *first = an_hierarchy_first(&s->hierarchy, AN_DATA);
	const struct an_op *op = &c->op[i];
	uint64_t addr = base + op->delta;
	bool write = !op->reads;

	if (op->guarded && base == PT_NOT_DONE)
		return;
	if (an_ways_access(first, addr, op->last + 1u, write))
		miss(s, c, AN_DATA, c->block->n_instrs + i, addr, op->last + 1u,
		     write);
}

/* The accesses of instructions before @instr, from *@op on. */
static void access_until(struct an_cachesim *s, struct an_cacheblock *c,
			 const struct an_route *r, const uint32_t *slots,
			 unsigned *op, unsigned instr)
{
	for (; *op < r->n_ops && c->block->access[*op].instr < instr; ++*op)
		access_data(s, c, *op, base_of(&c->op[*op], slots));
}

/* One execution in program order, with nothing known beforehand. */
static void run_in_order(struct an_cachesim *s, struct an_cacheblock *c,
			 const struct an_route *r, const uint32_t *slots)
{
	struct an_ways *first =
		an_hierarchy_first(&s->hierarchy, AN_INSTRUCTION);
	unsigned op = 0;

	for (unsigned f = 0; f < r->n_fetches; f++) {
		unsigned instr = c->fetch[f].instr;
		const struct pt_instr *i = &c->block->instr[instr];

		if (f > 0 && c->fetch[f - 1].instr == instr)
			continue; /* the second line of a straddling one */
		access_until(s, c, r, slots, &op, instr);
		if (an_ways_access(first, i->addr, i->len, false))
			fetch_missed(s, c, instr);
	}
	access_until(s, c, r, slots, &op, UINT_MAX);
}

/*
 * The code of an execution, in the first level only, which data do not share.
 *
 * Return: how many instructions missed; @missing receives them.
 */
static unsigned run_code(struct an_cachesim *s, const struct an_cacheblock *c,
			 const struct an_route *r, uint16_t *missing)
{
	struct an_ways *first =
		an_hierarchy_first(&s->hierarchy, AN_INSTRUCTION);
	unsigned n = 0;

	for (unsigned f = 0; f < r->n_fetches; f++) {
		uint16_t instr = (uint16_t)c->fetch[f].instr;

		if (first->mru[c->fetch[f].set] == c->fetch[f].line + 1)
			continue;
		s->code_changes++;
		if (an_ways_touch_older(first, c->fetch[f].line, false) &&
		    (n == 0 || missing[n - 1] != instr))
			missing[n++] = instr;
	}
	return n;
}

/* An execution of which @n instructions have missed the first level: what
   goes on from there does so in program order. */
static void run_missing(struct an_cachesim *s, struct an_cacheblock *c,
			const struct an_route *r, const uint32_t *slots,
			const uint16_t *missing, unsigned n)
{
	unsigned op = 0;

	for (unsigned i = 0; i < n; i++) {
		access_until(s, c, r, slots, &op, missing[i]);
		fetch_missed(s, c, missing[i]);
	}
	access_until(s, c, r, slots, &op, UINT_MAX);
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

/* The accesses of an execution, in order, without the code. */
static inline __attribute__((always_inline)) void
run_data(struct an_cachesim *s, struct an_cacheblock *c,
	 const struct an_route *r, const uint32_t *slots, struct last_used l,
	 unsigned shift)
{
	for (unsigned i = 0; i < r->n_ops; i++) {
		const struct an_op *op = &c->op[i];
		uint64_t base = base_of(op, slots);
		uint64_t any = (uint64_t)op->reads & AN_DIRTY;
		uint64_t line = (base + op->delta) >> shift;
		uint64_t last = (base + op->delta + op->last) >> shift;

		if ((differs(l, line, any) | (line ^ last) | op->guarded) != 0)
			access_data(s, c, i, base);
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

/* An execution whose code is not quiet. Return: whether its data are done. */
static bool run_loud_code(struct an_cachesim *s, struct an_cacheblock *c,
			  const struct an_route *r, const uint32_t *slots)
{
	uint16_t missing[PT_MAX_INSTRS];
	unsigned n;

	if (s->in_order) {
		run_in_order(s, c, r, slots);
		return true;
	}
	n = run_code(s, c, r, missing);
	if (n > 0)
		run_missing(s, c, r, slots, missing, n);
	return n > 0;
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

		if ((s->in_order || !code_is_quiet(s, c, r, code)) &&
		    run_loud_code(s, c, r, slots))
			continue;
		/* One look each is no more than one look at each group. */
		if (r->single || !data_is_quiet(c, r, slots, l, shift))
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
