/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * d1.c - data, and what follows, with as few looks as can be
 *
 * Nearly every access uses a line that its first level holds, and then all
 * that changes is when the line was used. That much is done for a run of
 * accesses at one look; the rest is simulated access by access.
 *
 * Code and data have a first level each, so code is simulated ahead, by
 * i1.c, and then data. What misses is gathered, and sent on by
 * lower_levels.c.
 */

#include <errno.h>

#include "analyzers/cache/model/l1_set.h"
#include "analyzers/cache/simulation.h"

enum {
	AHEAD = 256, /* [4 bytes] prefetched before the slots being read */
};

/* Only a level in parts has its hints in groups. */
static inline __attribute__((always_inline)) uint64_t
hint_of(const struct an_first *f, uint64_t line, bool grouped)
{
	return grouped ? an_first_hint(f, line) : line & f->hints;
}

/* Uses two lines, if they are where the hints say, and dirty should they be.
   They are in different sets, so it is all the same which is used first. */
static inline __attribute__((always_inline)) bool
use_both(const struct an_first *f, uint64_t line, uint64_t last, bool writes,
	 int32_t *clock, bool grouped)
{
	uint32_t at = f->hint[hint_of(f, line, grouped)];
	uint32_t at_last = f->hint[hint_of(f, last, grouped)];

	if (f->way[at] != line || f->way[at_last] != last ||
	    writes > (f->dirty[at] & f->dirty[at_last]))
		return false;
	f->used[at] = f->used[at_last] = ++*clock;
	return true;
}

/* Uses both lines of a run across their border. */
static inline __attribute__((always_inline)) bool
crosses(const struct an_first *f, const struct an_run *r, const uint32_t *slots,
	int32_t *clock, bool grouped)
{
	uint64_t addr = an_run_base(r, slots) + r->delta;
	uint64_t line = addr >> f->shift;
	uint64_t last = (addr + r->span) >> f->shift;

	return line != last && r->span != AN_GUARDED &&
	       use_both(f, line, last, r->writes, clock, grouped);
}

static __attribute__((noinline)) void
add_growing(struct an_cachesim *s, struct an_exec e, unsigned access,
	    unsigned instr, struct an_ref r)
{
	struct an_miss *next = an_misses_next(s->gathered);

	if (next != NULL)
		an_miss_fill(next, e, AN_DATA, access, instr, r);
	else
		s->error = -ENOMEM;
}

static inline __attribute__((always_inline)) void
add_miss(struct an_cachesim *s, struct an_exec e, unsigned access,
	 unsigned instr, struct an_ref r)
{
	struct an_misses *m = s->gathered;

	if (m->n < m->size)
		an_miss_fill(&m->miss[m->n++], e, AN_DATA, access, instr, r);
	else
		add_growing(s, e, access, instr, r);
}

/* A run whose accesses must be looked at one by one. */
static __attribute__((noinline)) void search_accesses(struct an_cachesim *s,
						      struct an_exec e,
						      const struct an_block *b,
						      const struct an_run *r,
						      const uint32_t *slots)
{
	struct an_first *first = &s->hierarchy.first[AN_DATA];
	struct an_ref ref;

	for (unsigned i = r[0].first; i < r[1].first; i++)
		if (an_block_ref(b, s->hierarchy.smallest_line, i, slots,
				 &ref) &&
		    an_first_access(first, ref.addr, ref.size, ref.write))
			add_miss(s, e, i, b->access[i].instr, ref);
}

/* A run that is neither in one line where the hint says, nor crosses(). Within
   a line that is missing it is so for the first access. */
