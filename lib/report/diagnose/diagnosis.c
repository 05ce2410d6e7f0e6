/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnosis.c - finds how close the events of a window came to happening
 */
#include "lib/report/diagnose/diagnosis.h"

#include "lib/config/window/plan/plan.h"
#include "lib/config/window/plan/process_plan.h"

/* Progress score of an event that has happened; other events have a lower
   score. */
#define HAPPENED 1000.0

static const struct pt_event *
plan_event_by_index(const struct al_closest_image *w, uint32_t event_index)
{
	return pt_plan_events(w->process->plan) + event_index;
}

static const struct al_plan_outcome *
find_event_outcome_in_image(const struct al_image_summary *image,
			    uint32_t event_index)
{
	return image ? al_plan_outcomes_find(&image->outcomes, PT_OUTCOME_EVENT,
					     event_index)
		     : NULL;
}

/* ---- progress of an event ---- */

static bool has_count_to_reach(const struct pt_event *e)
{
	switch (e->kind) {
	case PT_EVENT_CALL:
	case PT_EVENT_RETURN:
	case PT_EVENT_THREADS:
	case PT_EVENT_TIME:
	case PT_EVENT_ACCESSES:
	case PT_EVENT_READS:
	case PT_EVENT_WRITES:
	case PT_EVENT_INSTRUCTIONS:
		return true;
	default:
		return false;
	}
}

/* Return the progress of an event that is no group: HAPPENED if it happened;
   100 to HAPPENED - 100 in proportion to the count reached; 3 if its function
   was found, 2 if its image (an object file) was mapped, 1 if neither; 0
   without an outcome. */
static double single_event_progress_0_to_1000(const struct pt_event *e,
					      const struct al_plan_outcome *o)
{
	double part = 0;

	if (!o)
		return 0;
	if (o->flags & PT_OUTCOME_HAPPENED)
		return HAPPENED;
	if (has_count_to_reach(e) && e->count)
		part = (double)o->count / (double)e->count;
	if (part > 0 &&
	    (e->kind > PT_EVENT_RETURN || (o->flags & PT_OUTCOME_FOUND)))
		return 100 + (part < 1 ? part : 1) * (HAPPENED - 200);
	return o->flags & PT_OUTCOME_FOUND    ? 3
	       : o->flags & PT_OUTCOME_MAPPED ? 2
					      : 1;
}

/* Return the progress of an event: of an "any" group the highest score of a
   member, of an "all" group the mean. */
static double
event_or_group_progress_0_to_1000(const struct al_closest_image *w,
				  uint32_t event_index)
{
	const struct pt_event *e = plan_event_by_index(w, event_index);
	double sum = 0, most = 0, one;

	if (!al_event_is_group(e))
		return single_event_progress_0_to_1000(
			e, find_event_outcome_in_image(w->image, event_index));
	for (uint32_t i = 0; i < e->n; i++) {
		one = event_or_group_progress_0_to_1000(w, e->first + i);
		sum += one;
		most = one > most ? one : most;
	}
	return e->kind == PT_EVENT_ANY ? most : e->n ? sum / e->n : 0;
}

/* Return the progress of an event; 0 for PT_NO_EVENT; -1 if the exec image has
   not reported outcomes. */
static double
event_progress_0_to_1000_or_minus_1(const struct al_closest_image *w,
				    uint32_t event_index_or_none)
{
	if (!w->image || !w->image->outcomes.is_received)
		return -1;
	return event_index_or_none == PT_NO_EVENT
		       ? 0
		       : event_or_group_progress_0_to_1000(w,
							   event_index_or_none);
}

/* ---- the process image that came closest ---- */

static bool has_images_and_plan_with_window(const struct al_process *p,
					    uint32_t window_index)
{
	return p->plan && window_index < p->plan->windows.n && p->n_images;
}

/* Return the exec image of the process in which @event has the highest progress
   score. @best_progress: receives the score. */
