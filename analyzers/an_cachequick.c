/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cachequick.c - batches simulated with as few looks as can be
 *
 * Room:    analyzers.
 *
 * Nearly every access uses a line that its first level holds, and then all
 * that changes is when the line was used. That much is done for a run of
 * accesses, or a line of code, at one look; the rest is simulated access by
 * access.
 *
 * Code and data have a first level each, so a batch's code is simulated first
 * and then its data. What misses is not sent on at once but gathered: at the
 * end of the batch, code and data are brought into program order, and the sets
 * of the next level, which are seldom in this machine's caches, have arrived.
 */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/an_cachesim.h"

/* Orders what misses in a batch: by place in the chunk, by instruction, code
   first. */
static uint64_t order_of(struct an_exec e, unsigned instr, int path)
{
	return ((uint64_t)an_at(e) * PT_MAX_INSTRS + instr) * 2 +
	       (path == AN_DATA);
}

static bool grow(struct an_misses *m)
{
	size_t size = m->size ? 2 * m->size : 512;
	void *p = realloc(m->miss, size * sizeof(*m->miss));

	if (p == NULL)
		return false;
	m->miss = p;
	m->size = size;
	return true;
}

static void miss(struct an_cachesim *s, struct an_exec e, int path,
		 unsigned instr, unsigned row, struct an_ref r)
{
	struct an_misses *m = &s->misses[path];

	if (m->n == m->size && !grow(m)) {
		s->error = -ENOMEM;
		return;
	}
	an_hierarchy_prefetch(&s->hierarchy, path, r.addr);
	m->miss[m->n++] = (struct an_miss){
		.addr = r.addr,
		.row = an_cacheblock_misses(&s->block[e.block], row),
		.order = order_of(e, instr, path),
		.size = (uint8_t)r.size,
		.write = r.write,
	};
}

static void send(struct an_cachesim *s, int path, const struct an_miss *m)
{
	int levels = an_hierarchy_access(&s->hierarchy, path, m->addr, m->size,
					 m->write);

	m->row[levels - 1]++;
}

/* Sends on what missed, in program order. */
static void send_all(struct an_cachesim *s)
{
	struct an_misses *code = &s->misses[AN_INSTRUCTION];
	struct an_misses *data = &s->misses[AN_DATA];
	size_t i = 0;

	for (size_t d = 0; d < data->n; d++) {
		for (; i < code->n && code->miss[i].order < data->miss[d].order;
		     i++)
			send(s, AN_INSTRUCTION, &code->miss[i]);
		send(s, AN_DATA, &data->miss[d]);
	}
	for (; i < code->n; i++)
		send(s, AN_INSTRUCTION, &code->miss[i]);
	code->n = data->n = 0;
}

/* The code of an execution from fetch @f on, line by line. */
static __attribute__((noinline)) void
search_code(struct an_cachesim *s, struct an_exec e, unsigned f, unsigned n)
{
	struct an_first *first = &s->hierarchy.first[AN_INSTRUCTION];
	const struct an_block *b = s->block[e.block].block;
	struct an_fetch *fetch = an_plan_fetches(s->plan[e.block]);
	unsigned missed = PT_MAX_INSTRS;

	for (; f < n; f++) {
		unsigned instr = fetch[f].instr;
		const struct pt_instr *i = &b->instr[instr];

		if (an_first_touch(first, fetch[f].line, false) &&
		    instr != missed) {
			missed = instr; /* once, in whichever line */
			miss(s, e, AN_INSTRUCTION, instr, instr,
			     (struct an_ref){i->addr, i->len, false});
		}
		fetch[f].way = first->hint[fetch[f].line & first->hints];
	}
}

/* Where a line is that needs no more than the time; @any: AN_DIRTY unless it
   must be dirty. Or a way of another line. */
static inline uint32_t way_of(const struct an_first *f, uint64_t line,
			      uint64_t any, uint64_t *other)
{
	uint32_t at = f->hint[line & f->hints];

	*other |= (f->way[at] | any) ^ (line + 1 + AN_DIRTY);
	return at;
}

/* A run across the border of two lines that are where the hints say. They are
   in different sets, so it is all the same which is used first. */
