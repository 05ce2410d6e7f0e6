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
	AN_RANGE_BITS = 27, /* bits of the index of a node */
	AN_MAX_RANGES = 1 << AN_RANGE_BITS,
	AN_RANGE_SLAB_BITS = 16,
	AN_RANGE_SLABS = 1 << (AN_RANGE_BITS - AN_RANGE_SLAB_BITS),
	AN_MAX_RANGE_VALUE = (1 << 21) - 1,
};

struct an_range {
	uint64_t start;
	uint64_t last; /* address of the last byte of the range */
	uint32_t value;
	bool is_empty; /* the range has one byte, but stands for an object of 0
			  bytes */
};

/* Node of the tree, packed. */
struct an_range_node {
	uint32_t start_low; /* lower 32 bits of the start; if is_wide, the index
			       of the range in `wide` */
	uint32_t extent;    /* last - start [bytes]; unused if is_wide */
	uint32_t left : AN_RANGE_BITS, value_low : 5;
	uint32_t right : AN_RANGE_BITS, value_middle : 5;
	uint32_t start_high : 16, value_high : 11, is_wide : 1, is_empty : 1;
};

/* First and last address of a range, if they do not fit into a node. */
struct an_wide_range {
	uint64_t start; /* in a free element: index + 1 of the next free
			   element, 0: none */
	uint64_t last;
};

/* A struct that is all zeros is valid and holds no range. */
struct an_ranges {
	/* Nodes, 1 << AN_RANGE_SLAB_BITS in a slab. Node 0 is not a range: its
	   left child is the root. */
	struct an_range_node *slab[AN_RANGE_SLABS];
	uint32_t n_used; /* number of nodes that were used at least once, with
			    node 0 */
	uint32_t free;	 /* index of the first free node, 0: none; `left` links
			    the list */
	struct an_wide_range *wide; /* [n_wide] used and free elements */
	uint32_t n_wide, wide_size;
	uint32_t free_wide;    /* index + 1 of the first free element of `wide`;
				  0: none */
	struct an_range found; /* range that a search found last; valid if
				  has_found */
	bool has_found;
};

/* Return the range that contains @addr, or NULL. The pointer is valid until the
   next search or removal in these ranges. */
const struct an_range *an_ranges_find_and_cache(struct an_ranges *,
						uint64_t addr);

/* Return the range that contains @addr; the pointer is valid until the next
   search or removal. If no range contains @addr, return NULL and narrow
   *@gap_first_inout..*@gap_last_inout (inclusive) to the addresses around @addr
   up to the adjacent ranges. */
const struct an_range *
an_ranges_find_or_narrow_to_gap(struct an_ranges *, uint64_t addr,
				uint64_t *gap_first_inout,
				uint64_t *gap_last_inout);

/* Add the range @start..@last (inclusive), which must overlap no other; this is
   not checked. @value: at most AN_MAX_RANGE_VALUE. Return: 0; -ENOMEM, also if
   there are AN_MAX_RANGES - 1 ranges. */
int an_ranges_insert_unchecked(struct an_ranges *, uint64_t start,
			       uint64_t last, uint32_t value);

/* Add a range of one byte that stands for an object of 0 bytes. Otherwise as
   an_ranges_insert_unchecked(). */
int an_ranges_insert_empty_unchecked(struct an_ranges *, uint64_t start,
				     uint32_t value);

/* Remove the range with the greatest start among those that overlap
   @start..@last (inclusive), and copy it to @removed_out. Other overlapping
   ranges remain. Return: false if no range overlaps. */
bool an_ranges_remove_last_overlapping(struct an_ranges *, uint64_t start,
				       uint64_t last,
				       struct an_range *removed_out);

/* Remove the range that begins exactly at @start, and copy it to @removed_out.
   Return: false if no range begins there. */
bool an_ranges_remove_by_exact_start(struct an_ranges *, uint64_t start,
				     struct an_range *removed_out);

void an_ranges_release(struct an_ranges *);

#endif
