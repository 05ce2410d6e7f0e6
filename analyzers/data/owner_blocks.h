/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owner_blocks.h - applies events of heap blocks and elements to data objects
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_OWNER_BLOCKS_H
#define ANALYZERS_DATA_OWNER_BLOCKS_H

#include "analyzers/data/owners.h"

/* Apply the birth, death or resizing of a heap block or an element. Return: 0;
   -ENOMEM. */
int an_owners_apply_heap_block_event(struct an_owners *,
				     const struct an_batch *,
				     const struct an_stream_event *);

/* Remove the elements that overlap the addresses from @start to @last,
   inclusive. Return: their number. */
uint64_t an_owners_remove_elements_return_number(struct an_owners *,
						 uint64_t start, uint64_t last);

#endif
