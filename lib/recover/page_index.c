/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_index.c - finds the pages of the instructions that a chunk executes, and
 * of the data that it accesses; see page_index.h
 */
#include "lib/recover/page_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 1 << PF_PAGE_BITS /* size of a page [bytes] */ };

/* Bound on the memory of the cached page lists [bytes]. The list of an exit
   repeats the pages of all exits before it, so a block's lists take up to 1000
   times the memory of its descriptor. */
enum { MOST_PAGE_LISTS = 64 << 20 };

/* Page list of a route: the memory pages that every execution of the route
   (block and exit) accesses. */
struct al_route_pages {
	uint64_t chunk; /* number of the last chunk with an execution of the
			   route */
	bool is_mixed;	/* some slots of the route's units hold values, a time
			   stamp or an instruction count instead of addresses */
	uint32_t n_code;
	uint32_t n_data;
	uint32_t page[]; /* [n_code] pages of code, then [n_data] pages of
			    accesses at constant addresses */
};

static void free_page_lists(struct al_page_index *t)
{
	for (uint32_t i = 0; i < t->n_routes; i++) {
		free(t->route_pages[i]);
		t->route_pages[i] = NULL;
	}
	t->route_bytes = 0;
}

struct al_page_index *al_page_index_new(struct al_recovery *recovery)
{
	struct al_page_index *t = calloc(1, sizeof(*t));

	if (t != NULL)
		t->recovery = recovery;
	return t;
}

void al_page_index_free(struct al_page_index *t)
{
	if (t == NULL)
		return;
	free_page_lists(t);
	free(t->route_pages);
	free(t);
}

/* ---- accesses ---- */

bool al_access_is_over_a_page_from_slot_value(const struct pt_access *a)
{
	int64_t delta = (int64_t)a->delta;

	return a->slot != PT_NO_SLOT &&
	       (delta < -PAGE || delta > PAGE - (int64_t)a->size);
}

void al_page_index_add_access_pages(struct pf_pages *pages,
				    const struct al_desc *d, unsigned exit,
				    const uint32_t *slots,
				    bool include_accesses_near_slot_values)
{
	for (unsigned i = 0; i < d->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &d->access[i];
		uint64_t value = 0;

		if (!include_accesses_near_slot_values &&
		    !al_access_is_over_a_page_from_slot_value(a))
			continue;
		if (a->slot != PT_NO_SLOT)
			value = pt_read_shared_unaligned_u64_once(slots +
								  2 * a->slot);
		if (value != PT_NOT_DONE || !(a->flags & PT_GUARDED))
			pf_pages_add_address_range(pages, value + a->delta,
						   value + a->delta + a->size -
							   1);
	}
}

/* ---- page lists of routes ---- */

/* Store in @page_numbers_out the numbers of the memory pages of the
   instructions before @exit; equal numbers in a row are stored once. Return how
   many were stored. */
static uint32_t list_code_pages_up_to_exit(const struct al_desc *d,
					   unsigned exit,
					   uint32_t *page_numbers_out)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < d->exit[exit].n_instrs; i++) {
		uint32_t here =
			pf_page_number_at_most_last_page(d->instr[i].addr);

		if (n == 0 || here != page_numbers_out[n - 1])
			page_numbers_out[n++] = here;
	}
	return n;
}

/* Store in @page_numbers_out the numbers of the memory pages of those accesses
   before @exit that have constant addresses. Return how many were stored: up to
   17 for each access, whose size is at most 65535 bytes. */
static uint32_t list_constant_access_pages_to_exit(const struct al_desc *d,
						   unsigned exit,
						   uint32_t *page_numbers_out)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < d->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &d->access[i];
		uint64_t end = a->delta + a->size - 1;

		if (a->slot != PT_NO_SLOT)
			continue;
		for (uint64_t delta = a->delta; end - delta < UINT16_MAX;
		     delta += PAGE)
			page_numbers_out[n++] =
				pf_page_number_at_most_last_page(delta);
		page_numbers_out[n++] = pf_page_number_at_most_last_page(end);
	}
	return n;
}

