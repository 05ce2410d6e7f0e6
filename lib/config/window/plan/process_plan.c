/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process_plan.c - makes the recording plan of a process; see process_plan.h */

#include "lib/config/window/plan/process_plan.h"

#include <stdlib.h>

#include "lib/config/window/plan/plan.h"

/* Return a recording plan without windows, to be freed with free(); NULL if
   memory is short. The only string in the plan is the empty one. */
static struct pt_plan *make_plan_that_records_nothing(unsigned process_number)
{
	enum { STRINGS = 8 };
	struct pt_plan *p = calloc(1, sizeof(*p) + STRINGS);
	const struct pt_array none = {sizeof(*p), 0};

	if (p == NULL)
		return NULL;
	*p = (struct pt_plan){
		.version = PT_PLAN_VERSION,
		.bytes = sizeof(*p) + STRINGS,
		.process = process_number,
		.windows = none,
		.events = none,
		.lanes = none,
		.images = none,
		.functions = none,
		.selects = none,
		.intervals = none,
		.strings = {sizeof(*p), STRINGS},
	};
	return p;
}

struct pt_plan *al_process_plan_make(const struct al_windows *w,
				     unsigned process_number)
{
	size_t bytes;
	void *plan;

	if (process_number == 0 ||
	    !al_windows_have_entry_matching_process(w, process_number))
		return make_plan_that_records_nothing(process_number);
	return al_plan_make(w, process_number, &plan, &bytes) ? NULL : plan;
}
