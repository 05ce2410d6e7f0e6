/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skip_by_page.c - skips chunks whose pages do not pass; see skip_by_page.h
 */
#include "liballeria/cursor/skip_by_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "liballeria/descriptors.h"

/* ---- ranges of addresses ---- */

/* Whether one of the extents has a page of the addresses [@from, @to_or_0).
   @to_or_0: 0: no upper bound. */
static bool extents_overlap_address_range(const struct pf_extent e[PF_EXTENTS],
					  uint64_t from, uint64_t to_or_0)
{
	uint32_t first = pf_page_number_at_most_last_page(from),
		 last = pf_page_number_at_most_last_page(to_or_0 - 1);

	for (unsigned i = 0; i < PF_EXTENTS; i++)
		if (e[i].pages > 0 && e[i].first <= last &&
		    e[i].first + (e[i].pages - 1) >= first)
			return true;
	return false;
}

/* ---- pages of named code ---- */

/* Return the index in the list c->page[] of the lowest page that is >=
   @page_number; c->n if there is none. */
static uint32_t
find_page_index_at_or_after(const struct ap_passing_page_numbers *c,
			    uint32_t page_number)
{
	uint32_t low = 0, high = c->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->page[middle] < page_number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int insert_page_sorted_if_missing(struct ap_passing_page_numbers *c,
					 uint32_t page_number)
{
	uint32_t index = find_page_index_at_or_after(c, page_number);

	if (index < c->n && c->page[index] == page_number)
		return 0;
	if (al_array_reserve(c->page, c->size, c->n + 1))
		return -ENOMEM;
	memmove(&c->page[index + 1], &c->page[index],
		(c->n - index) * sizeof(*c->page));
	c->page[index] = page_number;
	c->n++;
	return 0;
}

/* Add to c->pages the pages of memory that hold those instructions of block @d
   that pass the filter's conditions on code. Return: 0; -ENOMEM. Context: the
   profile's lock is held. */
static int add_pages_of_passing_instrs_of_block(struct alleria_cursor *c,
						struct ap_stream *s,
						const struct al_desc *d)
{
	bool has_last = false;
	uint32_t last = 0;
	int err = 0;

	for (unsigned i = 0; !err && i < d->n_instrs; i++) {
		uint32_t page =
			pf_page_number_at_most_last_page(d->instr[i].addr);

		if ((has_last && page == last) ||
		    !ap_filter_passes_desc_instr(&c->filter, s, d, i))
			continue;
		err = insert_page_sorted_if_missing(&c->pages, page);
		has_last = true;
		last = page;
	}
	return err;
}

/* Add to c->pages the pages of the instructions that pass, of all blocks that a
   stream has described or inherited so far and that were not evaluated yet.
   Inherited blocks are evaluated once for all children. Return: 0; -ENOMEM.
   Context: the profile's lock is held. */
static int add_passing_instr_pages_of_new_blocks(struct alleria_cursor *c,
						 struct ap_stream *stream)
{
	const struct ap_stream *s = stream;
	uint32_t n = s->blocks.n;
	int err = al_array_reserve_zeroed(c->pages.evaluated,
					  c->pages.n_evaluated,
					  c->profile->n_streams);

	for (; !err && s; s = s->fork_of) {
		uint32_t *evaluated = &c->pages.evaluated[s->index];
		uint32_t i = *evaluated > s->blocks.n_borrowed
				     ? *evaluated
				     : s->blocks.n_borrowed;

		for (; !err && i < n; i++)
			err = add_pages_of_passing_instrs_of_block(
				c, stream, stream->blocks.desc[i]);
		if (i > *evaluated)
			*evaluated = i;
		/* A child inherits only the blocks that were described before
		   its fork. */
		n = s->fork_blocks < n ? s->fork_blocks : n;
	}
	return err;
}

/* Whether one of the extents of pages @e contains a page of the list
   c->page[]. */
static bool extents_have_listed_page(const struct ap_passing_page_numbers *c,
				     const struct pf_extent e[PF_EXTENTS])
{
	for (unsigned i = 0; i < PF_EXTENTS; i++) {
		uint32_t index = find_page_index_at_or_after(c, e[i].first);

		if (e[i].pages > 0 && index < c->n &&
		    c->page[index] - e[i].first < e[i].pages)
			return true;
	}
	return false;
}

/* Whether the chunk in file block @entry_index may execute code that passes the
   filter, by the pages of code in its head. True also if descriptors cannot be
   read: the error is returned when the chunk is opened. */
static bool chunk_may_have_passing_code(struct alleria_cursor *c,
					uint32_t entry_index)
{
	const struct alleria_filter *u = &c->filter.user;
	const struct pf_touched *t =
		&ap_entry_head(c->profile, entry_index)->touched;
	struct ap_stream *s = c->stream;
	int err;

	if (!extents_overlap_address_range(t->code, u->code_from, u->code_to))
		return false;
	if (!u->object && !u->function)
		return true;
	pthread_mutex_lock(&c->profile->lock);
	err = ap_stream_read_log_before_entry(s, entry_index);
	if (!err)
		err = add_passing_instr_pages_of_new_blocks(c, s);
	pthread_mutex_unlock(&c->profile->lock);
	return err || extents_have_listed_page(&c->pages, t->code);
}

/* ---- branches ---- */

/* Whether a thread of the chunk with head @h was last at an instruction, in an
   earlier chunk, that passes the filter's conditions on code: then the chunk
   may have the target of a branch that passes. */
static bool has_thread_at_passing_instr(const struct alleria_cursor *c,
					const struct pf_head *h)
{
	for (uint32_t i = 1; i < c->positions.n; i++) {
		const struct ap_thread_position *t = &c->positions.position[i];

		if (t->block &&
		    h->threads & pf_thread_mask_bit_64_and_above_shared(i) &&
		    ap_filter_passes_instr(&c->filter, c->profile, t->block,
					   t->index))
			return true;
	}
	return false;
}

bool ap_chunk_pages_may_pass_filter(struct alleria_cursor *c,
				    uint32_t entry_index)
{
	const struct alleria_filter *u = &c->filter.user;
	const struct pf_head *h = ap_entry_head(c->profile, entry_index);
	bool branches = ap_cursor_returns_kind(c, ALLERIA_BRANCHES);

	if (ap_cursor_returns_kind(c, ALLERIA_EVENTS) && h->marks > 0)
		return true;
	if ((u->data_from || u->data_to) && !branches &&
	    !extents_overlap_address_range(h->touched.data, u->data_from,
					   u->data_to))
		return false;
	return !c->filter.on_code ||
	       chunk_may_have_passing_code(c, entry_index) ||
	       (branches && has_thread_at_passing_instr(c, h));
}

void ap_cursor_free_passing_page_numbers(struct alleria_cursor *c)
{
	free(c->pages.page);
	free(c->pages.evaluated);
}