static void search_data(struct an_cachesim *s, struct an_exec e,
			const struct an_block *b, const struct an_run *r,
			const uint32_t *slots)
{
	struct an_first *f = &s->hierarchy.first[AN_DATA];
	uint64_t addr = an_run_base(r, slots) + r->delta;
	uint64_t line = addr >> f->shift;
	struct an_ref ref = {addr, r->span + 1u, r->writes};

	if (line != (addr + r->span) >> f->shift) {
		search_accesses(s, e, b, r, slots);
	} else if (an_first_search(f, line, r->writes, ++f->clock)) {
		if (r[1].first - r[0].first > 1)
			an_block_ref(b, s->hierarchy.smallest_line, r->first,
				     slots, &ref);
		add_miss(s, e, r->first, b->access[r->first].instr, ref);
	}
}

/*
 * A run whose line is where the hint says needs no more than the time. Inlined
 * with constants for the line size that caches have.
 */
static inline __attribute__((always_inline)) void
run(struct an_cachesim *s, const struct an_batch *batch, unsigned shift,
    bool grouped)
{
	const struct an_plan *plan = s->lane[batch->lane].plan;
	struct an_first *first = &s->hierarchy.first[AN_DATA];
	const uint64_t *way = first->way;
	const uint32_t *hint = first->hint;
	int32_t *used = first->used, clock = first->clock;
	uint8_t *dirty = first->dirty;

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_path *p = plan[e.block].data;
		const uint32_t *slots = batch->base + an_at(e);
		const struct an_run *r = an_path_runs(p);
		const struct an_run *end = r + p->n[an_exit(e)];

		__builtin_prefetch(slots + AHEAD);
		for (; r < end; r++) {
			uint64_t addr = an_run_base(r, slots) + r->delta;
			uint64_t line = addr >> shift;
			uint64_t last = (addr + r->span) >> shift;
			uint32_t at = hint[hint_of(first, line, grouped)];

			if (((way[at] ^ line) | (line ^ last)) == 0) {
				used[at] = ++clock;
				dirty[at] |= r->writes;
				continue;
			}
			if (crosses(first, r, slots, &clock, grouped))
				continue;
			first->clock = clock;
			search_data(s, e, p->block, r, slots);
			clock = first->clock;
		}
	}
	first->clock = clock;
}

/* Apart, for a compiler that sees both would make one of them. */
static __attribute__((noinline)) void run_64(struct an_cachesim *s,
					     const struct an_batch *batch)
{
	run(s, batch, 6, false);
}

static void interpret(struct an_cachesim *s, const struct an_batch *batch)
{
	if (s->hierarchy.first[AN_DATA].shift == 6)
		run_64(s, batch);
	else
		run(s, batch, s->hierarchy.first[AN_DATA].shift, false);
}

/* A run of which more must be known. */
static __attribute__((noinline)) void search_whole(struct an_frame *frame,
						   struct an_exec e,
						   uint32_t sought,
						   const uint32_t *slots)
{
	const struct an_path *p = frame->plan[e.block].data;
	const struct an_run *r = an_sought_run(sought, p);
	struct an_first *first = frame->first;

	if (crosses(first, r, slots, &frame->clock, false))
		return;
	first->clock = frame->clock;
	search_data(frame->caller, e, p->block, r, slots);
	frame->clock = first->clock;
}

/* A run that may be in two lines. */
static __attribute__((noinline)) void
search_two(struct an_frame *frame, const struct an_exec *e, uint32_t sought,
	   const uint32_t *slots, uint64_t line, uint64_t last)
{
	bool writes = an_sought_is(sought, AN_SOUGHT_WRITES);

	if (!use_both(frame->first, line, last, writes, &frame->clock, false))
		search_whole(frame, *e, sought, slots);
}

/* Mostly all that it uses is a line that is not where the hint says. */
static void search_any(struct an_frame *frame, const struct an_exec *e,
		       uint32_t sought, const uint32_t *slots, uint64_t line,
		       uint64_t last)
{
	struct an_first *f = frame->first;
	struct an_ref ref = {line << f->shift, 1,
			     an_sought_is(sought, AN_SOUGHT_WRITES_FIRST)};

	if (!an_sought_is(sought, AN_SOUGHT_PLAIN))
		search_whole(frame, *e, sought, slots);
	else if (an_sought_is(sought, AN_SOUGHT_SPANS) && line != last)
		search_two(frame, e, sought, slots, line, last);
	else if (an_first_search(f, line,
				 an_sought_is(sought, AN_SOUGHT_WRITES),
				 ++frame->clock))
		add_miss(frame->caller, *e, an_sought_row(sought),
			 an_sought_instr(sought), ref);
}

