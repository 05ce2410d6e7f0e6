/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_slots.h - which slots of a block are no addresses, read from its log
 *
 * Threads: one at a time.
 */
#ifndef LIB_RECOVER_VALUE_SLOTS_H
#define LIB_RECOVER_VALUE_SLOTS_H

#include "lib/recover/blocks.h"

/**
 * al_values_take() - Keep what a record says of the next block.
 * @next: the copy of the one before, or NULL; receives this one's, for free().
 *
 * Return: 0; -ENOMEM; -EPROTO.
 */
int al_values_take(struct pt_log_values **next, const struct pt_log_values *r);

/* [bytes] that al_values_give() needs for @v, which may be NULL. */
size_t al_values_room(const struct pt_log_values *v);

/* Makes it a block's, copied to @room. @d has all else. False when it
   contradicts the block. */
bool al_values_give(struct al_desc *d, const struct pt_log_values *v,
		    struct pt_value *room);

/* How many slots come before those of accesses. */
static inline unsigned al_values_first(const struct al_desc *d)
{
	return (d->stamp != PT_NO_SLOT) + (d->far != PT_NO_SLOT);
}

/* How many slots it takes to have those of access @i, if it takes @slots
   without. @half: no more than it has read. */
unsigned al_values_slots(const struct al_desc *, unsigned i, bool half,
			 unsigned slots);

#endif
