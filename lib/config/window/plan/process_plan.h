/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_plan.h - the plan that a process of a run is recorded by
 *
 * Threads: any.
 *
 * A process has the number that lib/run/run.h gives it; one without a number,
 * since an ancestor of it is not followed, has number 0. A plan without windows
 * has the tool record nothing.
 */
#ifndef LIB_CONFIG_WINDOW_PLAN_PROCESS_PLAN_H
#define LIB_CONFIG_WINDOW_PLAN_PROCESS_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/window.h"

struct al_windows;

/* What process @number is to be recorded by, for free(); one that is not
   followed has no windows. NULL: memory is short, or it is too long. */
struct pt_plan *al_planned_make(const struct al_windows *, unsigned number);

/* A copy of what a profile holds, for free(). NULL with errno set: EINVAL when
   it is not sound, ENOMEM. */
struct pt_plan *al_planned_read(const void *plan, size_t bytes);

/* The instructions that a plan records of the functions it has entries for. */
enum al_instructions {
	AL_CHOSEN_INSTRUCTIONS, /* of kinds that some entry chose */
	AL_MEMORY_INSTRUCTIONS, /* at least those that access memory */
	AL_ALL_INSTRUCTIONS,
};

/* Return the least that an entry of a plan records; of a plan without entries,
   or of none, all. */
enum al_instructions al_plan_instructions(const struct pt_plan *);

/* Whether a plan records the address of each access that it records; without
   one, true. */
bool al_plan_has_addresses(const struct pt_plan *);

/* Whether a window can be called so; one of a plan that was read may be called
   anything. */
bool al_plan_is_name(const char *name);

/* Arrays of a plan, checked. */
static inline const void *al_plan_array(const struct pt_plan *p,
					struct pt_array a)
{
	return (const char *)p + a.at;
}

static inline const struct pt_window *al_plan_windows(const struct pt_plan *p)
{
	return al_plan_array(p, p->windows);
}

static inline const struct pt_event *al_plan_events(const struct pt_plan *p)
{
	return al_plan_array(p, p->events);
}

static inline const struct pt_lane *al_plan_lanes(const struct pt_plan *p)
{
	return al_plan_array(p, p->lanes);
}

static inline const struct pt_image *al_plan_images(const struct pt_plan *p)
{
	return al_plan_array(p, p->images);
}

static inline const struct pt_function *
al_plan_functions(const struct pt_plan *p)
{
	return al_plan_array(p, p->functions);
}

static inline const char *al_plan_string(const struct pt_plan *p, uint32_t at)
{
	return (const char *)al_plan_array(p, p->strings) + at;
}

#endif