static bool run_across(struct an_first *f, const struct an_run *r,
		       uint64_t base)
{
	uint64_t line = (base + r->delta) >> f->shift, other = 0;
	uint64_t last = (base + r->delta + r->span) >> f->shift;
	uint64_t any = (uint64_t)r->reads << 63;
	uint32_t at = way_of(f, line, any, &other);
	uint32_t at_last = way_of(f, last, any, &other);

	if (other != 0 || r->span == AN_GUARDED)
		return false;
	f->used[at] = ++f->clock;
	f->used[at_last] = ++f->clock;
	return true;
}

static inline uint64_t base_of(const struct an_run *r, const uint32_t *slots)
{
	return pt_slot(slots + r->place) & (uint64_t)r->based;
}

/* A run of which more must be found out: the accesses one by one. */
static __attribute__((noinline)) void search_data(struct an_cachesim *s,
						  struct an_exec e,
						  const struct an_run *r,
						  const uint32_t *slots)
{
	struct an_cacheblock *c = &s->block[e.block];
	const struct an_block *b = c->block;
	struct an_first *first = &s->hierarchy.first[AN_DATA];
	struct an_ref ref;

	if (run_across(first, r, base_of(r, slots)))
		return;
	for (unsigned i = r[0].first; i < r[1].first; i++)
		if (an_cacheblock_ref(c, s->hierarchy.smallest_line, i, slots,
				      &ref) &&
		    an_first_access(first, ref.addr, ref.size, ref.write))
			miss(s, e, AN_DATA, b->access[i].instr, b->n_instrs + i,
			     ref);
}

/* What the usual cases need of a first level, at hand. */
struct hand {
	struct an_first *all;
	const uint64_t *way;
	uint32_t *used;
	const uint32_t *hint;
	uint64_t hints;
};

static struct hand take(struct an_cachesim *s, int path)
{
	struct an_first *f = &s->hierarchy.first[path];

	return (struct hand){f, f->way, f->used, f->hint, f->hints};
}

/* Lines of code are where they were found last; what is not is searched for. */
static inline __attribute__((always_inline)) void
run_code(struct an_cachesim *s, struct hand l, struct an_exec e,
	 const struct an_fetch *fetch, unsigned n)
{
	uint32_t clock = l.all->clock;

	for (unsigned f = 0; f < n; f++) {
		if (l.way[fetch[f].way] != fetch[f].line + 1) {
			l.all->clock = clock;
			search_code(s, e, f, n);
			return;
		}
		l.used[fetch[f].way] = ++clock;
	}
	l.all->clock = clock;
}

/*
 * A run whose line is where the hint says, and dirty should the run write,
 * needs no more than the time.
 */
static inline __attribute__((always_inline)) void
run_data(struct an_cachesim *s, struct hand l, struct an_exec e,
	 const struct an_run *r, unsigned n, const uint32_t *slots,
	 unsigned shift)
{
	const struct an_run *end = r + n;
	uint32_t clock = l.all->clock;

	for (; r < end; r++) {
		uint64_t addr = base_of(r, slots) + r->delta;
		uint64_t line = addr >> shift;
		uint64_t last = (addr + r->span) >> shift;
		uint32_t at = l.hint[line & l.hints];
		uint64_t any = (uint64_t)r->reads << 63;

		if ((((l.way[at] | any) ^ (line + 1 + AN_DIRTY)) |
		     (line ^ last)) == 0) {
			l.used[at] = ++clock;
			continue;
		}
		l.all->clock = clock;
		search_data(s, e, r, slots);
		clock = l.all->clock;
	}
	l.all->clock = clock;
}

/* Inlined with constants for the line size that caches have. */
static inline __attribute__((always_inline)) void
run(struct an_cachesim *s, const struct an_batch *batch, unsigned shift)
{
	struct hand code = take(s, AN_INSTRUCTION), data = take(s, AN_DATA);

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		struct an_plan *p = s->plan[e.block];
		struct an_route r = p->route[an_exit(e)];

		run_code(s, code, e, an_plan_fetches(p), r.n_fetches);
		run_data(s, data, e, an_plan_runs(p), r.n_runs,
			 batch->base + an_at(e), shift);
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
	run(s, batch, s->hierarchy.first[AN_DATA].shift);
}

int an_cachequick_run(struct an_cachesim *s, const struct an_batch *batch)
{
	for (int path = 0; path < 2; path++)
		an_first_wind(&s->hierarchy.first[path]);
	if (s->hierarchy.first[AN_DATA].shift == 6)
		run_64(s, batch);
	else
		run_any(s, batch);
	send_all(s);
	return s->error;
}
