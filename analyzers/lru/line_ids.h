/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_ids.h - short numbers for lines
 *
 * A region is AN_REGION_LINES lines in a row; those that are used are numbered
 * as they come. What a line keeps of its number is its place in the region, so
 * its lower bits are the same.
 */
#ifndef ANALYZERS_LRU_LINE_IDS_H
#define ANALYZERS_LRU_LINE_IDS_H

#include <stdint.h>

enum {
	AN_REGION_BITS = 18,
	AN_REGIONS = 1 << (32 - AN_REGION_BITS), /* at most, and one less */
	AN_REGION_SLOTS = 2 * AN_REGIONS,
};

struct an_lines {
	uint64_t *region; /* [AN_REGIONS] from 1: line / lines of a region */
	uint16_t *slot;	  /* [AN_REGION_SLOTS] open hash table of `region`; 0:
			     free */
	uint32_t n;
};

/* 0 or -ENOMEM; an_lines_release() in both cases. */
int an_lines_init(struct an_lines *);
void an_lines_release(struct an_lines *);

/* Where the search for a region begins. */
static inline uint32_t an_lines_slot(uint64_t region)
{
	return (uint32_t)(region * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - 33 + AN_REGION_BITS));
}

/* The number of a region seen first; 0: there are too many. */
uint32_t an_lines_add(struct an_lines *, uint64_t region);

/* The short number of a line, not 0; or 0: there are too many regions. */
static inline uint32_t an_lines_short(struct an_lines *l, uint64_t line)
{
	uint64_t region = line >> AN_REGION_BITS;
	uint32_t at = an_lines_slot(region), i;

	while ((i = l->slot[at]) != 0 && l->region[i] != region)
		at = (at + 1) % AN_REGION_SLOTS;
	if (i == 0)
		i = an_lines_add(l, region);
	if (i == 0)
		return 0;
	return i << AN_REGION_BITS |
	       (uint32_t)(line & ((1u << AN_REGION_BITS) - 1));
}

#endif
