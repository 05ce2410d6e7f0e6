/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory_lifetimes.h - turns events of mapped memory into data objects
 *
 * Memory that one event maps is a data object. It has a lifetime for each part
 * of it that is mapped, and dies with the last one.
 */
#ifndef LIBALLERIA_DATA_MEMORY_LIFETIMES_H
#define LIBALLERIA_DATA_MEMORY_LIFETIMES_H

#include "liballeria/data/lifetimes.h"

/* Apply a PT_MEMORY event. Memory that extends other memory belongs to its data
   object. Return: 0; -ENOMEM. */
int ap_lifetimes_add_memory(struct ap_lifetimes *,
			    const struct ap_data_event *);

/* Apply a PT_MEMORY_UNMAPPED event. Return: 0; -ENOMEM. */
int ap_lifetimes_remove_memory(struct ap_lifetimes *,
			       const struct ap_data_event *);

/* Apply a PT_MEMORY_MOVED event: the memory becomes a new data object, with the
   site and name of the old one. Return: 0; -ENOMEM. */
int ap_lifetimes_move_memory(struct ap_lifetimes *,
			     const struct ap_data_event *);

#endif
