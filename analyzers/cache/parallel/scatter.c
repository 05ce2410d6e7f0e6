/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scatter.c - lists the uses of data lines of a chunk by partition
 *
 * A line that was its set's last use hits, and using it again changes nothing,
 * unless it was clean and is now written. So a table of each set's last use,
 * emptied at the beginning of a chunk, drops most uses. If the table is shorter
 * than the level, sets share an entry, and fewer uses are dropped.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/simulation.h"

enum {
	AHEAD = 256, /* [4 bytes] prefetch distance from the slots being read */
	FULL_BUFFER = 1024,
	MANY_ACCESSES = 1 << 19, /* accesses */
	BUFFER_SIZE = FULL_BUFFER +
		      2 * PT_MAX_ACCESSES, /* full buffer and the uses of one
					      execution, at most */
};

/* Uses that have not yet been distributed to the partitions' lists. */
struct use_buffer {
	const struct an_cachesim *sim;
	struct an_partlane *lane;
	uint64_t *present;
	uint64_t remembered;
	size_t n;
	uint64_t line[BUFFER_SIZE];
	uint32_t where[BUFFER_SIZE];
};

static int make_room(struct an_uses *u, size_t n)
{
	size_t size = u->size ? u->size : 4 * FULL_BUFFER;
	void *p;

	if (u->n + n <= u->size)
		return 0;
	while (size < u->n + n)
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

/* Move the buffered uses to the lists of their partitions. Return: 0 or
   -ENOMEM. */
static int flush_buffer(struct use_buffer *p)
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

/* Whether a use repeats the last use of its set: the same line, already written
   if @flags is AN_WRITES (else 0). For a read it does not matter whether the
   last use was a write. */
static inline bool is_repeated(const struct use_buffer *p, uint64_t line,
			       unsigned flags)
{
	uint64_t use = line << AN_LINE_SHIFT | flags;

	return ((p->present[line & p->remembered] ^ use) &
		~(uint64_t)(AN_WRITES ^ flags)) == 0;
}

static inline void add_use(struct use_buffer *p, uint64_t line, unsigned flags,
			   uint32_t where)
{
	uint64_t use = line << AN_LINE_SHIFT | flags;

	p->present[line & p->remembered] = use & ~(uint64_t)AN_STRADDLES;
	p->line[p->n] = use;
	p->where[p->n++] = where;
}

static void add_access(struct use_buffer *p, const struct an_ref *r,
		       unsigned shift, uint32_t where)
{
	uint64_t first = r->addr >> shift;
	uint64_t last = (r->addr + r->size - 1) >> shift;
	unsigned flags = r->write ? AN_WRITES : 0;

	if (is_repeated(p, first, flags) && is_repeated(p, last, flags))
		return;
	if (first == last) {
		add_use(p, first, flags, where);
		return;
	}
	add_use(p, first, flags | AN_STRADDLES, where);
	add_use(p, last, flags | AN_STRADDLES, where);
}

/* Whether a run that crosses a line border repeats the last uses of both its
   sets. False for a guarded run. */
static bool is_run_repeated(const struct use_buffer *p, const struct an_run *r,
			    const uint32_t *slots, unsigned shift)
{
	uint64_t addr = an_run_base(r, slots) + r->delta;

	return r->span != AN_GUARDED &&
	       is_repeated(p, addr >> shift, r->writes) &&
	       is_repeated(p, (addr + r->span) >> shift, r->writes);
}

/* List the accesses of a run that is guarded or crosses a line border. */
static __attribute__((noinline)) void
add_run(struct use_buffer *p, const struct an_block *b, const struct an_run *r,
	const uint32_t *slots, uint32_t exec)
{
	const struct an_cachesim *s = p->sim;
	unsigned shift = s->hierarchy.first[AN_DATA].shift;
	struct an_ref ref;

	if (is_run_repeated(p, r, slots, shift))
		return;
	for (unsigned i = r[0].first; i < r[1].first; i++)
		if (an_block_ref(b, s->hierarchy.smallest_line, i, slots, &ref))
			add_access(p, &ref, shift, exec | i);
}

/* List the uses of an execution up to its exit. Inlined with a constant @shift
   for the usual line size of 64 bytes. */
static inline __attribute__((always_inline)) void
add_exec(struct use_buffer *p, const struct an_path *path, unsigned exit,
	 const uint32_t *slots, uint32_t exec, unsigned shift)
{
	const struct an_run *r = an_path_runs(path);
	const struct an_run *end = r + path->n[exit];

	__builtin_prefetch(slots + AHEAD);
	for (; r < end; r++) {
		uint64_t addr = an_run_base(r, slots) + r->delta;
		uint64_t line = addr >> shift;

		if (line != (addr + r->span) >> shift)
			add_run(p, path->block, r, slots, exec);
		else if (!is_repeated(p, line, r->writes))
			add_use(p, line, r->writes, exec | r->first);
	}
}

static int interpret(struct use_buffer *p, const struct an_batch *batch)
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
			add_exec(p, path, an_exit(e), slots, exec, 6);
		else
			add_exec(p, path, an_exit(e), slots, exec, shift);
		if (p->n >= FULL_BUFFER)
			err = flush_buffer(p);
	}
	return err;
}

