/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * missing_names.c - lists names of a window's plan that one process, or every
 *                   process, lacked, and explains why a window recorded nothing
 *
 * Windows have the same images and functions in the plans of all processes;
 * lanes (thread filters) differ between processes.
 */
#include <stdlib.h>

#include "lib/config/window/plan/process_plan.h"
#include "lib/report/diagnose/diagnosis.h"

struct list {
	struct al_missing_name *item;
	size_t n;
};

/* Append a name to the list. If memory is short, the name is dropped. */
static void append_missing_name_drop_if_no_memory(struct list *l,
						  struct al_missing_name m)
{
	void *more = reallocarray(l->item, l->n + 1, sizeof(*l->item));

	if (!more)
		return;
	l->item = more;
	l->item[l->n++] = m;
}

/* ---- names that a process misses ---- */

/* Return the lanes (thread filters) of the window in the process's plan, and
   set @lane_count to their number; the lanes of the warm-up, which follow them,
   are not counted. NULL and 0 if the plan has no such window. */
static const struct pt_lane *
thread_filter_lanes_of_window_or_null(const struct al_process *p,
				      uint32_t window, uint32_t *lane_count)
{
	const struct pt_window *w;

	*lane_count = 0;
	if (!p->plan || window >= p->plan->windows.n)
		return NULL;
	w = &pt_plan_windows(p->plan)[window];
	*lane_count = w->n_lanes;
	return pt_plan_lanes(p->plan) + w->first_lane;
}

/* Whether the process has exec images, all of them have reported their
   outcomes, and thread number @thread_number began in none of them. */
static bool is_thread_known_to_begin_in_no_image(const struct al_process *p,
						 uint32_t thread_number)
{
	for (size_t i = 0; i < p->n_images; i++)
		if (!p->image[i].has_ended ||
		    !p->image[i].summary->outcomes.is_received ||
		    p->image[i].summary->counts.threads >= thread_number)
			return false;
	return p->n_images > 0;
}

/* Return the last outcome of the plan's image (an object file) or function with
   index @number if it was missing in every exec image that reported outcomes,
   else NULL. For a function, an exec image in which the function's own image
   was missing counts too, but at least one exec image must have an outcome of
   the function itself. @plan_image_of_function_or_null: the function's image;
   NULL if @number is an image. */
static const struct al_plan_outcome *
find_outcome_if_always_missing(const struct al_process *p, enum pt_outcome what,
			       uint32_t number,
			       const uint32_t *plan_image_of_function_or_null)
{
	const struct al_plan_outcome *found = NULL, *o;

	for (size_t i = 0; i < p->n_images; i++) {
		const struct al_plan_outcomes *all =
			&p->image[i].summary->outcomes;

		if (!p->image[i].has_ended || !all->is_received)
			continue;
		o = al_plan_outcomes_find(all, what, number);
		if (o)
			found = o;
		else if (!plan_image_of_function_or_null ||
			 !al_plan_outcomes_find(
				 all, PT_OUTCOME_IMAGE,
				 *plan_image_of_function_or_null))
			return NULL;
	}
	return found;
}

static void append_missing_functions_of_image(const struct al_process *p,
					      uint32_t image_index,
					      struct list *l)
{
	const struct pt_image *im = &pt_plan_images(p->plan)[image_index];
	struct al_missing_name m = {AL_NO_FUNCTION, 0, image_index, p, NULL};

	for (uint32_t i = 0; i < im->n_functions; i++) {
		m.number = im->first_function + i;
		m.outcome = find_outcome_if_always_missing(
			p, PT_OUTCOME_FUNCTION, m.number, &image_index);
		if (m.outcome)
			append_missing_name_drop_if_no_memory(l, m);
	}
}

static void append_missing_images_or_functions(const struct al_process *p,
					       const struct pt_lane *lane,
					       struct list *l)
{
	struct al_missing_name m = {AL_NO_IMAGE, 0, 0, p, NULL};

	for (uint32_t i = 0; i < lane->n_images; i++) {
		m.number = lane->first_image + i;
		m.outcome = find_outcome_if_always_missing(p, PT_OUTCOME_IMAGE,
							   m.number, NULL);
		if (m.outcome)
			append_missing_name_drop_if_no_memory(l, m);
		else
			append_missing_functions_of_image(p, m.number, l);
	}
}

static void append_names_missing_in_process(const struct al_process *p,
					    uint32_t window_index,
					    struct list *l)
{
	const struct pt_lane *lane;
	uint32_t n;

	lane = thread_filter_lanes_of_window_or_null(p, window_index, &n);
	for (; n > 0; n--, lane++) {
		if (lane->thread &&
		    is_thread_known_to_begin_in_no_image(p, lane->thread))
			append_missing_name_drop_if_no_memory(
				l, (struct al_missing_name){AL_NO_THREAD,
							    lane->thread, 0, p,
							    NULL});
		else
			append_missing_images_or_functions(p, lane, l);
	}
}

