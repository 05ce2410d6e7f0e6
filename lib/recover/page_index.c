/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_index.c - finds the pages that a chunk accesses; see page_index.h
 */
#include "lib/recover/page_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 1 << PF_PAGE_BITS /* [bytes] */ };

/* [bytes] of the cached page lists. The list of an exit repeats the pages of
   all exits before it, so a block's lists take up to 1000 times its
   descriptor. */
enum { MOST_PAGE_LISTS = 64 << 20 };

/* Page list of a route: the pages that every execution accesses. */
struct al_way {
	uint64_t chunk; /* number of the last chunk that had the route */
	bool is_mixed;	/* some slots hold values instead of addresses */
	uint32_t n_code;
	uint32_t n_data;
	uint32_t page[]; /* [n_code] of code, [n_data] of constant addresses */
};

static void free_page_lists(struct al_touch *t)
{
	for (uint32_t i = 0; i < t->n_ways; i++) {
		free(t->way[i]);
		t->way[i] = NULL;
	}
	t->way_bytes = 0;
}

struct al_touch *al_touch_new(struct al_recovery *recovery)
{
	struct al_touch *t = calloc(1, sizeof(*t));

	if (t != NULL)
		t->recovery = recovery;
	return t;
}

void al_touch_free(struct al_touch *t)
{
	if (t == NULL)
		return;
	free_page_lists(t);
	free(t->way);
	free(t);
}

/* ---- accesses ---- */

bool al_is_far(const struct pt_access *a)
{
	int64_t delta = (int64_t)a->delta;

	return a->slot != PT_NO_SLOT &&
	       (delta < -PAGE || delta > PAGE - (int64_t)a->size);
}

void al_touch_accesses(struct pf_pages *pages, const struct al_desc *d,
		       unsigned exit, const uint32_t *slots, bool all)
{
	for (unsigned i = 0; i < d->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &d->access[i];
		uint64_t value = 0;

		if (!all && !al_is_far(a))
			continue;
		if (a->slot != PT_NO_SLOT)
			value = pt_slot(slots + 2 * a->slot);
		if (value != PT_NOT_DONE || !(a->flags & PT_GUARDED))
			pf_pages_add(pages, value + a->delta,
				     value + a->delta + a->size - 1);
	}
}

/* ---- page lists of routes ---- */

/* Store the pages of the code up to an exit in @page. Return their number. */
static uint32_t list_code(const struct al_desc *d, unsigned exit,
			  uint32_t *page)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < d->exit[exit].n_instrs; i++) {
		uint32_t here = pf_page_of(d->instr[i].addr);

		if (n == 0 || here != page[n - 1])
			page[n++] = here;
	}
	return n;
}

/* Store the pages of accesses at constant addresses up to an exit in @page.
   Return their number. An access of 65535 bytes has up to 17 pages. */
static uint32_t list_data(const struct al_desc *d, unsigned exit,
			  uint32_t *page)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < d->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &d->access[i];
		uint64_t end = a->delta + a->size - 1;

		if (a->slot != PT_NO_SLOT)
			continue;
		for (uint64_t at = a->delta; end - at < UINT16_MAX; at += PAGE)
			page[n++] = pf_page_of(at);
		page[n++] = pf_page_of(end);
	}
	return n;
}

/* Allocate the page list of @route. @bytes: receives its size. Return: NULL if
   memory is short. Context: the recovery's lock is held. */
static struct al_way *new_page_list(const struct al_blocks *blocks,
				    uint32_t route, size_t *bytes)
{
	const struct al_desc *d =
		blocks->desc[al_blocks_of_route(blocks, route)];
	unsigned exit = route - d->route;
	unsigned n_accesses = d->exit[exit].n_accesses;
	struct al_way *w, *fit;

	w = malloc(sizeof(*w) + (d->exit[exit].n_instrs + 18 * n_accesses) *
					sizeof(w->page[0]));
	if (w == NULL)
		return NULL;
	w->chunk = 0;
	w->is_mixed = d->value != NULL || d->stamp != PT_NO_SLOT ||
		      d->far != PT_NO_SLOT;
	w->n_code = list_code(d, exit, w->page);
	w->n_data = list_data(d, exit, w->page + w->n_code);
	*bytes = sizeof(*w) + (w->n_code + w->n_data) * sizeof(w->page[0]);
	fit = realloc(w, *bytes);
	return fit ? fit : w;
}

