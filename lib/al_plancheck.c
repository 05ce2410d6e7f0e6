/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_plancheck.c - that a plan refers to nothing outside itself
 *
 * Room:    lib. A profile's plan may come from anywhere.
 */
#include <errno.h>
#include <string.h>

#include "lib/al_parts.h"
#include "lib/al_plan.h"

/* Whether [first, first + n) lies in a part. */
static bool holds(const struct al_windows *w, enum al_part part, uint32_t first,
		  uint32_t n)
{
	return first <= w->n[part] && n <= w->n[part] - first;
}

static bool is_string(const struct al_windows *w, uint32_t at)
{
	return at < w->n[AL_STRINGS];
}

static bool is_between(uint32_t kind, uint32_t first, uint32_t last)
{
	return kind >= first && kind <= last;
}

static bool is_event_or_none(const struct al_windows *w, uint32_t event)
{
	return event == PT_NO_EVENT || event < w->n[AL_EVENTS];
}

static bool check_window(const struct al_windows *w, uint32_t i)
{
	const struct pt_window *x = &w->window[i];

	if (!is_string(w, x->name) || !is_event_or_none(w, x->on) ||
	    !is_event_or_none(w, x->till) ||
	    !holds(w, AL_LANES, x->first_lane, x->n_lanes) ||
	    !holds(w, AL_INTERVALS, x->first_interval, x->n_intervals) ||
	    x->sample_unit > PT_COUNT_NS || x->sample_for > x->sample_every)
		return false;
	for (uint32_t k = 0; k < x->n_lanes; k++)
		if (w->lane[x->first_lane + k].window != i)
			return false;
	return true;
}

/* What belongs to an event comes behind it, so that nothing goes in circles. */
static bool check_event(const struct al_windows *w, uint32_t i)
{
	const struct pt_event *e = &w->event[i];

	return is_between(e->kind, PT_EVENT_ALL, PT_EVENT_MONITOR) &&
	       is_string(w, e->image) && is_string(w, e->name) &&
	       holds(w, AL_EVENTS, e->first, e->n) &&
	       (!e->n || (e->first > i && e->kind <= PT_EVENT_ANY));
}

static bool check_lane(const struct al_windows *w, uint32_t i)
{
	const struct pt_lane *l = &w->lane[i];

	return l->window < w->n[AL_WINDOWS] &&
	       holds(w, AL_IMAGES, l->first_image, l->n_images);
}

static bool check_image(const struct al_windows *w, uint32_t i)
{
	const struct pt_image *x = &w->image[i];

	return is_between(x->kind, PT_IMAGE_PATH, PT_IMAGE_ANY) &&
	       is_string(w, x->name) &&
	       holds(w, AL_FUNCTIONS, x->first_function, x->n_functions);
}

static bool check_function(const struct al_windows *w, uint32_t i)
{
	const struct pt_function *f = &w->function[i];

	return is_between(f->kind, PT_FUNCTION_DECORATED, PT_FUNCTION_ANY) &&
	       is_string(w, f->name) &&
	       holds(w, AL_SELECTS, f->first_select, f->n_selects);
}

static bool check_select(const struct al_windows *w, uint32_t i)
{
	return is_between(w->select[i].kind, PT_SELECT_FORM, PT_SELECT_ANY) &&
	       is_string(w, w->select[i].name);
}

static bool check_interval(const struct al_windows *w, uint32_t i)
{
	const struct pt_interval *x = &w->interval[i];
	uint64_t end;

	return !__builtin_add_overflow(x->start, x->duration, &end);
}

/* The head, and that the arrays lie in the plan. */
static bool check_arrays(const void *plan, size_t bytes)
{
	const struct pt_plan *head = plan;
	const struct pt_array *a = &head->windows;

	if (bytes < sizeof(*head) || bytes > PT_MAX_PLAN ||
	    head->version != PT_PLAN_VERSION || head->bytes != bytes)
		return false;
	for (int i = 0; i < AL_PLAN_PARTS; i++, a++)
		if (a->at % 8 || a->at > bytes ||
		    a->n > (bytes - a->at) / al_part_size(i))
			return false;
	return head->windows.n <= PT_MAX_WINDOWS &&
	       head->lanes.n <= PT_MAX_LANES && head->events.n <= PT_MAX_EVENTS;
}

int al_plan_check(const void *plan, size_t bytes)
{
	static bool (*const check[])(const struct al_windows *, uint32_t) = {
		[AL_WINDOWS] = check_window,	 [AL_EVENTS] = check_event,
		[AL_LANES] = check_lane,	 [AL_IMAGES] = check_image,
		[AL_FUNCTIONS] = check_function, [AL_SELECTS] = check_select,
		[AL_INTERVALS] = check_interval,
	};
	struct al_windows w;

	if (!check_arrays(plan, bytes))
		return -EINVAL;
	al_plan_view(plan, &w);
	if (!w.n[AL_STRINGS] || *w.string || w.string[w.n[AL_STRINGS] - 1])
		return -EINVAL;
	for (int part = 0; part < AL_STRINGS; part++)
		for (uint32_t i = 0; i < w.n[part]; i++)
			if (!check[part](&w, i))
				return -EINVAL;
	return 0;
}