/* Return a new page list of @route, with the memory pages that every execution
   of the route accesses; NULL if memory is short. @list_bytes: receives its
   size. Context: the recovery's lock is held. */
static struct al_route_pages *
new_route_page_list(const struct al_blocks *blocks, uint32_t route,
		    size_t *list_bytes)
{
	const struct al_desc *d =
		blocks->desc[al_blocks_find_block_id_of_route(blocks, route)];
	unsigned exit = route - d->first_route;
	unsigned n_accesses = d->exit[exit].n_accesses;
	struct al_route_pages *w, *shrunk;

	w = malloc(sizeof(*w) + (d->exit[exit].n_instrs + 18 * n_accesses) *
					sizeof(w->page[0]));
	if (w == NULL)
		return NULL;
	w->chunk = 0;
	w->is_mixed = d->value != NULL || d->timestamp_slot != PT_NO_SLOT ||
		      d->instret_slot != PT_NO_SLOT;
	w->n_code = list_code_pages_up_to_exit(d, exit, w->page);
	w->n_data = list_constant_access_pages_to_exit(d, exit,
						       w->page + w->n_code);
	*list_bytes = sizeof(*w) + (w->n_code + w->n_data) * sizeof(w->page[0]);
	shrunk = realloc(w, *list_bytes);
	return shrunk ? shrunk : w;
}

static int grow_page_lists(struct al_page_index *t, uint32_t route_count)
{
	void *bigger = reallocarray(t->route_pages, route_count,
				    sizeof(struct al_route_pages *));

	if (bigger == NULL)
		return -ENOMEM;
	t->route_pages = bigger;
	memset(t->route_pages + t->n_routes, 0,
	       (route_count - t->n_routes) * sizeof(struct al_route_pages *));
	t->n_routes = route_count;
	return 0;
}

/* Make the list of memory pages of @route and store it in the index; do nothing
   if the log has no such route. If all lists together exceed MOST_PAGE_LISTS
   bytes, free them first. Return: 0; -ENOMEM. Context: the recovery's lock is
   held. */
static int build_code_and_data_page_list_of_route(struct al_page_index *t,
						  uint32_t route)
{
	const struct al_blocks *blocks = &t->recovery->blocks;
	size_t bytes = 0;

	if (route >= blocks->n_routes)
		return 0; /* the headers may be those of units that recovery has
			     not checked */
	if (route >= t->n_routes && grow_page_lists(t, blocks->n_routes) != 0)
		return -ENOMEM;
	if (t->route_bytes > MOST_PAGE_LISTS)
		free_page_lists(t);
	t->route_pages[route] = new_route_page_list(blocks, route, &bytes);
	if (t->route_pages[route] == NULL)
		return -ENOMEM;
	t->route_bytes += bytes;
	return 0;
}

/* Find the list of memory pages of a route (block and exit), or make it.
   @list_or_null_if_no_route: receives the list; NULL: the log has no such
   route. Return: 0; -ENOMEM. */
static int find_or_add_page_list_of_block_route(
	struct al_page_index *t, uint32_t route,
	struct al_route_pages **list_or_null_if_no_route)
{
	int err = 0;

	*list_or_null_if_no_route = NULL;
	if (route >= t->n_routes || t->route_pages[route] == NULL) {
		pthread_mutex_lock(&t->recovery->lock);
		err = build_code_and_data_page_list_of_route(t, route);
		pthread_mutex_unlock(&t->recovery->lock);
	}
	if (!err && route < t->n_routes)
		*list_or_null_if_no_route = t->route_pages[route];
	return err;
}

/* ---- a chunk ---- */
static void add_page_numbers_to_set(struct pf_pages *to,
				    const uint32_t *page_number,
				    uint32_t page_count)
{
	for (uint32_t i = 0; i < page_count; i++)
		pf_pages_add_address_range(
			to, (uint64_t)page_number[i] << PF_PAGE_BITS,
			(uint64_t)page_number[i] << PF_PAGE_BITS);
}

