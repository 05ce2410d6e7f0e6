/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_cacheblock.c - blocks, prepared; see an_cacheblock.h */

#include "analyzers/an_cacheblock.h"

#include <stdlib.h>
#include <string.h>

/* Writes the lines to look up to @fetch (may be NULL). Return: how many. */
static size_t list_fetches(const struct an_block *b, unsigned size,
			   struct an_fetch *fetch)
{
	uint64_t previous = UINT64_MAX;
	size_t n = 0;

	for (uint16_t i = 0; i < b->n_instrs; i++) {
		const struct pt_instr *in = &b->instr[i];
		uint64_t line = in->addr / size;
		uint64_t end = (in->addr + in->len - 1) / size;

		for (; line <= end; previous = line++) {
			if (line == previous)
				continue;
			if (fetch != NULL)
				fetch[n] = (struct an_fetch){line, 0, i};
			n++;
		}
	}
	return n;
}

static unsigned cut(const struct pt_access *a, unsigned smallest_line)
{
	return a->size < smallest_line ? a->size : smallest_line;
}

/* Access @i, alone. */
static struct an_run run_of(const struct an_block *b, unsigned i,
			    unsigned smallest_line)
{
	const struct pt_access *a = &b->access[i];
	bool based = a->slot != PT_NO_SLOT;
	bool guarded = based && (a->flags & PT_GUARDED);

	return (struct an_run){
		.delta = a->delta,
		.place = based ? (uint16_t)(2 * a->slot) : 0,
		.span = guarded ? AN_GUARDED
				: (uint16_t)(cut(a, smallest_line) - 1),
		.first = (uint16_t)i,
		.based = (int8_t)-based,
		.reads = a->kind == PT_LOAD,
	};
}

/* Takes @next, a run of one access, into @run if both stay within a line. */
static bool extend(struct an_run *run, const struct an_run *next, unsigned line)
{
	bool below = (int64_t)(next->delta - run->delta) < 0;
	uint64_t first = below ? next->delta : run->delta;
	uint64_t end = run->delta + run->span - first;
	uint64_t next_end = next->delta + next->span - first;

	if (next_end > end)
		end = next_end;
	if (next->place != run->place || next->based != run->based ||
	    end >= line)
		return false;
	run->delta = first;
	run->span = (uint16_t)end;
	run->reads &= next->reads;
	return true;
}

/* Some exit has @n accesses before it: a run must not go on across. */
static bool is_cut(const struct an_block *b, unsigned n)
{
	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_accesses == n)
			return true;
	return false;
}

/* Return: how many, without the one that ends the list. */
static size_t list_runs(const struct an_block *b, const struct an_hierarchy *h,
			struct an_run *run)
{
	unsigned line = an_hierarchy_first(h, AN_DATA)->line;
	size_t n = 0;

	for (unsigned i = 0; i < b->n_accesses; i++) {
		run[n] = run_of(b, i, h->smallest_line);
		if (n == 0 || is_cut(b, i) ||
		    !extend(&run[n - 1], &run[n], line))
			n++;
	}
	run[n] = (struct an_run){.first = b->n_accesses};
	return n;
}

static struct an_route route_of(const struct pt_exit *e,
				const struct an_fetch *fetch, size_t n_fetches,
				const struct an_run *run, size_t n_runs)
{
	struct an_route r = {0, 0};

	while (r.n_fetches < n_fetches &&
	       fetch[r.n_fetches].instr < e->n_instrs)
		r.n_fetches++;
	while (r.n_runs < n_runs && run[r.n_runs].first < e->n_accesses)
		r.n_runs++;
	return r;
}

/* @run: scratch, for as many as there are accesses, and one. */
static struct an_plan *make_plan(const struct an_block *b,
				 const struct an_hierarchy *h,
				 struct an_run *run)
{
	unsigned line = an_hierarchy_first(h, AN_INSTRUCTION)->line;
	size_t n_runs = list_runs(b, h, run);
	size_t n_fetches = list_fetches(b, line, NULL);
	size_t fetch_at = (sizeof(struct an_plan) +
			   b->n_exits * sizeof(struct an_route) + 7) /
			  8;
	size_t run_at = fetch_at + n_fetches * sizeof(struct an_fetch) / 8;
	struct an_plan *p;

	if (run_at > UINT16_MAX)
		return NULL;
	p = malloc(run_at * 8 + (n_runs + 1) * sizeof(*run));
	if (p == NULL)
		return NULL;
	*p = (struct an_plan){
		.block = b,
		.fetch = (uint16_t)fetch_at,
		.run = (uint16_t)run_at,
	};
	list_fetches(b, line, an_plan_fetches(p));
	memcpy((uint64_t *)p + run_at, run, (n_runs + 1) * sizeof(*run));
	for (unsigned e = 0; e < b->n_exits; e++)
		p->route[e] = route_of(&b->exit[e], an_plan_fetches(p),
				       n_fetches, run, n_runs);
	return p;
}

struct an_plan *an_plan_new(const struct an_block *b,
			    const struct an_hierarchy *h)
{
	struct an_run *run = malloc((b->n_accesses + 1u) * sizeof(*run));
	struct an_plan *p = NULL;

	if (run != NULL)
		p = make_plan(b, h, run);
	free(run);
	return p;
}

bool an_block_ref(const struct an_block *b, unsigned smallest_line, unsigned i,
		  const uint32_t *slots, struct an_ref *out)
{
	const struct pt_access *a = &b->access[i];
	bool based = a->slot != PT_NO_SLOT;
	uint64_t base = based ? pt_slot(slots + 2 * a->slot) : 0;

	*out = (struct an_ref){base + a->delta, cut(a, smallest_line),
			       a->kind != PT_LOAD};
	return !(based && (a->flags & PT_GUARDED) && base == PT_NOT_DONE);
}
