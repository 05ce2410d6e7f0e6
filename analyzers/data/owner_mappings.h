/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owner_mappings.h - applies events of memory that is mapped, unmapped or named
 *
 * Memory mapped from one file, or mapped by one call stack, forms a group.
 * With n mappings, an event takes O(log n) expected time for each mapping that
 * it removes or shortens. An event increases n by at most two; one that moves
 * memory by at most three.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_OWNER_MAPPINGS_H
#define ANALYZERS_DATA_OWNER_MAPPINGS_H

#include "analyzers/data/owners.h"

/* Apply a PT_MEMORY event, by which the process mapped memory: map it, or
   extend a mapping by it, and end the regions, elements and thread-local
   variables there. Return: 0; -ENOMEM. */
int an_owners_add_mapping_end_objects_there(struct an_owners *,
					    const struct an_batch *,
					    const struct an_stream_event *);

/* Apply a PT_MEMORY_UNMAPPED event: unmap the @size bytes from @start on, and
   end the regions, elements and thread-local variables there. The parts of
   mappings that lie outside this range stay mapped. */
void an_owners_unmap_range(struct an_owners *, uint64_t start, uint64_t size);

/* Apply a PT_MEMORY_MOVED event: unmap the @size bytes at @from and at @to, and
   end the regions, elements and thread-local variables there; then map those at
   @to in the group that address @from had. Do nothing if no mapping contains
   @from. */
void an_owners_move_mapping(struct an_owners *, uint64_t from, uint64_t to,
			    uint64_t size);

/* Apply a PT_REGION event, by which the program names memory: add a region, in
   place of the parts of others there, to the group of all regions with its
   name; or, if its size is 0, end the region that contains its address.
   Return: 0; -ENOMEM. */
int an_owners_add_region_cut_other_regions(struct an_owners *,
					   const struct an_batch *,
					   const struct an_stream_event *);

/* Cut the addresses from @start to @last, inclusive, out of the regions. */
void an_owners_cut_out_of_regions(struct an_owners *, uint64_t start,
				  uint64_t last);

#endif
