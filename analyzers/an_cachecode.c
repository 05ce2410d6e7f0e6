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

#include <string.h>

#include "analyzers/an_cachesim.h"

/* The code of an execution from fetch @f on, line by line. */
static __attribute__((noinline)) int search(struct an_cachesim *s,
					    struct an_misses *misses,
					    struct an_exec e,
					    struct an_codeplan *p, unsigned f)
{
	struct an_first *first = &s->hierarchy.first[AN_INSTRUCTION];
	unsigned n = p->n[an_exit(e)], last = PT_MAX_INSTRS;
	int err = 0;

	for (; f < n && !err; f++) {
		struct an_fetch *fetch = an_codeplan_fetches(p) + f;
		unsigned instr = fetch->instr;
		const struct pt_instr *i = &p->block->instr[instr];

		if (an_first_touch(first, fetch->line, false) &&
		    instr != last) {
			last = instr; /* once, in whichever line */
			err = an_misses_add(
				misses, e, instr,
				(struct an_ref){i->addr, i->len, false});
		}
		fetch->way = first->hint[fetch->line & first->hints];
	}
	return err;
}

/*
 * Line by line, as long as lines are where they were found last; what is not
 * is searched for. 0 or -ENOMEM.
 */
static int run_all(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_first *first = &s->hierarchy.first[AN_INSTRUCTION];
	struct an_misses *misses = &s->lane[batch->lane].code;
	const uint64_t *way = first->way;
	int32_t *used = first->used, clock = first->clock;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs && !err; i++) {
		struct an_exec e = batch->exec[i];
		struct an_codeplan *p = s->plan[e.block].code;
		const struct an_fetch *fetch = an_codeplan_fetches(p);
		unsigned n = p->n[an_exit(e)];

		for (unsigned f = 0; f < n; f++) {
			if (way[fetch[f].way] != fetch[f].line) {
				first->clock = clock;
				err = search(s, misses, e, p, f);
				clock = first->clock;
				break;
			}
			used[fetch[f].way] = ++clock;
		}
	}
	first->clock = clock;
	return err;
}

/* What a batch executes last: each plan once, last one first. */
struct list {
	unsigned n;
	struct {
		const struct an_fetch *fetch;
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
		struct an_codeplan *p;

		if (seen[e.block] >= now)
			continue;
		seen[e.block] = now;
		p = s->plan[e.block].code;
		l->item[l->n].fetch = an_codeplan_fetches(p);
		l->item[l->n++].n = p->n[an_exit(e)];
	}
}

static bool all_present(const struct an_first *first, const struct list *l)
{
	uint64_t other = 0;

	for (unsigned i = 0; i < l->n; i++)
		for (unsigned f = 0; f < l->item[i].n; f++) {
			const struct an_fetch *x = &l->item[i].fetch[f];

			other |= first->way[x->way] ^ x->line;
		}
	return other == 0;
}

static void use_all(struct an_first *first, const struct list *l)
{
	for (unsigned i = l->n; i-- > 0;)
		for (unsigned f = 0; f < l->item[i].n; f++)
			first->used[l->item[i].fetch[f].way] = ++first->clock;
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

int an_cachecode_prepare(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_first *first = &s->hierarchy.first[AN_INSTRUCTION];
	size_t missed = s->lane[batch->lane].code.n;
	int err;

	an_first_wind(first);
	if (s->calm && run_last(s, batch))
		return 0;
	err = run_all(s, batch);
	s->calm = s->lane[batch->lane].code.n == missed;
	return err;
}
