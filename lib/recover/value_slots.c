/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_slots.c - slots that are no addresses; see value_slots.h */

#include "lib/recover/value_slots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const struct pt_log_values *v)
{
	return v->n_values * sizeof(struct pt_value);
}

int al_values_take(struct pt_log_values **next, const struct pt_log_values *r)
{
	size_t bytes = r->head.bytes;

	if (bytes < sizeof(*r) || bytes < sizeof(*r) + bytes_of(r))
		return -EPROTO;
	free(*next);
	*next = malloc(bytes);
	if (*next == NULL)
		return -ENOMEM;
	memcpy(*next, r, bytes);
	return 0;
}

size_t al_values_room(const struct pt_log_values *v)
{
	return v ? bytes_of(v) : 0;
}

static bool is_within(const struct al_desc *d, unsigned slot, unsigned n)
{
	return slot == PT_NO_SLOT || slot + n <= d->n_slots;
}

static bool are_within(const struct al_desc *d)
{
	for (unsigned i = 0; i < d->n_accesses; i++) {
		const struct pt_value *v = &d->value[i];
		unsigned n = pt_value_slots(d->access[i].size);

		if (!is_within(d, v->read, n) || !is_within(d, v->written, n) ||
		    !is_within(d, v->read_if, 1) ||
		    !is_within(d, v->written_if, 1))
			return false;
	}
	return true;
}

bool al_values_give(struct al_desc *d, const struct pt_log_values *v,
		    struct pt_value *room)
{
	d->value = NULL;
	d->stamp = d->far = PT_NO_SLOT;
	if (v == NULL)
		return true;
	d->stamp = v->stamp;
	if (v->far)
		d->far = v->far - 1;
	if ((d->stamp != PT_NO_SLOT && d->stamp != 0) ||
	    (d->far != PT_NO_SLOT && d->far != (d->stamp == 0)) ||
	    al_values_first(d) > d->n_slots)
		return false;
	if (v->n_values == 0)
		return true;
	if (v->n_values != d->n_accesses)
		return false;
	memcpy(room, v->value, bytes_of(v));
	d->value = room;
	return are_within(d);
}

static unsigned behind(unsigned slot, unsigned n, unsigned slots)
{
	return slot != PT_NO_SLOT && slot + n > slots ? slot + n : slots;
}

unsigned al_values_slots(const struct al_desc *d, unsigned i, bool half,
			 unsigned slots)
{
	unsigned n = pt_value_slots(d->access[i].size);

	slots = behind(d->access[i].slot, 1, slots);
	if (d->value == NULL)
		return slots;
	slots = behind(d->value[i].read, n, slots);
	slots = behind(d->value[i].read_if, 1, slots);
	if (half)
		return slots;
	slots = behind(d->value[i].written, n, slots);
	return behind(d->value[i].written_if, 1, slots);
}
