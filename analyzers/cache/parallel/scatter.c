/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scatter.c - which lines of data a chunk uses, a list for each part
 *
 * A line that its set used last is there, and using it again changes nothing,
 * unless it was clean and is written now. So a table of the last use of each
 * set, forgotten at the beginning of a chunk, keeps most uses out of the lists.
 * Where the table is shorter than the level, sets share an entry: fewer uses
 * are kept out.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/simulation.h"

enum {
	AHEAD = 256, /* [4 bytes] prefetched before the slots being read */
	FULL = 1024,
	MANY = 1 << 19,			   /* accesses */
	ROOM = FULL + 2 * PT_MAX_ACCESSES, /* of an execution, at most */
};

/* Uses on their way to the lists. */
struct pan {
	const struct an_cachesim *sim;
	struct an_partlane *lane;
	uint64_t *present;
	uint64_t remembered;
	size_t n;
	uint64_t line[ROOM];
	uint32_t where[ROOM];
};

static int make_room(struct an_uses *u, size_t more)
{
	size_t size = u->size ? u->size : 4 * FULL;
	void *p;

	if (u->n + more <= u->size)
		return 0;
	while (size < u->n + more)
		size *= 2;
	p = realloc(u->line, size * sizeof(*u->line));
	if (p == NULL)
		return -ENOMEM;
	u->line = p;
	p = realloc(u->where, size * sizeof(*u->where));
	if (p == NULL)
		return -ENOMEM;
	u->where = p;
	u->size = size;
	return 0;
}

/* Empties the pan into the lists. */
static int deal(struct pan *p)
{
	struct an_partlane *l = p->lane;
	uint64_t mask = p->sim->parts.groups - 1;
	int err = 0;

	for (unsigned i = 0; i < p->sim->parts.n && !err; i++)
		err = make_room(&l->uses[i], p->n);
	for (size_t i = 0; i < p->n && !err; i++) {
		uint64_t group = p->line[i] >> AN_LINE_SHIFT & mask;
		struct an_uses *u = &l->uses[l->map[group]];

		l->used[group]++;
		u->line[u->n] = p->line[i];
		u->where[u->n++] = p->where[i];
	}
	p->n = 0;
	return err;
}

/* Whether a use is one of a line that its set used last, and wrote if this
   does; @how is 0 or AN_WRITES. A read does not care whether the last use was
   a write. */
static inline bool is_present(const struct pan *p, uint64_t line, unsigned how)
{
	uint64_t use = line << AN_LINE_SHIFT | how;

	return ((p->present[line & p->remembered] ^ use) &
		~(uint64_t)(AN_WRITES ^ how)) == 0;
}

static inline void put(struct pan *p, uint64_t line, unsigned how,
		       uint32_t where)
{
	uint64_t use = line << AN_LINE_SHIFT | how;

	p->present[line & p->remembered] = use & ~(uint64_t)AN_STRADDLES;
	p->line[p->n] = use;
	p->where[p->n++] = where;
}

static void put_access(struct pan *p, const struct an_ref *r, unsigned shift,
		       uint32_t where)
{
	uint64_t first = r->addr >> shift;
	uint64_t last = (r->addr + r->size - 1) >> shift;
	unsigned how = r->write ? AN_WRITES : 0;

	if (is_present(p, first, how) && is_present(p, last, how))
		return;
	if (first == last) {
		put(p, first, how, where);
		return;
	}
	put(p, first, how | AN_STRADDLES, where);
	put(p, last, how | AN_STRADDLES, where);
}

/* A run across the border of two lines that their sets used last. */
static bool is_run_present(const struct pan *p, const struct an_run *r,
			   const uint32_t *slots, unsigned shift)
{
	uint64_t addr = an_run_base(r, slots) + r->delta;

	return r->span != AN_GUARDED &&
	       is_present(p, addr >> shift, r->writes) &&
	       is_present(p, (addr + r->span) >> shift, r->writes);
}

/* A run that may not happen, or is not in one line: its accesses. */
static __attribute__((noinline)) void
put_run(struct pan *p, const struct an_block *b, const struct an_run *r,
	const uint32_t *slots, uint32_t exec)
{
	const struct an_cachesim *s = p->sim;
	unsigned shift = s->hierarchy.first[AN_DATA].shift;
	struct an_ref ref;

	if (is_run_present(p, r, slots, shift))
		return;
	for (unsigned i = r[0].first; i < r[1].first; i++)
		if (an_block_ref(b, s->hierarchy.smallest_line, i, slots, &ref))
			put_access(p, &ref, shift, exec | i);
}

/* An execution; inlined with a constant for the line size that caches have. */
static inline __attribute__((always_inline)) void
put_exec(struct pan *p, const struct an_path *path, unsigned exit,
	 const uint32_t *slots, uint32_t exec, unsigned shift)
{
	const struct an_run *r = an_path_runs(path);
	const struct an_run *end = r + path->n[exit];

	__builtin_prefetch(slots + AHEAD);
	for (; r < end; r++) {
		uint64_t addr = an_run_base(r, slots) + r->delta;
		uint64_t line = addr >> shift;

		if (line != (addr + r->span) >> shift)
			put_run(p, path->block, r, slots, exec);
		else if (!is_present(p, line, r->writes))
			put(p, line, r->writes, exec | r->first);
	}
}

