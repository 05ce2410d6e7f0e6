/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_slots.c - checks which slots of a block hold values, not addresses; see
   value_slots.h */

#include "lib/recover/value_slots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t byte_count_of_values_array(const struct pt_log_values *record)
{
	return record->n_values * sizeof(struct pt_value);
}

int al_values_replace_with_copy(struct pt_log_values **stored_record,
				const struct pt_log_values *record)
{
	size_t bytes = record->head.bytes;

	if (bytes < sizeof(*record) ||
	    bytes < sizeof(*record) + byte_count_of_values_array(record))
		return -EPROTO;
	free(*stored_record);
	*stored_record = malloc(bytes);
	if (*stored_record == NULL)
		return -ENOMEM;
	memcpy(*stored_record, record, bytes);
	return 0;
}

size_t al_values_array_bytes_or_0(const struct pt_log_values *record_or_null)
{
	return record_or_null ? byte_count_of_values_array(record_or_null) : 0;
}

/* Whether all slots from @slot to @slot + @slot_count - 1 are slots of block
   @d, or @slot is PT_NO_SLOT. */
static bool is_slot_range_in_block_or_no_slot(const struct al_desc *d,
					      unsigned slot,
					      unsigned slot_count)
{
	return slot == PT_NO_SLOT || slot + slot_count <= d->n_slots;
}

/* Whether the slots of the values of all accesses, and those of whether an
   access happened, are slots of block @d. */
static bool are_value_slots_in_block(const struct al_desc *d)
{
	for (unsigned i = 0; i < d->n_accesses; i++) {
		const struct pt_value *v = &d->value[i];
		unsigned n = pt_capped_count_of_8_byte_slots(d->access[i].size);

		if (!is_slot_range_in_block_or_no_slot(d, v->read, n) ||
		    !is_slot_range_in_block_or_no_slot(d, v->written, n) ||
		    !is_slot_range_in_block_or_no_slot(d, v->read_if, 1) ||
		    !is_slot_range_in_block_or_no_slot(d, v->written_if, 1))
			return false;
	}
	return true;
}

bool al_desc_set_and_check_values(struct al_desc *d,
				  const struct pt_log_values *v,
				  struct pt_value *value_storage)
{
	d->value = NULL;
	d->timestamp_slot = d->instret_slot = PT_NO_SLOT;
	if (v == NULL)
		return true;
	d->timestamp_slot = v->stamp;
	if (v->far)
		d->instret_slot = v->far - 1;
	if ((d->timestamp_slot != PT_NO_SLOT && d->timestamp_slot != 0) ||
	    (d->instret_slot != PT_NO_SLOT &&
	     d->instret_slot != (d->timestamp_slot == 0)) ||
	    al_desc_count_timestamp_instret_slots(d) > d->n_slots)
		return false;
	if (v->n_values == 0)
		return true;
	if (v->n_values != d->n_accesses)
		return false;
	memcpy(value_storage, v->value, byte_count_of_values_array(v));
	d->value = value_storage;
	return are_value_slots_in_block(d);
}

/* Return the larger of @slot_count and @slot + @range_slots, the number of
   slots up to the end of a range; @slot_count if @slot is PT_NO_SLOT. */
static unsigned slot_count_including_range(unsigned slot, unsigned range_slots,
					   unsigned slot_count)
{
	return slot != PT_NO_SLOT && slot + range_slots > slot_count
		       ? slot + range_slots
		       : slot_count;
}

unsigned al_desc_slot_count_including_access(const struct al_desc *d,
					     unsigned access_index,
					     bool load_only,
					     unsigned slot_count_so_far)
{
	unsigned n =
		pt_capped_count_of_8_byte_slots(d->access[access_index].size);

	slot_count_so_far = slot_count_including_range(
		d->access[access_index].slot, 1, slot_count_so_far);
	if (d->value == NULL)
		return slot_count_so_far;
	slot_count_so_far = slot_count_including_range(
		d->value[access_index].read, n, slot_count_so_far);
	slot_count_so_far = slot_count_including_range(
		d->value[access_index].read_if, 1, slot_count_so_far);
	if (load_only)
		return slot_count_so_far;
	slot_count_so_far = slot_count_including_range(
		d->value[access_index].written, n, slot_count_so_far);
	return slot_count_including_range(d->value[access_index].written_if, 1,
					  slot_count_so_far);
}
