/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_lifetimes.h - turns events of heap blocks and elements into data
 * objects
 *
 * An element is a block of an allocator that the user names, or of a pool. It
 * can lie in a heap block, and ends with it, as a thread-local variable does.
 */
#ifndef LIBALLERIA_DATA_BLOCK_LIFETIMES_H
#define LIBALLERIA_DATA_BLOCK_LIFETIMES_H

#include "liballeria/data/lifetimes.h"

/* Apply a PT_BORN or PT_ELEMENT_BORN event: add a heap block or element.
   Return: 0; -ENOMEM. */
int ap_lifetimes_add_allocated_block(struct ap_lifetimes *,
				     const struct ap_data_event *);

/* Apply a PT_DIED or PT_ELEMENT_DIED event: end the heap block or element at
   its address, if one lives there. Return: 0; -ENOMEM. */
int ap_lifetimes_end_block_if_live(struct ap_lifetimes *,
				   const struct ap_data_event *);

/* Apply a PT_RESIZED or PT_ELEMENT_RESIZED event: resize the heap block or
   element (block of a named allocator or pool) in place, or end it and add a
   block at its new address with the site and kind of the old one. If the old
   block is not known, add a block with the site of the event. Return: 0;
   -ENOMEM. */
int ap_lifetimes_resize_move_or_add_block(struct ap_lifetimes *,
					  const struct ap_data_event *);

#endif
