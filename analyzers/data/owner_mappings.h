/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owner_mappings.h - applies events of memory that is mapped and unmapped
 *
 * Mapped memory of one file, or mapped from one call stack, is a group. Each
 * event takes O(log n) expected time for each mapping that it ends or cuts, of
 * which an event adds at most two.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_OWNER_MAPPINGS_H
#define ANALYZERS_DATA_OWNER_MAPPINGS_H

#include "analyzers/data/owners.h"

/* Apply a PT_MEMORY event. Return: 0; -ENOMEM. */
int an_owners_add_mapping(struct an_owners *, const struct an_batch *,
			  const struct an_stream_event *);

/* Apply a PT_MEMORY_UNMAPPED event. Mappings that lie partly outside the range
   keep the rest. */
void an_owners_remove_mapping(struct an_owners *, uint64_t start,
			      uint64_t size);

/* Apply a PT_MEMORY_MOVED event. The memory stays in the group of its first
   byte; nothing moves if no mapping contains that. */
void an_owners_move_mapping(struct an_owners *, uint64_t from, uint64_t to,
			    uint64_t size);

#endif