static int interpret(struct pan *p, const struct an_batch *batch)
{
	const struct an_plan *plan = p->sim->lane[batch->lane].plan;
	unsigned shift = p->sim->hierarchy.first[AN_DATA].shift;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs && !err; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_path *path = plan[e.block].data;
		const uint32_t *slots = batch->base + an_at(e);
		uint32_t exec = (uint32_t)(batch->first + i) << AN_ACCESS_BITS;

		if (shift == 6)
			put_exec(p, path, an_exit(e), slots, exec, 6);
		else
			put_exec(p, path, an_exit(e), slots, exec, shift);
		if (p->n >= FULL)
			err = deal(p);
	}
	return err;
}

/* ---- by machine code ---- */

/* The pan holds what the code has put there; and the other way round. */
static struct pan *take_pan(struct an_frame *frame)
{
	struct pan *p = frame->caller;

	p->n = (size_t)(frame->line - p->line);
	return p;
}

static void give_pan(struct an_frame *frame, struct pan *p)
{
	frame->line = p->line + p->n;
	frame->where = p->where + p->n;
}

static void search_run(struct an_frame *frame, const struct an_exec *e,
		       uint32_t sought, const uint32_t *slots, uint64_t line,
		       uint64_t last)
{
	const struct an_path *path = frame->plan[e->block].data;
	struct pan *p = take_pan(frame);

	(void)line;
	(void)last;
	put_run(p, path->block, an_sought_run(sought, path), slots,
		frame->here);
	give_pan(frame, p);
}

static void run_other(struct an_frame *frame, const struct an_exec *e)
{
	struct pan *p = take_pan(frame);

	put_exec(p, frame->plan[e->block].data, an_exit(*e),
		 frame->batch->base + an_at(*e), frame->here,
		 p->sim->hierarchy.first[AN_DATA].shift);
	if (p->lane->n_cold < AN_COLD)
		p->lane->cold[p->lane->n_cold++] = e->block;
	give_pan(frame, p);
}

static int run_compiled(struct pan *p, const struct an_batch *batch)
{
	struct an_frame frame = {
		.search = search_run,
		.other = run_other,
		.present = p->present,
		.full = p->line + FULL,
		.here = (uint32_t)batch->first << AN_ACCESS_BITS,
		.hints = p->remembered,
		.base = batch->base,
		.end = batch->exec + batch->n_execs,
		.entry = p->lane->entry,
		.at = batch->exec,
		.batch = batch,
		.plan = p->sim->lane[batch->lane].plan,
		.caller = p,
	};
	int err = 0;

	while (frame.at < frame.end && !err) {
		give_pan(&frame, p);
		an_compile_spread(&p->sim->compiler, &frame);
		err = deal(take_pan(&frame));
	}
	return err;
}

int an_spread_run(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_partlane *l = &s->parts.lane[batch->lane];
	struct pan p;
	int err;

	p.sim = s;
	p.lane = l;
	p.present = l->present;
	p.remembered = s->parts.remembered;
	p.n = 0;
	if (l->entry != NULL)
		return run_compiled(&p, batch);
	err = interpret(&p, batch);
	return err ? err : deal(&p);
}

/* Compiles what the chunk before in this lane has executed without code. */
static void compile_cold(struct an_cachesim *s, struct an_partlane *l)
{
	const struct an_first level = {
		.shift = s->hierarchy.first[AN_DATA].shift,
		.hints = s->parts.remembered,
	};

	l->entry = NULL;
	if (an_compile_ready(&s->compiler, (uint32_t)s->n_plans)) {
		for (unsigned i = 0; i < l->n_cold; i++)
			an_compile_note(&s->compiler, l->cold[i],
					s->plan[l->cold[i]].data, &level);
		l->entry = s->compiler.entry;
	}
	l->n_cold = 0;
}

/*
 * Whether a chunk may have so many accesses that its lists would need much more
 * memory than the chunk itself. Nearly all blocks have less than one access for
 * each byte of their units, so only the others are counted.
 */
static bool is_heavy(const struct an_cachesim *s, const struct an_batch *chunk)
{
	size_t n = chunk->n_execs;
	uint64_t bytes = n ? 4 * an_at(chunk->exec[n - 1]) : 0, accesses = 0;

	for (size_t i = 0; s->any_heavy && i < n; i++)
		accesses += s->heavy[chunk->exec[i].block];
	return accesses > bytes && accesses > MANY;
}

enum an_course an_spread_begin(struct an_cachesim *s,
			       const struct an_batch *chunk)
{
	bool moved;

	compile_cold(s, &s->parts.lane[chunk->lane]);
	moved = an_parts_begin(&s->parts, chunk->lane);
	if (is_heavy(s, chunk))
		return AN_WHOLE;
	return moved ? AN_MEET : AN_ON;
}
