/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.c - makes plans of processes; see plan.h
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

static struct pt_array *array_of(void *plan, int part)
{
	return &((struct pt_plan *)plan)->windows + part;
}

/* Fill the lanes of window @x from @from, and again for its warm lanes. */
static void fill_lanes(struct al_windows *own, const struct pt_window *x,
		       const struct pt_lane *from)
{
	for (uint32_t k = 0; k < x->n_lanes + x->n_warm; k++)
		own->lane[x->first_lane + k] = from[k % x->n_lanes];
}

/* Fill the windows and lanes of @own with those of the process. */
static int pick_lanes(const struct al_windows *w, uint32_t process,
		      struct al_windows *own)
{
	uint32_t i, n = w->n[AL_WINDOWS];
	int rc = al_arrays_add(own, AL_WINDOWS, n, &i);

	for (i = 0; i < n && !rc; i++) {
		const struct al_process_entry *f =
			al_windows_find_entry(w, i, process);
		uint32_t n_lanes = f ? f->n_lanes : 0;
		uint32_t n_warm = w->window[i].warmup ? n_lanes : 0, first;

		own->window[i] = w->window[i];
		own->window[i].n_lanes = n_lanes;
		own->window[i].n_warm = n_warm;
		rc = al_arrays_add(own, AL_LANES, n_lanes + n_warm, &first);
		own->window[i].first_lane = first;
		if (!rc)
			fill_lanes(own, &own->window[i],
				   f ? w->lane + f->first_lane : NULL);
	}
	return rc;
}

static size_t part_bytes(const struct al_windows *w, int part)
{
	return (w->n[part] * al_array_entry_size(part) + 7) / 8 * 8;
}

static int write(const struct al_windows *w, uint32_t process, void **plan,
		 size_t *bytes)
{
	struct pt_plan *head;
	size_t at = sizeof(*head);

	*bytes = at;
	for (int i = 0; i < AL_PLAN_ARRAYS; i++)
		*bytes += part_bytes(w, i);
	if (*bytes > PT_MAX_PLAN)
		return -E2BIG;
	*plan = head = calloc(1, *bytes);
	if (!head)
		return -ENOMEM;
	head->version = PT_PLAN_VERSION;
	head->bytes = (uint32_t)*bytes;
	head->process = process;
	for (int i = 0; i < AL_PLAN_ARRAYS; i++) {
		*array_of(head, i) = (struct pt_array){(uint32_t)at, w->n[i]};
		if (w->n[i])
			memcpy((char *)head + at, w->item[i],
			       w->n[i] * al_array_entry_size(i));
		at += part_bytes(w, i);
	}
	return 0;
}

int al_plan_make(const struct al_windows *w, uint32_t process, void **plan,
		 size_t *bytes)
{
	struct al_windows own = *w;
	int rc;

	own.window = NULL;
	own.lane = NULL;
	own.n[AL_WINDOWS] = own.n[AL_LANES] = 0;
	rc = pick_lanes(w, process, &own);
	if (!rc)
		rc = write(&own, process, plan, bytes);
	free(own.window);
	free(own.lane);
	return rc;
}
