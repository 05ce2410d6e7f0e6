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
 * al_values_replace_with_copy() - Copy a log record: the value slots of the
 * block that the next record describes.
 * @stored_record: points to NULL or to the copy of an earlier record, which is
 *                 freed; receives the copy, to be freed with free().
 *
 * Return: 0; -ENOMEM; -EPROTO if the record is too short for its values.
 */
int al_values_replace_with_copy(struct pt_log_values **stored_record,
				const struct pt_log_values *record);

/* Return the size [bytes] of the array of values in record @record_or_null, of
   which al_desc_set_and_check_values() stores a copy; 0 if @record_or_null is
   NULL. */
size_t al_values_array_bytes_or_0(const struct pt_log_values *record_or_null);

/* Set `value`, `timestamp_slot` and `instret_slot` of block @d, whose other
   members are set. @v: the log record; NULL: the block has none.
   @value_storage: al_values_array_bytes_or_0() bytes of memory for the copy of
   the values. Return: false if the record contradicts the block. */
bool al_desc_set_and_check_values(struct al_desc *d,
				  const struct pt_log_values *v,
				  struct pt_value *value_storage);

/* Return the number of slots, 0 to 2, that precede those of accesses: one for
   the time stamp and one for the instruction count, if the block has them. */
static inline unsigned
al_desc_count_timestamp_instret_slots(const struct al_desc *d)
{
	return (d->timestamp_slot != PT_NO_SLOT) +
	       (d->instret_slot != PT_NO_SLOT);
}

/* Return the number of slots of a unit that ends after access @access_index: at
   least @slot_count_so_far, and enough for the slots of its address, of its
   values and of whether it happened.
   @slot_count_so_far: number of slots of a unit that ends before this access.
   @load_only: leave out the slots of the store; the access is a modify of which
   only the load happened. */
unsigned al_desc_slot_count_including_access(const struct al_desc *,
					     unsigned access_index,
					     bool load_only,
					     unsigned slot_count_so_far);

#endif
