/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owner_spans.h - caches which addresses have one owner
 *
 * A span is a part of an area of memory that has one owner. Each area has a
 * counter of the changes of owners in it, and a span is valid as long as the
 * counter does not change. Spans are found by the area, if one owner has all of
 * it, by the address, or by a key, such as that of the access to the address.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_OWNER_SPANS_H
#define ANALYZERS_DATA_OWNER_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	AN_OWNER_AREA_BITS = 16,  /* log2 [bytes] of an area of memory */
	AN_OWNER_AREAS = 1 << 10, /* number of counters: areas whose numbers are
				     equal modulo this share one */
	AN_MAX_COUNTED_AREAS = 32, /* a change in more areas than this counts
				      as one in all areas */
	AN_SPANS_BY_KEY = 1 << 12,
	AN_SPANS_BY_AREA = 1 << 10,
	AN_SPANS_BY_ADDRESS = 1 << 13,
};

struct an_owner_span {
	uint64_t first;
	uint64_t object_start; /* address of the owner's first byte; `first` if
				  there is no owner */
	/* an_owner_spans_area_change_count() of the area when the span was
	   found; 0: the span is empty */
	uint64_t stamp;
	uint32_t group;	 /* number of the owner's group */
	uint16_t extent; /* address of the last byte - first */
	bool is_unknown; /* there is no owner */
};

/* Cached owners (data objects) of addresses. Initialise with
   an_owner_spans_init(). */
struct an_owner_spans {
	/* [number of the area % AN_OWNER_AREAS] 1 + the number of changes of
	   owners there, without those of n_wide_changes */
	uint64_t n_area_changes[AN_OWNER_AREAS];
	/* changes of owners in more than AN_MAX_COUNTED_AREAS areas */
	uint64_t n_wide_changes;
	struct an_owner_span by_key[AN_SPANS_BY_KEY];
	struct an_owner_span by_area[AN_SPANS_BY_AREA];
	struct an_owner_span by_address[AN_SPANS_BY_ADDRESS];
};

/* Initialise a zeroed cache of owners: set its counters of changes to 1. */
void an_owner_spans_init(struct an_owner_spans *);

/* Invalidate the cached spans in all areas (aligned memory) that contain
   addresses from @start to @last, inclusive; in a long range, the spans in all
   areas. */
void an_owner_spans_invalidate(struct an_owner_spans *, uint64_t start,
			       uint64_t last);

/* Return a number that increases with each change of owners in the area
   (aligned memory of 1 << AN_OWNER_AREA_BITS bytes) that contains @addr. */
static inline uint64_t
an_owner_spans_area_change_count(const struct an_owner_spans *s, uint64_t addr)
{
	return s->n_area_changes[(addr >> AN_OWNER_AREA_BITS) %
				 AN_OWNER_AREAS] +
	       s->n_wide_changes;
}

/* Whether @span is valid and contains @addr. */
static inline bool an_owner_span_contains(const struct an_owner_spans *s,
					  const struct an_owner_span *span,
					  uint64_t addr)
{
	return addr - span->first <= span->extent &&
	       span->stamp == an_owner_spans_area_change_count(s, addr);
}

/* Return the index of @addr in the table of spans by area. */
static inline unsigned an_owner_spans_index_by_area(uint64_t addr)
{
	return (addr >> AN_OWNER_AREA_BITS) % AN_SPANS_BY_AREA;
}

/* Return the index of @addr in the table of spans by address; all addresses in
   the same 64 bytes have the same index. */
static inline unsigned an_owner_spans_index_by_address(uint64_t addr)
{
	return (addr >> 6 ^ addr >> 19) % AN_SPANS_BY_ADDRESS;
}

/* Return a valid span that contains @addr and was stored before; NULL: none is
   cached. */
static inline const struct an_owner_span *
an_owner_spans_find_by_address(const struct an_owner_spans *s, uint64_t addr)
{
	const struct an_owner_span *span =
		&s->by_area[an_owner_spans_index_by_area(addr)];

	if (an_owner_span_contains(s, span, addr))
		return span;
	span = &s->by_address[an_owner_spans_index_by_address(addr)];
	return an_owner_span_contains(s, span, addr) ? span : NULL;
}

/* Store a valid span that contains @addr, to be found by address. Return: its
   copy. */
const struct an_owner_span *
an_owner_spans_store_by_address(struct an_owner_spans *, uint64_t addr,
				const struct an_owner_span *);

#endif
