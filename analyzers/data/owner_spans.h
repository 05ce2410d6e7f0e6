/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owner_spans.h - caches which addresses have one owner
 *
 * A span is a part of an area of memory that has one owner. Each area has a
 * counter of the events that changed owners in it, and a span is valid as long
 * as the counter does not change. Spans are found by the area, if one owner has
 * all of it, by the address, or by the instruction that accesses it.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_OWNER_SPANS_H
#define ANALYZERS_DATA_OWNER_SPANS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AN_OWNER_AREA_BITS = 16,  /* log2 [bytes] of an area of memory */
	AN_OWNER_AREAS = 1 << 10, /* number of counters: areas whose numbers are
				     equal modulo this share one */
	AN_MAX_COUNTED_AREAS = 32, /* an event in more areas than this changes
				      the owners in all areas */
	AN_LAST_CHANGES = 256,	   /* changes whose addresses are stored */
	AN_MAX_COMPARED_CHANGES =
		32, /* changes of owners whose addresses are compared
					one by one; if there were more, any
					owner may have changed */
	AN_SPANS_BY_KEY = 1 << 12,
	AN_SPANS_BY_AREA = 1 << 10,
	AN_SPANS_BY_ADDRESS = 1 << 13,
	AN_EXTENTS = 1 << 10,
};

struct an_owner_span {
	uint64_t first;
	uint64_t object_start; /* address of the owner's first byte; `first` if
				  there is no owner */
	uint64_t stamp;	 /* an_owner_spans_stamp() of the area when the span was
			    found; 0: the span is empty */
	uint32_t extent; /* address of the last byte - first */
	uint32_t group;	 /* number of the owner's group */
	uint16_t area;	 /* index of the area's counter */
	bool is_unknown; /* there is no owner */
};

/* Addresses that have one owner, or none. */
struct an_owner_extent {
	uint64_t first, last;  /* inclusive */
	uint64_t object_start; /* address of the owner's first byte; `first` if
				  there is no owner */
	uint64_t n_changes;    /* an_owner_spans.n_changes when the extent was
				  valid; 0: never */
	uint32_t group;	       /* number of the owner's group */
	bool is_unknown;       /* there is no owner */
};

struct an_changed_addresses {
	uint64_t first, last; /* inclusive */
};

/* Cached owners (data objects) of addresses. Initialise with
   an_owner_spans_init(). */
struct an_owner_spans {
	uint64_t n_area_changes[AN_OWNER_AREAS]; /* number of events that
						    changed owners in each
						    area, from 1 */
	uint64_t n_wide_changes; /* events in more than AN_MAX_COUNTED_AREAS
				    areas */
	uint64_t n_changes; /* number of all events that changed owners, from
			       1 */
	/* Addresses whose owners the last events changed: those of the event
	   before which n_changes was n are in [n % AN_LAST_CHANGES]. */
	struct an_changed_addresses change[AN_LAST_CHANGES];
	/* [n_unions] addresses that contain those of the last event, of the
	   last two events, and so on */
	struct an_changed_addresses change_union[AN_LAST_CHANGES];
	unsigned n_unions;
	struct an_owner_span by_key[AN_SPANS_BY_KEY];
	struct an_owner_span by_area[AN_SPANS_BY_AREA];
	struct an_owner_span by_address[AN_SPANS_BY_ADDRESS];
	struct an_owner_extent extent[AN_EXTENTS]; /* by area */
};

/* Initialise a zeroed cache of owners: set its counters of changes to 1. */
void an_owner_spans_init(struct an_owner_spans *);

/* Invalidate the cached spans in all areas (aligned memory) that contain
   addresses from @start to @last, inclusive; in a long range, the spans in all
   areas. Store the change of owners. */
void an_owner_spans_invalidate(struct an_owner_spans *, uint64_t start,
			       uint64_t last);

/* Return the index of the counter of the area (aligned memory of 1 <<
   AN_OWNER_AREA_BITS bytes) that contains @addr. */
static inline uint16_t an_owner_spans_area_index(uint64_t addr)
{
	return (addr >> AN_OWNER_AREA_BITS) % AN_OWNER_AREAS;
}

/* Return a number that increases with each change of owners in the areas
   (aligned memory) that share the counter with index @area. */
static inline uint64_t an_owner_spans_stamp(const struct an_owner_spans *s,
					    unsigned area)
{
	return s->n_area_changes[area] + s->n_wide_changes;
}

/* Add elements to s->change_union, the addresses whose owners the last events
   changed, until there are @n, which is at most AN_LAST_CHANGES. */
void an_owner_spans_compute_unions_up_to_n(struct an_owner_spans *, uint64_t n);

/* Return a range that contains all addresses whose owner (data object) has
   changed since s->n_changes was @n_changes, which must be less than it is
   now. */
static inline struct an_changed_addresses
an_owner_spans_union_of_changes(struct an_owner_spans *s, uint64_t n_changes)
{
	uint64_t n = s->n_changes - n_changes;

	if (n > AN_LAST_CHANGES)
		return (struct an_changed_addresses){0, UINT64_MAX};
	if (n > s->n_unions)
		an_owner_spans_compute_unions_up_to_n(s, n);
	return s->change_union[n - 1];
}

/* Whether owners of addresses from @first to @last, inclusive, may have changed
   since n_changes was @n_changes. */
bool an_owner_spans_did_change(const struct an_owner_spans *,
			       uint64_t n_changes, uint64_t first,
			       uint64_t last);

/* Whether @span is valid and contains @addr. */
static inline bool an_owner_span_contains(const struct an_owner_spans *s,
					  const struct an_owner_span *span,
					  uint64_t addr)
{
	return addr - span->first <= span->extent &&
	       span->stamp == an_owner_spans_stamp(s, span->area);
}

/* Return a valid span that contains @addr and was stored before; NULL: none is
   cached. */
const struct an_owner_span *
an_owner_spans_find_by_address(const struct an_owner_spans *, uint64_t addr);

/* Store a valid span that contains @addr, to be found by address. Return: its
   copy. */
const struct an_owner_span *
an_owner_spans_store_by_address(struct an_owner_spans *, uint64_t addr,
				const struct an_owner_span *);

#endif
