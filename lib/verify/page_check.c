/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_check.c - checks that the page index of a chunk has all pages that its
   units access; see verify_state.h */

#include <string.h>

#include "lib/verify/verify_state.h"
#include "proto/shared/atomic.h"

/* The extents of a page index, and the extent in which the last page that was
   looked up was found. */
struct page_lookup {
	const struct pf_extent *extent;
	uint32_t first;
	uint32_t pages;
};

static bool extents_have_page(struct page_lookup *lookup, uint32_t page_number)
{
	for (unsigned i = 0; page_number - lookup->first >= lookup->pages;
	     i++) {
		if (i == PF_EXTENTS)
			return false;
		lookup->first = lookup->extent[i].first;
		lookup->pages = lookup->extent[i].pages;
	}
	return true;
}

static bool page_index_has_first_and_last_page(struct page_lookup *lookup,
					       uint64_t first_address,
					       uint64_t last_address)
{
	return extents_have_page(lookup, pf_page_number_at_most_last_page(
						 first_address)) &&
	       extents_have_page(
		       lookup, pf_page_number_at_most_last_page(last_address));
}

static bool are_extents_sorted_with_gaps_between(const struct pf_extent *e)
{
	uint64_t next = 0; /* first page at which the next extent may begin */

	for (unsigned i = 0; i < PF_EXTENTS; i++) {
		if (e[i].pages == 0 && e[i].first == 0)
			next = UINT64_MAX;
		else if (e[i].pages == 0 || e[i].first < next)
			return false;
		else
			next = (uint64_t)e[i].first + e[i].pages + 1;
	}
	return true;
}

static bool page_index_has_pages_of_accesses(struct page_lookup *lookup,
					     const struct al_desc *d,
					     unsigned exit_index,
					     const uint32_t *slots)
{
	for (unsigned i = 0; i < d->exit[exit_index].n_accesses; i++) {
		const struct pt_access *x = &d->access[i];
		uint64_t value = 0;

		if (x->slot != PT_NO_SLOT)
			value = pt_read_shared_unaligned_u64_once(slots +
								  2 * x->slot);
		if (value == PT_NOT_DONE && (x->flags & PT_GUARDED))
			continue;
		value += x->delta;
		if (!page_index_has_first_and_last_page(lookup, value,
							value + x->size - 1))
			return false;
	}
	return true;
}

static bool page_index_has_pages_of_instrs(struct page_lookup *lookup,
					   const struct al_desc *d,
					   unsigned exit_index)
{
	for (unsigned i = 0; i < d->exit[exit_index].n_instrs; i++)
		if (!extents_have_page(lookup, pf_page_number_at_most_last_page(
						       d->instr[i].addr)))
			return false;
	return true;
}

void al_verify_check_head_extents(struct al_verifier *v,
				  const struct al_checked_stream *s,
				  const struct pf_touched *head_extents)
{
	const struct al_recovered_chunk *p = &s->chunk;
	struct page_lookup data = {.extent = head_extents->data},
			   code = {.extent = head_extents->code};
	bool complete = true;

	if (!are_extents_sorted_with_gaps_between(head_extents->data) ||
	    !are_extents_sorted_with_gaps_between(head_extents->code))
		al_verify_count_and_print_fault(
			v, "the page ranges in its head are unsorted, "
			   "overlapping or adjacent");
	for (size_t i = 0; complete && i < p->n_execs; i++) {
		struct an_exec e = p->exec[i];
		const struct al_desc *d =
			s->recovery.executed.block[e.block]->desc;

		complete = page_index_has_pages_of_instrs(
				   &code, d, an_exec_exit_number(e)) &&
			   page_index_has_pages_of_accesses(
				   &data, d, an_exec_exit_number(e),
				   p->base + an_exec_first_slot_word_index(e));
	}
	if (!complete)
		al_verify_count_and_print_fault(
			v,
			"its units access pages that its head does not list");
}