static int grow_page_lists(struct al_touch *t, uint32_t n)
{
	void *bigger = reallocarray(t->way, n, sizeof(struct al_way *));

	if (bigger == NULL)
		return -ENOMEM;
	t->way = bigger;
	memset(t->way + t->n_ways, 0,
	       (n - t->n_ways) * sizeof(struct al_way *));
	t->n_ways = n;
	return 0;
}

/* Add the page list of a route. All lists are freed first if they exceed the
   bound. Context: the recovery's lock is held. */
static int add_page_list(struct al_touch *t, uint32_t route)
{
	const struct al_blocks *blocks = &t->recovery->blocks;
	size_t bytes = 0;

	if (route >= blocks->n_routes)
		return 0; /* headers are of units that were not checked */
	if (route >= t->n_ways && grow_page_lists(t, blocks->n_routes) != 0)
		return -ENOMEM;
	if (t->way_bytes > MOST_PAGE_LISTS)
		free_page_lists(t);
	t->way[route] = new_page_list(blocks, route, &bytes);
	if (t->way[route] == NULL)
		return -ENOMEM;
	t->way_bytes += bytes;
	return 0;
}

/* Find the page list of a route, or make it. @out: receives the list; NULL: the
   log has no such route. Return: 0; -ENOMEM. */
static int find_page_list(struct al_touch *t, uint32_t route,
			  struct al_way **out)
{
	int err = 0;

	*out = NULL;
	if (route >= t->n_ways || t->way[route] == NULL) {
		pthread_mutex_lock(&t->recovery->lock);
		err = add_page_list(t, route);
		pthread_mutex_unlock(&t->recovery->lock);
	}
	if (!err && route < t->n_ways)
		*out = t->way[route];
	return err;
}

/* ---- a chunk ---- */

static void add_pages(struct pf_pages *to, const uint32_t *page, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		pf_pages_add(to, (uint64_t)page[i] << PF_PAGE_BITS,
			     (uint64_t)page[i] << PF_PAGE_BITS);
}

/* Add the pages of a unit's route, unless this chunk has had the route. */
static int add_header_pages(struct al_touch *t, struct pf_pages *data,
			    uint32_t header)
{
	struct al_way *w;
	int err;

	if (!pt_unit_is_block(header))
		return 0;
	err = find_page_list(t, pt_unit_route(header), &w);
	if (err || w == NULL || w->chunk == t->chunk)
		return err;
	w->chunk = t->chunk;
	t->is_mixed |= w->is_mixed;
	add_pages(&t->code, w->page, w->n_code);
	add_pages(data, w->page + w->n_code, w->n_data);
	return 0;
}

/* Add the pages of all instructions and accesses of an execution. */
static void add_execution_pages(struct al_touch *t, struct pf_pages *data,
				const struct al_desc *d, struct an_exec e,
				const uint32_t *slots)
{
	for (unsigned i = 0; i < d->exit[an_exit(e)].n_instrs; i++)
		pf_pages_add(&t->code, d->instr[i].addr, d->instr[i].addr);
	al_touch_accesses(data, d, an_exit(e), slots, true);
}

/* Add the pages of all executions if @all, else only of those stopped by a
   fault: headers of block units do not include these. Context: the recovery's
   lock is held, all the time. */
static void add_executions(struct al_touch *t, struct pf_pages *data,
			   const struct al_piece *p, bool all)
{
	struct al_block *const *block = t->recovery->executed.block;

	for (size_t i = 0; i < p->n_execs; i++) {
		const struct al_block *b = block[p->exec[i].block];

		if (all || b->is_cut)
			add_execution_pages(t, data, b->desc, p->exec[i],
					    p->base + an_at(p->exec[i]));
	}
}

int al_touched(struct al_touch *t, const struct al_piece *p, struct pf_met *met,
	       struct pf_touched *out)
{
	int err = 0;

	t->chunk++;
	t->is_mixed = false;
	pf_pages_empty(&t->code);
	for (size_t i = 0; !err && i < met->n_headers; i++)
		err = add_header_pages(t, &met->values, met->header[i]);
	if (err)
		return err;
	if (t->is_mixed) {
		pf_pages_empty(&met->values);
		pf_pages_empty(&t->code);
	}
	if (t->is_mixed || p->n_cuts > 0) {
		pthread_mutex_lock(&t->recovery->lock);
		add_executions(t, &met->values, p, t->is_mixed);
		pthread_mutex_unlock(&t->recovery->lock);
	}
	if (p->far != NULL)
		pf_pages_merge(&met->values, p->far);
	pf_pages_extents(&met->values, out->data);
	pf_pages_extents(&t->code, out->code);
	return 0;
}
