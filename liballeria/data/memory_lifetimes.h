/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory_lifetimes.h - turns events of mapped and named memory into data
 *                      objects
 *
 * The memory that an event maps is a data object, unless it extends another
 * one. The object has a live lifetime for each part of it that is still mapped,
 * and dies when the last part is unmapped.
 */
#ifndef LIBALLERIA_DATA_MEMORY_LIFETIMES_H
#define LIBALLERIA_DATA_MEMORY_LIFETIMES_H

#include "liballeria/data/lifetimes.h"

/* Apply a PT_MEMORY event: add a data object for the memory that it maps.
   Memory that extends an earlier mapping is added to the data object of that
   mapping, unless it begins neither in this object nor directly after it, or
   replaces all of its memory. Return: 0; -ENOMEM. */
int ap_lifetimes_add_or_extend_memory(struct ap_lifetimes *,
				      const struct ap_data_event *);

/* Apply a PT_MEMORY_UNMAPPED event: end the lifetimes of the memory in its
   range. Return: 0; -ENOMEM. */
int ap_lifetimes_remove_memory(struct ap_lifetimes *,
			       const struct ap_data_event *);

/* Apply a PT_MEMORY_MOVED event: the memory at its new address becomes a new
   data object, with the kind, site, thread and name of the data object at the
   old address. Do nothing if there is none. Return: 0; -ENOMEM. */
int ap_lifetimes_end_and_add_moved_memory(struct ap_lifetimes *,
					  const struct ap_data_event *);

/* Apply a PT_REGION event: add a data object for the memory that the program
   names, and reduce the other regions to their parts outside; or, if its size
   is 0, end the region that contains its address. Return: 0; -ENOMEM. */
int ap_lifetimes_add_or_end_named_region(struct ap_lifetimes *,
					 const struct ap_data_event *);

/* At event @e, by which a heap block begins, ends or is resized or memory is
   mapped, unmapped or moved: end the elements and thread-local variables that
   overlap the addresses from @start_address to @last_address, both included,
   and reduce regions to their parts outside. Return: 0; -ENOMEM. */
int ap_lifetimes_end_objects_inside(struct ap_lifetimes *,
				    uint64_t start_address,
				    uint64_t last_address,
				    const struct ap_data_event *e);

#endif
