/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cachecode.c - code, in its first level
 *
 * Room:    analyzers.
 *
 * While every line of a batch's code is there, all that the batch changes is
 * the order in which lines were used last; that follows from the last execution
 * of each block, and loops need not be gone through. What misses is gathered,
 * see an_cachequick.c.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/an_cachesim.h"

static struct an_ref ref_of(const struct an_run *r)
{
	return (struct an_ref){an_run_addr(r), an_run_len(r), false};
}

/* A line of instruction @row is missing. An instruction in two lines misses
   once, in whichever line. 0 or -ENOMEM. */
static int miss(struct an_misses *misses, struct an_exec e, unsigned row,
		struct an_ref ref)
{
	const struct an_miss *last =
		misses->n > misses->from ? &misses->miss[misses->n - 1] : NULL;

	if (last && last->at == an_at(e) && last->row == row)
		return 0;
	return an_misses_add(misses, e, row, ref);
}

static int touch(struct an_cachesim *s, struct an_misses *misses,
		 struct an_exec e, const struct an_run *r)
{
	struct an_first *first = &s->hierarchy.first[AN_INSTRUCTION];

	if (!an_first_touch(first, r->delta >> first->shift, false))
		return 0;
	return miss(misses, e, r->first, ref_of(r));
}

/* The code of an execution, line by line. 0 or -ENOMEM. */
static int run_one(struct an_cachesim *s, struct an_misses *misses,
		   struct an_exec e)
{
	const struct an_path *p = s->plan[e.block].code;
	const struct an_run *r = an_path_runs(p);
	int err = 0;

	for (uint32_t i = 0; i < p->n[an_exit(e)] && !err; i++)
		err = touch(s, misses, e, r + i);
	return err;
}

/* As ref_of(); where it is plain, of an instruction in two lines a byte of
   each, and of others one. */
static struct an_ref sought_ref(uint64_t sought, uint64_t line, uint32_t shift)
{
	bool begun = an_sought_is(sought, AN_SOUGHT_BEGUN);
	bool ends = an_sought_is(sought, AN_SOUGHT_ENDS);

	if (!an_sought_is(sought, AN_SOUGHT_PLAIN))
		return ref_of(an_sought_run(sought));
	if (!begun && !ends)
		return (struct an_ref){line << shift, 1, false};
	return (struct an_ref){((line + ends) << shift) - 1, 2, false};
}

static void search_run(struct an_frame *frame, const struct an_exec *e,
		       uint64_t sought, const uint32_t *slots, uint64_t line,
		       uint64_t last)
{
	struct an_first *first = frame->first;

	(void)slots;
	(void)last;
	first->clock = frame->clock;
	if (an_first_search(first, line, false) &&
	    miss(frame->misses, *e, an_sought_row(sought),
		 sought_ref(sought, line, first->shift)) != 0)
		frame->failed = true;
	frame->clock = first->clock;
}

static void run_other(struct an_frame *frame, const struct an_exec *e)
{
	struct an_cachesim *s = frame->caller;

	frame->first->clock = frame->clock;
	if (run_one(s, frame->misses, *e) != 0)
		frame->failed = true;
	frame->clock = frame->first->clock;
	an_compile_note(&s->code_compiler, e->block, frame->plan[e->block].code,
			frame->first);
}

static int run_all(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_misses *misses = &s->lane[batch->lane].code;
	struct an_frame frame = {
		.search = search_run,
		.other = run_other,
		.first = &s->hierarchy.first[AN_INSTRUCTION],
		.batch = batch,
		.plan = s->plan,
		.caller = s,
		.misses = misses,
	};
	int err = 0;

	if (an_compile_ready(&s->code_compiler, (uint32_t)s->n_plans)) {
		an_compile_run(&s->code_compiler, &frame);
		return frame.failed ? -ENOMEM : 0;
	}
	for (size_t i = 0; i < batch->n_execs && !err; i++)
		err = run_one(s, misses, batch->exec[i]);
	return err;
}

/* What a batch executes last: each plan once, last one first. */
struct list {
	unsigned n;
	struct {
		const struct an_run *run;
		unsigned n;
	} item[AN_BATCH];
};

/* Never one that seen[] may have from long ago. */
static uint32_t next_number(struct an_cachesim *s)
{
	if (s->n_listed == UINT32_MAX >> AN_EXIT_BITS) {
		memset(s->seen, 0, s->plans_size * sizeof(*s->seen));
		s->n_listed = 0;
	}
	return ++s->n_listed;
}

static void list_last(struct an_cachesim *s, const struct an_batch *batch,
		      struct list *l)
{
	uint32_t number = next_number(s) << AN_EXIT_BITS, *seen = s->seen;

	l->n = 0;
	for (size_t i = batch->n_execs; i-- > 0;) {
		struct an_exec e = batch->exec[i];
		uint32_t now = number | an_exit(e);
		const struct an_path *p;

		if (seen[e.block] >= now)
			continue;
		seen[e.block] = now;
		p = s->plan[e.block].code;
		l->item[l->n].run = an_path_runs(p);
		l->item[l->n++].n = p->n[an_exit(e)];
	}
}

/* Where the hint says that a line is. */
static uint32_t way_of(const struct an_first *first, uint64_t line)
{
	return first->hint[an_first_hint(first, line)];
}

static bool all_present(const struct an_first *first, const struct list *l)
{
	uint64_t other = 0;

	for (unsigned i = 0; i < l->n; i++)
		for (unsigned f = 0; f < l->item[i].n; f++) {
			uint64_t line = l->item[i].run[f].delta >> first->shift;

			other |= first->way[way_of(first, line)] ^ line;
		}
	return other == 0;
}

static void use_all(struct an_first *first, const struct list *l)
{
	for (unsigned i = l->n; i-- > 0;)
		for (unsigned f = 0; f < l->item[i].n; f++) {
			uint64_t line = l->item[i].run[f].delta >> first->shift;

			first->used[way_of(first, line)] = ++first->clock;
		}
}

/* Return: whether it is done, which it is not when some line is elsewhere. */
static bool run_last(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_first *first = &s->hierarchy.first[AN_INSTRUCTION];
	struct list l;

	list_last(s, batch, &l);
	if (!all_present(first, &l))
		return false;
	use_all(first, &l);
	return true;
}

/* Tells the run where the batch's misses end. */
static int note_end(struct an_lane *l)
{
	if (l->n_ends == l->ends_size) {
		size_t size = l->ends_size ? 2 * l->ends_size : 256;
		void *p = realloc(l->end, size * sizeof(*l->end));

		if (p == NULL)
			return -ENOMEM;
		l->end = p;
		l->ends_size = size;
	}
	l->end[l->n_ends++] = l->code.n;
	return 0;
}

int an_cachecode_prepare(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_first *first = &s->hierarchy.first[AN_INSTRUCTION];
	struct an_lane *l = &s->lane[batch->lane];
	int err = 0;

	l->code.from = l->code.n;
	an_first_wind(first);
	if (!s->calm || !run_last(s, batch)) {
		err = run_all(s, batch);
		s->calm = l->code.n == l->code.from;
	}
	return err ? err : note_end(l);
}
