/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.h - finds the range that contains an address
 *
 * Ranges do not overlap. Each operation takes O(log n) expected time, whatever
 * the addresses: the tree's shape follows from pseudo-random numbers. A range
 * takes 32 bytes.
 */
#ifndef ANALYZERS_DATA_RANGES_H
#define ANALYZERS_DATA_RANGES_H

#include <stdbool.h>
#include <stdint.h>

enum { AN_MAX_RANGES = 1 << 27 };

struct an_range {
	uint64_t start;
	uint64_t last; /* address of the last byte */
	uint32_t value;
	/* Members of the tree: indices of nodes, or 0. A free node has start 1
	   and last 0. */
	uint32_t left, right;
	uint32_t priority;
};

/* Ranges that are all zeros are valid and empty. */
struct an_ranges {
	struct an_range *node; /* [size]; node 0 is not used */
	uint32_t root;
	uint32_t n_used; /* nodes that were ever used, with node 0 */
	uint32_t size;
	uint32_t free; /* first free node; the list is linked by `left` */
	uint32_t last_found;
	uint32_t random;
};

/* Return the range that contains @addr, or NULL. It is valid until the next
   change. */
const struct an_range *an_ranges_find(struct an_ranges *, uint64_t addr);

/* Add a range that overlaps no other. Return: 0; -ENOMEM, also if there are
   AN_MAX_RANGES. */
int an_ranges_insert(struct an_ranges *, uint64_t start, uint64_t last,
		     uint32_t value);

/* Remove a range that overlaps [@start, @last], and store it in @removed.
   Return: false if there is none. */
bool an_ranges_remove_overlap(struct an_ranges *, uint64_t start, uint64_t last,
			      struct an_range *removed);

/* Remove the range that begins at @start, and store it in @removed. Return:
   false if there is none. */
bool an_ranges_remove(struct an_ranges *, uint64_t start,
		      struct an_range *removed);

void an_ranges_release(struct an_ranges *);

#endif