/* A line of a usual level is missing, and its list has room. */
static __attribute__((noinline)) void miss_usual(struct an_frame *frame,
						 const struct an_exec *e,
						 uint32_t sought, uint64_t line)
{
	struct an_first *f = frame->first;
	struct an_misses *m = frame->misses;
	struct an_ref ref = {line << f->shift, 1,
			     an_sought_is(sought, AN_SOUGHT_WRITES_FIRST)};

	an_firstset_fill(f, line, an_sought_is(sought, AN_SOUGHT_WRITES),
			 ++frame->clock, an_firstset_place(f, line),
			 line & f->hints, AN_USUAL);
	an_miss_fill(&m->miss[m->n++], *e, AN_DATA, an_sought_row(sought),
		     an_sought_instr(sought), ref);
}

/* search_any() of a usual level, without a call but at its end: what is called
   for each miss needs no registers that are to be saved. */
static void search_usual(struct an_frame *frame, const struct an_exec *e,
			 uint32_t sought, const uint32_t *slots, uint64_t line,
			 uint64_t last)
{
	const struct an_misses *m = frame->misses;
	struct an_first *f = frame->first;
	uint32_t place = an_firstset_place(f, line), i;

	if (!an_sought_is(sought, AN_SOUGHT_PLAIN) || m->n == m->size) {
		search_any(frame, e, sought, slots, line, last);
		return;
	}
	if (an_sought_is(sought, AN_SOUGHT_SPANS) && line != last) {
		search_two(frame, e, sought, slots, line, last);
		return;
	}
	i = an_firstset_find(f, place, line, AN_USUAL);
	if (i == AN_WIDE)
		miss_usual(frame, e, sought, line);
	else
		an_firstset_hit(f, place + i,
				an_sought_is(sought, AN_SOUGHT_WRITES),
				++frame->clock, line & f->hints);
}

static void run_other(struct an_frame *frame, const struct an_exec *e)
{
	struct an_cachesim *s = frame->caller;
	struct an_first *first = &s->hierarchy.first[AN_DATA];
	struct an_batch one = *frame->batch;

	one.exec = e;
	one.n_execs = 1;
	first->clock = frame->clock;
	interpret(s, &one);
	frame->clock = first->clock;
	an_compile_note(&s->compiler, e->block, frame->plan[e->block].data,
			first);
}

static void run_compiled(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_first *first = &s->hierarchy.first[AN_DATA];
	struct an_frame frame = {
		.search = first->is_usual ? search_usual : search_any,
		.other = run_other,
		.first = first,
		.batch = batch,
		.plan = s->lane[batch->lane].plan,
		.caller = s,
		.misses = s->gathered,
	};

	an_compile_run(&s->compiler, &frame);
}

/* Between parts, whose clocks are not the level's but show more than ranks. */
static void run_whole(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_first *first = &s->hierarchy.first[AN_DATA];

	an_first_rank(first, 0, 1);
	first->clock = an_first_last_rank(first);
	run(s, batch, first->shift, true);
	an_first_rank(first, 0, 1);
	s->parts.wholes++;
}

int an_cachequick_run(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_lane *lane = &s->lane[batch->lane];

	if (batch->n_execs == 0)
		return 0;
	s->gathered = &lane->data;
	an_first_wind(&s->hierarchy.first[AN_DATA]);
	if (s->parts.n > 1)
		run_whole(s, batch);
	else if (an_compile_ready(&s->compiler, (uint32_t)lane->n_plans))
		run_compiled(s, batch);
	else
		interpret(s, batch);
	an_lane_stretch(lane, &lane->stretches_run, batch->warm)->data =
		lane->data.n;
	return s->error;
}
