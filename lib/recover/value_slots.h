/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_slots.h - reads from the log which slots of a block hold values instead
 * of addresses
 *
 * Threads: one at a time.
 */
#ifndef LIB_RECOVER_VALUE_SLOTS_H
#define LIB_RECOVER_VALUE_SLOTS_H

#include "lib/recover/blocks.h"

/**
 * al_values_store_record() - Copy the record of the next block's values.
 * @next: NULL or the copy of an earlier record, which is freed; receives the
 *        copy of @r, to be freed with free().
 *
 * Return: 0; -ENOMEM; -EPROTO if the record is too short for its values.
 */
int al_values_store_record(struct pt_log_values **next,
			   const struct pt_log_values *r);

/* Return the memory [bytes] that al_desc_set_values() needs for @v, which may
   be NULL. */
size_t al_values_bytes(const struct pt_log_values *v);

/* Set @value, @timestamp_slot and @instret_slot of block @d, whose other
   members are set. @v: the log record; NULL: the block has none. @room:
   al_values_bytes() bytes of memory for the copy of the values. Return: false
   if the record contradicts the block. */
bool al_desc_set_values(struct al_desc *d, const struct pt_log_values *v,
			struct pt_value *room);

/* Return the number of slots before those of accesses: the time stamp and the
   instruction count, if the block has them. */
static inline unsigned al_desc_leading_slots(const struct al_desc *d)
{
	return (d->timestamp_slot != PT_NO_SLOT) +
	       (d->instret_slot != PT_NO_SLOT);
}

/* Return the number of slots of a unit with the accesses up to @i. @slots:
   number of slots with the accesses before @i. @half: count only the slots of
   the load of modify @i, not those of its store. */
unsigned al_desc_add_access_slots(const struct al_desc *, unsigned i, bool half,
				  unsigned slots);

#endif