/* Add the pages in the page list of the route that @unit_header encodes: code
   to t->code, data to @data_pages. Do nothing if it is not the header of a
   block's unit, or an earlier unit of this chunk had the route. Return: 0;
   -ENOMEM. */
static int add_code_and_data_pages_of_unit_route(struct al_page_index *t,
						 struct pf_pages *data_pages,
						 uint32_t unit_header)
{
	struct al_route_pages *w;
	int err;

	if (!pt_unit_is_block(unit_header))
		return 0;
	err = find_or_add_page_list_of_block_route(
		t, pt_block_unit_route(unit_header), &w);
	if (err || w == NULL || w->chunk == t->chunk)
		return err;
	w->chunk = t->chunk;
	t->is_mixed |= w->is_mixed;
	add_page_numbers_to_set(&t->code, w->page, w->n_code);
	add_page_numbers_to_set(data_pages, w->page + w->n_code, w->n_data);
	return 0;
}

/* Add the memory pages of the instructions that an execution has executed to
   t->code, and the pages of its accesses that happened to @data_pages. */
static void add_execution_code_and_data_pages(struct al_page_index *t,
					      struct pf_pages *data_pages,
					      const struct al_desc *d,
					      struct an_exec e,
					      const uint32_t *slots)
{
	for (unsigned i = 0; i < d->exit[an_exec_exit_number(e)].n_instrs; i++)
		pf_pages_add_address_range(&t->code, d->instr[i].addr,
					   d->instr[i].addr);
	al_page_index_add_access_pages(data_pages, d, an_exec_exit_number(e),
				       slots, true);
}

/* Add the memory pages of the instructions and accesses of the chunk's
   executions: of all executions if @include_whole_blocks, else only of those
   that a fault stopped, whose pages add_code_and_data_pages_of_unit_route()
   does not add. Context: the recovery's lock is held throughout. */
static void add_pages_of_all_or_faulted_executions(
	struct al_page_index *t, struct pf_pages *data_pages,
	const struct al_recovered_chunk *p, bool include_whole_blocks)
{
	struct al_block *const *block = t->recovery->executed.block;

	for (size_t i = 0; i < p->n_execs; i++) {
		const struct al_block *b = block[p->exec[i].block];

		if (include_whole_blocks || b->is_partial)
			add_execution_code_and_data_pages(
				t, data_pages, b->desc, p->exec[i],
				p->base + an_exec_first_slot_word_index(
						  p->exec[i]));
	}
}

int al_page_index_compute_chunk_extents(
	struct al_page_index *t, const struct al_recovered_chunk *p,
	struct pf_chunk_content *headers_and_incomplete_data_pages,
	struct pf_touched *extents_out)
{
	int err = 0;

	t->chunk++;
	t->is_mixed = false;
	pf_pages_clear(&t->code);
	for (size_t i = 0;
	     !err && i < headers_and_incomplete_data_pages->n_headers; i++)
		err = add_code_and_data_pages_of_unit_route(
			t, &headers_and_incomplete_data_pages->values,
			headers_and_incomplete_data_pages->header[i]);
	if (err)
		return err;
	if (t->is_mixed) {
		pf_pages_clear(&headers_and_incomplete_data_pages->values);
		pf_pages_clear(&t->code);
	}
	if (t->is_mixed || p->n_partial_blocks > 0) {
		pthread_mutex_lock(&t->recovery->lock);
		add_pages_of_all_or_faulted_executions(
			t, &headers_and_incomplete_data_pages->values, p,
			t->is_mixed);
		pthread_mutex_unlock(&t->recovery->lock);
	}
	if (p->far_pages != NULL)
		pf_pages_add_all_of_other(
			&headers_and_incomplete_data_pages->values,
			p->far_pages);
	pf_pages_sort_and_cover_by_extents(
		&headers_and_incomplete_data_pages->values, extents_out->data);
	pf_pages_sort_and_cover_by_extents(&t->code, extents_out->code);
	return 0;
}
