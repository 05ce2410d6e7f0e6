/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_slots.c - checks the slots that hold values; see value_slots.h */

#include "lib/recover/value_slots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t values_size(const struct pt_log_values *v)
{
	return v->n_values * sizeof(struct pt_value);
}

int al_values_store_record(struct pt_log_values **next,
			   const struct pt_log_values *r)
{
	size_t bytes = r->head.bytes;

	if (bytes < sizeof(*r) || bytes < sizeof(*r) + values_size(r))
		return -EPROTO;
	free(*next);
	*next = malloc(bytes);
	if (*next == NULL)
		return -ENOMEM;
	memcpy(*next, r, bytes);
	return 0;
}

size_t al_values_bytes(const struct pt_log_values *v)
{
	return v ? values_size(v) : 0;
}

/* Whether the block has @n slots from @slot on, or @slot is PT_NO_SLOT. */
static bool is_slot_range_valid(const struct al_desc *d, unsigned slot,
				unsigned n)
{
	return slot == PT_NO_SLOT || slot + n <= d->n_slots;
}

/* Whether the block has all slots in which its values are recorded. */
static bool are_value_slots_valid(const struct al_desc *d)
{
	for (unsigned i = 0; i < d->n_accesses; i++) {
		const struct pt_value *v = &d->value[i];
		unsigned n = pt_value_slots(d->access[i].size);

		if (!is_slot_range_valid(d, v->read, n) ||
		    !is_slot_range_valid(d, v->written, n) ||
		    !is_slot_range_valid(d, v->read_if, 1) ||
		    !is_slot_range_valid(d, v->written_if, 1))
			return false;
	}
	return true;
}

bool al_desc_set_values(struct al_desc *d, const struct pt_log_values *v,
			struct pt_value *room)
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
	    al_desc_leading_slots(d) > d->n_slots)
		return false;
	if (v->n_values == 0)
		return true;
	if (v->n_values != d->n_accesses)
		return false;
	memcpy(room, v->value, values_size(v));
	d->value = room;
	return are_value_slots_valid(d);
}

/* Return the number of slots needed for @slots slots and for those from @slot
   to @slot + @n - 1. @slot: PT_NO_SLOT adds none. */
static unsigned extend_slot_count(unsigned slot, unsigned n, unsigned slots)
{
	return slot != PT_NO_SLOT && slot + n > slots ? slot + n : slots;
}

unsigned al_desc_add_access_slots(const struct al_desc *d, unsigned i,
				  bool half, unsigned slots)
{
	unsigned n = pt_value_slots(d->access[i].size);

	slots = extend_slot_count(d->access[i].slot, 1, slots);
	if (d->value == NULL)
		return slots;
	slots = extend_slot_count(d->value[i].read, n, slots);
	slots = extend_slot_count(d->value[i].read_if, 1, slots);
	if (half)
		return slots;
	slots = extend_slot_count(d->value[i].written, n, slots);
	return extend_slot_count(d->value[i].written_if, 1, slots);
}
