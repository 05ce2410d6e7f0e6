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

const struct an_owner_span *
an_owner_spans_store_by_address(struct an_owner_spans *s, uint64_t addr,
				const struct an_owner_span *span)
{
	bool is_whole_area = span->extent == (1u << AN_OWNER_AREA_BITS) - 1;
	struct an_owner_span *slot =
		is_whole_area
			? &s->by_area[an_owner_spans_index_by_area(addr)]
			: &s->by_address[an_owner_spans_index_by_address(addr)];

	*slot = *span;
	return slot;
}
