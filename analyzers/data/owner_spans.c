/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner_spans.c - caches which addresses have one owner; see owner_spans.h */

#include "analyzers/data/owner_spans.h"

#include <stddef.h>

void an_owner_spans_init(struct an_owner_spans *s)
{
	for (unsigned i = 0; i < AN_OWNER_AREAS; i++)
		s->n_area_changes[i] = 1;
	s->n_changes = 1;
}

void an_owner_spans_invalidate(struct an_owner_spans *s, uint64_t start,
			       uint64_t last)
{
	uint64_t area = start >> AN_OWNER_AREA_BITS;
	uint64_t end = last >> AN_OWNER_AREA_BITS;

	s->change[s->n_changes++ % AN_LAST_CHANGES] =
		(struct an_changed_addresses){start, last};
	s->n_unions = 0;
	if (end - area >= AN_MAX_COUNTED_AREAS) {
		s->n_wide_changes++;
		return;
	}
	for (; area <= end; area++)
		s->n_area_changes[area % AN_OWNER_AREAS]++;
}

/* Return the smallest range of addresses that contains both @a and @b. */
static struct an_changed_addresses
smallest_range_containing_both(struct an_changed_addresses a,
			       struct an_changed_addresses b)
{
	return (struct an_changed_addresses){
		a.first < b.first ? a.first : b.first,
		a.last > b.last ? a.last : b.last,
	};
}

void an_owner_spans_compute_unions_up_to_n(struct an_owner_spans *s, uint64_t n)
{
	for (; s->n_unions < n; s->n_unions++) {
		uint64_t number = s->n_changes - 1 - s->n_unions;
		struct an_changed_addresses all =
			s->change[number % AN_LAST_CHANGES];

		s->change_union[s->n_unions] =
			s->n_unions == 0
				? all
				: smallest_range_containing_both(
					  all,
					  s->change_union[s->n_unions - 1]);
	}
}

bool an_owner_spans_did_change(const struct an_owner_spans *s,
			       uint64_t n_changes, uint64_t first,
			       uint64_t last)
{
	bool overlaps = s->n_changes - n_changes > AN_MAX_COMPARED_CHANGES;

	for (; !overlaps && n_changes != s->n_changes; n_changes++) {
		const struct an_changed_addresses *c =
			&s->change[n_changes % AN_LAST_CHANGES];

		overlaps = c->first <= last && c->last >= first;
	}
	return overlaps;
}

static unsigned span_index_by_area(uint64_t addr)
{
	return (addr >> AN_OWNER_AREA_BITS) % AN_SPANS_BY_AREA;
}

/* Return the index of @addr in the table of spans by address; all addresses in
   the same 64 bytes have the same index. */
static unsigned span_index_by_address(uint64_t addr)
{
	return (addr >> 6 ^ addr >> 19) % AN_SPANS_BY_ADDRESS;
}

const struct an_owner_span *
an_owner_spans_find_by_address(const struct an_owner_spans *s, uint64_t addr)
{
	const struct an_owner_span *span =
		&s->by_area[span_index_by_area(addr)];

	if (an_owner_span_contains(s, span, addr))
		return span;
	span = &s->by_address[span_index_by_address(addr)];
	return an_owner_span_contains(s, span, addr) ? span : NULL;
}

const struct an_owner_span *
an_owner_spans_store_by_address(struct an_owner_spans *s, uint64_t addr,
				const struct an_owner_span *span)
{
	bool is_whole_area =
		span->extent == (UINT32_C(1) << AN_OWNER_AREA_BITS) - 1;
	struct an_owner_span *slot =
		is_whole_area ? &s->by_area[span_index_by_area(addr)]
			      : &s->by_address[span_index_by_address(addr)];

	*slot = *span;
	return slot;
}
