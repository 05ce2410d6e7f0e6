/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner_spans.c - caches which addresses have one owner; see owner_spans.h */

#include "analyzers/data/owner_spans.h"

#include <stddef.h>

void an_owner_spans_init(struct an_owner_spans *s)
{
	for (unsigned i = 0; i < AN_OWNER_AREAS; i++)
		s->n_area_changes[i] = 1;
}

void an_owner_spans_invalidate(struct an_owner_spans *s, uint64_t start,
			       uint64_t last)
{
	uint64_t area = start >> AN_OWNER_AREA_BITS;
	uint64_t end = last >> AN_OWNER_AREA_BITS;

	if (end - area >= AN_MAX_COUNTED_AREAS) {
		s->n_wide_changes++;
		return;
	}
	for (; area <= end; area++)
		s->n_area_changes[area % AN_OWNER_AREAS]++;
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
