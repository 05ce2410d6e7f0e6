/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrays.c - adds to and searches the arrays of window files and plans; see
 *            arrays.h
 */
#include "lib/config/window/plan/arrays.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t al_array_entry_size(enum al_array_kind kind)
{
	static const uint8_t size[AL_ARRAYS] = {
		[AL_WINDOWS] = sizeof(struct pt_window),
		[AL_EVENTS] = sizeof(struct pt_event),
		[AL_LANES] = sizeof(struct pt_lane),
		[AL_IMAGES] = sizeof(struct pt_image),
		[AL_FUNCTIONS] = sizeof(struct pt_function),
		[AL_SELECTS] = sizeof(struct pt_select),
		[AL_INTERVALS] = sizeof(struct pt_interval),
		[AL_INTERCEPTS] = sizeof(struct pt_intercept),
		[AL_PARAMETERS] = sizeof(struct pt_parameter),
		[AL_TYPES] = sizeof(struct pt_type),
		[AL_FIELDS] = sizeof(struct pt_field),
		[AL_STRINGS] = 1,
		[AL_ENTRY_LISTS] = sizeof(struct al_process_entry_list),
		[AL_PROCESS_ENTRIES] = sizeof(struct al_process_entry),
	};

	return size[kind];
}

/* Return the number of entries that are allocated for an array of @entry_count
   entries: the smallest power of two that is at least @entry_count. */
static size_t power_of_two_array_capacity(uint32_t entry_count)
{
	size_t power_of_two_array_capacity = 1;

	while (power_of_two_array_capacity < entry_count)
		power_of_two_array_capacity *= 2;
	return power_of_two_array_capacity;
}

int al_arrays_append_zeroed_entries(struct al_windows *w,
				    enum al_array_kind kind,
				    uint32_t entry_count, uint32_t *first_index)
{
	size_t size = al_array_entry_size(kind);
	void *item = w->item[kind];

	*first_index = w->n[kind];
	if (!entry_count)
		return 0;
	if (__builtin_add_overflow(*first_index, entry_count, &w->n[kind]))
		return -ENOMEM;
	if (!item || power_of_two_array_capacity(*first_index) < w->n[kind]) {
		item = realloc(item,
			       power_of_two_array_capacity(w->n[kind]) * size);
		if (!item) {
			w->n[kind] = *first_index;
			return -ENOMEM;
		}
		w->item[kind] = item;
	}
	memset((char *)item + *first_index * size, 0, entry_count * size);
	return 0;
}

int al_arrays_append_string(struct al_windows *w, const char *text,
			    uint32_t *string_offset)
{
	size_t bytes = strlen(text) + 1;
	int rc = al_arrays_append_zeroed_entries(w, AL_STRINGS, (uint32_t)bytes,
						 string_offset);

	if (!rc)
		memcpy(w->string + *string_offset, text, bytes);
	return rc;
}

const struct al_process_entry *
al_windows_find_entry_for_process_or_any(const struct al_windows *w,
					 uint32_t window_index,
					 uint32_t process_number)
{
	const struct al_process_entry_list *p = &w->entry_list[window_index];

	/* An entry for any process, with number 0, is the last of its list, so
	   the entry of the process itself is found first. */
	for (uint32_t i = 0; i < p->n_entries; i++) {
		const struct al_process_entry *f =
			&w->process_entry[p->first_entry + i];

		if (!f->number || f->number == process_number)
			return f;
	}
	return NULL;
}

bool al_windows_have_entry_matching_process(const struct al_windows *w,
					    uint32_t process_number)
{
	for (uint32_t i = 0; i < w->n[AL_WINDOWS]; i++)
		if (al_windows_find_entry_for_process_or_any(w, i,
							     process_number))
			return true;
	return false;
}