/* ---- with compiled code ---- */

/* Return the buffer, updated with the uses that compiled code has appended.
   update_frame() does the reverse. */
static struct use_buffer *get_buffer(struct an_frame *frame)
{
	struct use_buffer *p = frame->caller;

	p->n = (size_t)(frame->line - p->line);
	return p;
}

static void update_frame(struct an_frame *frame, struct use_buffer *p)
{
	frame->line = p->line + p->n;
	frame->where = p->where + p->n;
}

static void add_searched_run(struct an_frame *frame, const struct an_exec *e,
			     uint32_t sought, const uint32_t *slots,
			     uint64_t line, uint64_t last)
{
	const struct an_path *path = frame->plan[e->block].data;
	struct use_buffer *p = get_buffer(frame);

	(void)line;
	(void)last;
	add_run(p, path->block, an_sought_run(sought, path), slots,
		frame->here);
	update_frame(frame, p);
}

static void add_uncompiled_exec(struct an_frame *frame, const struct an_exec *e)
{
	struct use_buffer *p = get_buffer(frame);

	add_exec(p, frame->plan[e->block].data, an_exit(*e),
		 frame->batch->base + an_at(*e), frame->here,
		 p->sim->hierarchy.first[AN_DATA].shift);
	if (p->lane->n_cold < AN_COLD)
		p->lane->cold[p->lane->n_cold++] = e->block;
	update_frame(frame, p);
}

static int run_compiled(struct use_buffer *p, const struct an_batch *batch)
{
	struct an_frame frame = {
		.search = add_searched_run,
		.other = add_uncompiled_exec,
		.present = p->present,
		.full = p->line + FULL_BUFFER,
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
		update_frame(&frame, p);
		an_compile_spread(&p->sim->compiler, &frame);
		err = flush_buffer(get_buffer(&frame));
	}
	return err;
}

int an_spread_run(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_partlane *l = &s->parts.lane[batch->lane];
	struct use_buffer p;
	int err;

	p.sim = s;
	p.lane = l;
	p.present = l->present;
	p.remembered = s->parts.remembered;
	p.n = 0;
	if (l->entry != NULL)
		return run_compiled(&p, batch);
	err = interpret(&p, batch);
	return err ? err : flush_buffer(&p);
}

/* Compile the blocks that the lane's previous chunk executed without code. */
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
 * memory than the chunk itself. Nearly all blocks have at most one access for
 * each byte of their units, so only the accesses of the others are counted.
 */
static bool is_heavy(const struct an_cachesim *s, const struct an_batch *chunk)
{
	size_t n = chunk->n_execs;
	uint64_t bytes = n ? 4 * an_at(chunk->exec[n - 1]) : 0, accesses = 0;

	for (size_t i = 0; s->any_heavy && i < n; i++)
		accesses += s->heavy[chunk->exec[i].block];
	return accesses > bytes && accesses > MANY_ACCESSES;
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
