/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_ids.h - assigns 32-bit numbers to lines
 *
 * A region is 2^AN_REGION_BITS consecutive lines. Regions are numbered in the
 * order of their first use. The lower AN_REGION_BITS bits of a line's number
 * are those of the line, its position in the region.
 */
#ifndef ANALYZERS_LRU_LINE_IDS_H
#define ANALYZERS_LRU_LINE_IDS_H

#include <stdint.h>

enum {
	AN_REGION_BITS = 18,
	AN_REGIONS = 1 << (32 - AN_REGION_BITS), /* one more than the maximum of
						    regions */
	AN_REGION_SLOTS = 2 * AN_REGIONS,
};

struct an_line_ids {
	uint64_t *region;    /* [AN_REGIONS] by region number, from 1: line >>
				AN_REGION_BITS */
	uint16_t *hash_slot; /* [AN_REGION_SLOTS] open hash table of indices of
			     `region`; 0: free */
	/* number of regions in the table */
	uint32_t n;
};

/* Initialise a table without regions. Return: 0 or -ENOMEM; call
   an_line_ids_release() in both cases. */
int an_line_ids_init(struct an_line_ids *);
void an_line_ids_release(struct an_line_ids *);

/* Return the index in hash_slot[] at which the search for a region (of lines)
   in the hash table begins. */
static inline uint32_t an_line_ids_first_hash_slot(uint64_t region)
{
	return (uint32_t)(region * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - 33 + AN_REGION_BITS));
}

/* Add a region that is not in the table. Return: its number; 0: AN_REGIONS - 1
   regions are in the table. */
uint32_t an_line_ids_number_new_region_0_if_full(struct an_line_ids *,
						 uint64_t region);

/* Return the 32-bit number of @line, after its region was added if it is new;
   0, which is the number of no line: there are too many regions. */
static inline uint32_t
an_line_ids_find_or_add_id_or_0_if_full(struct an_line_ids *l, uint64_t line)
{
	uint64_t region = line >> AN_REGION_BITS;
	uint32_t hash_slot = an_line_ids_first_hash_slot(region), i;

	while ((i = l->hash_slot[hash_slot]) != 0 && l->region[i] != region)
		hash_slot = (hash_slot + 1) % AN_REGION_SLOTS;
	if (i == 0)
		i = an_line_ids_number_new_region_0_if_full(l, region);
	if (i == 0)
		return 0;
	return i << AN_REGION_BITS |
	       (uint32_t)(line & ((1u << AN_REGION_BITS) - 1));
}

#endif