struct al_missing_name *
al_process_list_missing_names(const struct al_process *p, uint32_t window,
			      size_t *name_count)
{
	struct list l = {0};

	append_names_missing_in_process(p, window, &l);
	*name_count = l.n;
	return l.item;
}

/* ---- names that all processes miss ---- */

/* Whether a lane (thread filter) of the window in the plan of process @p has
   the thread or the image (object file) that @m stands for; for a missing
   function, whether it has the function's image. */
static bool
is_missing_name_in_window_thread_filter(const struct al_process *p,
					uint32_t window_index,
					const struct al_missing_name *m)
{
	uint32_t n, image = m->kind == AL_NO_IMAGE ? m->number : m->image;
	const struct pt_lane *lane =
		thread_filter_lanes_of_window_or_null(p, window_index, &n);

	for (; n > 0; n--, lane++)
		if (m->kind == AL_NO_THREAD
			    ? lane->thread == m->number
			    : image - lane->first_image < lane->n_images)
			return true;
	return false;
}

static bool is_name_missing_in_process_too(const struct al_process *p,
					   const struct al_missing_name *m)
{
	switch (m->kind) {
	case AL_NO_THREAD:
		return is_thread_known_to_begin_in_no_image(p, m->number);
	case AL_NO_IMAGE:
		return find_outcome_if_always_missing(p, PT_OUTCOME_IMAGE,
						      m->number, NULL);
	default:
		return find_outcome_if_always_missing(p, PT_OUTCOME_FUNCTION,
						      m->number, &m->image) ||
		       find_outcome_if_always_missing(p, PT_OUTCOME_IMAGE,
						      m->image, NULL);
	}
}

/* Whether @m is to be reported: its process is the first whose window names it,
   and the name is missing in every process whose window names it. */
static bool
is_of_first_process_and_missed_by_all(const struct al_run *run, uint32_t window,
				      const struct al_missing_name *m)
{
	bool before = true;

	for (size_t i = 0; i < run->n_processes; i++) {
		const struct al_process *p = run->process[i];

		if (p == m->process)
			before = false;
		else if (is_missing_name_in_window_thread_filter(p, window,
								 m) &&
			 (before || !is_name_missing_in_process_too(p, m)))
			return false;
	}
	return true;
}

struct al_missing_name *
al_run_list_plan_names_never_found(const struct al_run *run, uint32_t window,
				   size_t *name_count)
{
	struct list all = {0};
	size_t kept = 0;

	for (size_t i = 0; i < run->n_processes; i++)
		append_names_missing_in_process(run->process[i], window, &all);
	for (size_t i = 0; i < all.n; i++)
		if (is_of_first_process_and_missed_by_all(run, window,
							  &all.item[i]))
			all.item[kept++] = all.item[i];
	*name_count = kept;
	return all.item;
}

/* ---- windows that recorded nothing ---- */

/* Whether window @window_index in the plan of process @p selects instructions
   to record. @set_if_records_calls: set to true if the window records calls,
   else unchanged. */
static bool has_window_any_instrs_to_record(const struct al_process *p,
					    uint32_t window_index,
					    bool *set_if_records_calls)
{
	const struct pt_lane *lane;
	bool any = false;
	uint32_t n;

	lane = thread_filter_lanes_of_window_or_null(p, window_index, &n);
	for (; n > 0; n--, lane++)
		for (uint32_t i = 0; i < lane->n_images; i++) {
			const struct pt_image *im =
				&pt_plan_images(p->plan)[lane->first_image + i];
			const struct pt_function *f =
				pt_plan_functions(p->plan) + im->first_function;

			for (uint32_t k = 0; k < im->n_functions; k++) {
				any |= f[k].n_selects > 0;
				*set_if_records_calls |= f[k].intercept > 0;
			}
		}
	return any;
}

const char *al_run_why_no_instrs_null_if_only_calls(const struct al_run *run,
						    uint32_t window_index)
{
	bool lanes = false, any = false, calls = false,
	     outcome_received = false;

	for (size_t i = 0; i < run->n_processes; i++) {
		const struct al_process *p = run->process[i];
		uint32_t n;

		lanes |= thread_filter_lanes_of_window_or_null(p, window_index,
							       &n) &&
			 n;
		any |= has_window_any_instrs_to_record(p, window_index, &calls);
		for (size_t k = 0; k < p->n_images; k++)
			outcome_received |=
				p->image[k].has_ended &&
				p->image[k].summary->outcomes.is_received;
	}
	if (!lanes)
		return "its 'profile' selects none of the processes of this "
		       "run";
	if (!any)
		return calls ? NULL : "its 'profile' selects no instructions";
	return outcome_received
		       ? "no selected code was executed while it was open"
		       : "no selected code was executed before the recording "
			 "ended";
}
