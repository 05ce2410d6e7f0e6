/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.h - finds the range that contains an address
 *
 * Ranges do not overlap. Each operation takes O(log n) expected time, whatever
 * the addresses: the tree's shape follows from numbers that a traced program
 * does not know. A range takes 20 bytes; one of more than 4 GiB, or from 2^48
 * on, 16 more.
 */
#ifndef ANALYZERS_DATA_RANGES_H
#define ANALYZERS_DATA_RANGES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AN_RANGE_BITS = 27, /* of the index of a node */
	AN_MAX_RANGES = 1 << AN_RANGE_BITS,
	AN_RANGE_SLAB_BITS = 16,
	AN_RANGE_SLABS = 1 << (AN_RANGE_BITS - AN_RANGE_SLAB_BITS),
	AN_MAX_RANGE_VALUE = (1 << 21) - 1,
};

struct an_range {
	uint64_t start;
	uint64_t last; /* address of the last byte */
	uint32_t value;
};

/* Node of the tree, packed. */
struct an_range_node {
	uint32_t start_low; /* of a wide range: its index in `wide` */
	uint32_t extent;    /* last - start [bytes] */
	uint32_t left : AN_RANGE_BITS, value_low : 5;
	uint32_t right : AN_RANGE_BITS, value_middle : 5;
	uint32_t start_high : 16, value_high : 11, is_wide : 1;
};

/* Limits of a range that do not fit into a node. */
struct an_wide_range {
	uint64_t start; /* of a free one: index + 1 of the next free one */
	uint64_t last;
};

/* Ranges that are all zeros are valid and empty. */
struct an_ranges {
	/* Nodes, 1 << AN_RANGE_SLAB_BITS in a slab. Node 0 is not a range: its
	   left child is the root. */
	struct an_range_node *slab[AN_RANGE_SLABS];
	uint32_t n_used; /* nodes that were ever used, with node 0 */
	uint32_t free;	 /* first free node; the list is linked by `left` */
	struct an_wide_range *wide; /* [n_wide] */
	uint32_t n_wide, wide_size;
	uint32_t free_wide;    /* index + 1 of the first free one, or 0 */
	struct an_range found; /* result of the last search; has_found */
	bool has_found;
};

/* Return the range that contains @addr, or NULL. It is valid until the next
   call. */
const struct an_range *an_ranges_find(struct an_ranges *, uint64_t addr);

/* Return the range that contains @addr, or NULL; valid until the next call. If
   there is none, raise *@first and lower *@last to the addresses around @addr
   that are in no range. */
const struct an_range *an_ranges_find_or_gap(struct an_ranges *, uint64_t addr,
					     uint64_t *first, uint64_t *last);

/* Add a range that overlaps no other. @value: at most AN_MAX_RANGE_VALUE.
   Return: 0; -ENOMEM, also if there are AN_MAX_RANGES. */
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
