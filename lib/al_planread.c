/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_planread.c - plans that were made, read back; see al_plan.h and
 * al_planned.h
 *
 * Room:    lib. Apart from what makes them, which wants a decoder.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/al_plan.h"
#include "lib/al_planned.h"

void al_plan_view(const void *plan, struct al_windows *view)
{
	char *base = (char *)(uintptr_t)plan;
	const struct pt_array *a = &((const struct pt_plan *)plan)->windows;

	memset(view, 0, sizeof(*view));
	for (int i = 0; i < AL_PLAN_PARTS; i++) {
		view->item[i] = base + a[i].at;
		view->n[i] = a[i].n;
	}
}

struct pt_plan *al_planned_read(const void *plan, size_t bytes)
{
	struct pt_plan *copy = malloc(bytes + 1);

	if (!copy)
		return NULL;
	memcpy(copy, plan, bytes);
	if (!al_plan_check(copy, bytes))
		return copy;
	free(copy);
	errno = EINVAL;
	return NULL;
}
