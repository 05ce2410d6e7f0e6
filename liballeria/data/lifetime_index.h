/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifetime_index.h - finds the lifetime that contains an address and an access
 *
 * A lifetime is a range of addresses during a range of numbers of accesses.
 * Lifetimes do not overlap in both. The index is a segment tree over the
 * addresses at which lifetimes begin or end: each lifetime is listed in the
 * O(log n) nodes whose addresses together are its own, and the lifetimes of a
 * node, which all cover its addresses, are one after the other.
 */
#ifndef LIBALLERIA_DATA_LIFETIME_INDEX_H
#define LIBALLERIA_DATA_LIFETIME_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct ap_lifetime {
	uint64_t start; /* address of the first byte */
	uint64_t last;	/* address of the last byte */
	/* number, among all accesses of the profile, of the first access during
	   the lifetime */
	uint64_t first_access;
	/* likewise of the first access after the lifetime; UINT64_MAX: it has
	   no end */
	uint64_t end_access;
	uint32_t object; /* index of the data object */
};

/* Index of lifetimes. All zero: no lifetimes. */
struct ap_lifetime_index {
	const struct ap_lifetime *lifetime; /* the caller's array */
	uint64_t *border; /* [n_borders] ascending: part i of the address space
			     is from border i to the next one */
	size_t n_borders;
	size_t *first_item; /* [2 * n_borders + 1] by node: index in `item` of
			       its first lifetime */
	uint32_t *item;	    /* indices of lifetimes, ascending in a node */
};

/* Build the index of an array of @lifetime_count lifetimes in ascending order
   of first_access. The array must exist as long as the index. Return: 0;
   -ENOMEM, with an index to release. */
int ap_lifetime_index_build(struct ap_lifetime_index *,
			    const struct ap_lifetime *,
			    uint32_t lifetime_count);
void ap_lifetime_index_release(struct ap_lifetime_index *);

/* Return the lifetime that contains @address at access number @access; NULL:
   there is none. */
const struct ap_lifetime *
ap_lifetime_index_find_live_lifetime(const struct ap_lifetime_index *,
				     uint64_t address, uint64_t access);

#endif
