/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.c - makes recording plans of processes; see plan.h
 */
#include "lib/config/window/plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/arrays.h"

_Static_assert(offsetof(struct pt_plan, strings) ==
		       offsetof(struct pt_plan, windows) +
			       AL_STRINGS * sizeof(struct pt_array),
	       "a plan's arrays are those of enum al_array_kind");

static struct pt_array *plan_array_of_kind(void *plan, int array_kind)
{
	return &((struct pt_plan *)plan)->windows + array_kind;
}

/* Copy the n_lanes lanes (thread filters) in @source_lanes to the lanes of
   window @target_window in @result and, if the window has a warm-up, a second
   time to the lanes of the warm-up, which follow. */
static void
copy_lanes_of_window_and_warmup(struct al_windows *result,
				const struct pt_window *target_window,
				const struct pt_lane *source_lanes)
{
	for (uint32_t k = 0; k < target_window->n_lanes + target_window->n_warm;
	     k++)
		result->lane[target_window->first_lane + k] =
			source_lanes[k % target_window->n_lanes];
}

/* Append all windows of @w to @result, each with copies of the lanes of its
   entry for process @process_number: none without an entry, two of each lane if
   the window has a warmup. Return: 0; -ENOMEM. */
static int append_all_windows_with_process_lanes(const struct al_windows *w,
						 uint32_t process_number,
						 struct al_windows *result)
{
	uint32_t i, n = w->n[AL_WINDOWS];
	int rc = al_arrays_append_zeroed_entries(result, AL_WINDOWS, n, &i);

	for (i = 0; i < n && !rc; i++) {
		const struct al_process_entry *f =
			al_windows_find_entry_for_process_or_any(
				w, i, process_number);
		uint32_t n_lanes = f ? f->n_lanes : 0;
		uint32_t n_warm = w->window[i].warmup ? n_lanes : 0, first;

		result->window[i] = w->window[i];
		result->window[i].n_lanes = n_lanes;
		result->window[i].n_warm = n_warm;
		rc = al_arrays_append_zeroed_entries(result, AL_LANES,
						     n_lanes + n_warm, &first);
		result->window[i].first_lane = first;
		if (!rc)
			copy_lanes_of_window_and_warmup(
				result, &result->window[i],
				f ? w->lane + f->first_lane : NULL);
	}
	return rc;
}

static size_t array_bytes_rounded_up_to_8(const struct al_windows *w,
					  int array_kind)
{
	return (w->n[array_kind] * al_array_entry_size(array_kind) + 7) / 8 * 8;
}

static int allocate_and_write_plan(const struct al_windows *w,
				   uint32_t process_number, void **plan,
				   size_t *bytes)
{
	struct pt_plan *head;
	size_t offset = sizeof(*head);

	*bytes = offset;
	for (int i = 0; i < AL_PLAN_ARRAYS; i++)
		*bytes += array_bytes_rounded_up_to_8(w, i);
	if (*bytes > PT_MAX_PLAN)
		return -E2BIG;
	*plan = head = calloc(1, *bytes);
	if (!head)
		return -ENOMEM;
	head->version = PT_PLAN_VERSION;
	head->bytes = (uint32_t)*bytes;
	head->process = process_number;
	for (int i = 0; i < AL_PLAN_ARRAYS; i++) {
		*plan_array_of_kind(head, i) =
			(struct pt_array){(uint32_t)offset, w->n[i]};
		if (w->n[i])
			memcpy((char *)head + offset, w->item[i],
			       w->n[i] * al_array_entry_size(i));
		offset += array_bytes_rounded_up_to_8(w, i);
	}
	return 0;
}

int al_plan_make(const struct al_windows *w, uint32_t process_number,
		 void **plan, size_t *bytes)
{
	struct al_windows result = *w;
	int rc;

	result.window = NULL;
	result.lane = NULL;
	result.n[AL_WINDOWS] = result.n[AL_LANES] = 0;
	rc = append_all_windows_with_process_lanes(w, process_number, &result);
	if (!rc)
		rc = allocate_and_write_plan(&result, process_number, plan,
					     bytes);
	free(result.window);
	free(result.lane);
	return rc;
}