static struct al_closest_image
find_image_with_furthest_event(const struct al_process *p, uint32_t event,
			       double *best_progress)
{
	struct al_closest_image found = {p, NULL};

	*best_progress = -2;
	for (size_t i = 0; i < p->n_images; i++) {
		struct al_closest_image w = {
			p, p->image[i].has_ended ? p->image[i].summary : NULL};
		double s = event_progress_0_to_1000_or_minus_1(&w, event);

		if (s > *best_progress) {
			*best_progress = s;
			found = w;
		}
	}
	return found;
}

static uint32_t opening_event_index_of_window(const struct al_process *p,
					      uint32_t window_index)
{
	return pt_plan_windows(p->plan)[window_index].on;
}

bool al_process_find_image_closest_to_opening(const struct al_process *p,
					      uint32_t window_index,
					      struct al_closest_image *w)
{
	double best;

	if (!has_images_and_plan_with_window(p, window_index))
		return false;
	*w = find_image_with_furthest_event(
		p, opening_event_index_of_window(p, window_index), &best);
	return true;
}

bool al_run_find_image_closest_to_opening(const struct al_run *run,
					  uint32_t window_index,
					  struct al_closest_image *w)
{
	double best, most = -3;

	for (size_t i = 0; i < run->n_processes; i++) {
		const struct al_process *p = run->process[i];
		struct al_closest_image one;

		if (!has_images_and_plan_with_window(p, window_index))
			continue;
		one = find_image_with_furthest_event(
			p, opening_event_index_of_window(p, window_index),
			&best);
		if (best > most) {
			most = best;
			*w = one;
		}
	}
	return most > -3;
}

size_t al_run_count_processes_given_window(const struct al_run *run,
					   uint32_t window_index)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_processes; i++)
		n += has_images_and_plan_with_window(run->process[i],
						     window_index);
	return n;
}

/* ---- status of an event ---- */

const struct al_process *
al_diagnosis_find_event_process(const struct al_closest_image *w,
				const struct pt_event *e)
{
	const struct al_run *run = w->process->run;

	if (e->process == 0 || e->process == w->process->number)
		return w->process;
	for (size_t i = 0; i < run->n_processes; i++)
		if (run->process[i]->tree == w->process->tree &&
		    run->process[i]->number == e->process)
			return run->process[i];
	return NULL;
}

/* Whether group @group has happened, as seen from the exec image @w: all its
   events if it is an "all" group, at least one if it is an "any" group. */
static bool has_all_or_any_group_happened(const struct al_closest_image *w,
					  const struct pt_event *group)
{
	const struct al_plan_outcome *o;
	bool all = group->kind == PT_EVENT_ALL;

	for (uint32_t i = 0; i < group->n; i++)
		if ((al_diagnosis_event_status(w, group->first + i, &o) ==
		     AL_EVENT_HAPPENED) != all)
			return !all;
	return all;
}

enum al_event_status
al_diagnosis_event_status(const struct al_closest_image *w,
			  uint32_t event_index,
			  const struct al_plan_outcome **outcome)
{
	const struct pt_event *e = plan_event_by_index(w, event_index);
	const struct al_process *p = al_diagnosis_find_event_process(w, e);
	const struct al_plan_outcome *own =
		find_event_outcome_in_image(w->image, event_index);
	double best;

	*outcome = own;
	if (al_event_is_group(e))
		return has_all_or_any_group_happened(w, e) ? AL_EVENT_HAPPENED
							   : AL_EVENT_MISSED;
	if (own && (own->flags & PT_OUTCOME_HAPPENED))
		return AL_EVENT_HAPPENED;
	if (!p || !al_process_is_followed(p))
		return AL_EVENT_MISSED;
	if (p != w->process)
		*outcome = find_event_outcome_in_image(
			find_image_with_furthest_event(p, event_index, &best)
				.image,
			event_index);
	return own && *outcome ? AL_EVENT_MISSED : AL_EVENT_UNKNOWN;
}
