/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread_filter.c - assigns threads to lanes, the thread filters of windows;
   see thread_filter.h */

#include "lib/recover/thread_filter.h"

#include <stddef.h>

#include "lib/config/window/plan/process_plan.h"

enum {
	ANY = 0 /* pt_lane.thread of a lane for all threads without a lane of
		   their own */
};

/* Whether the window has a lane that names thread number @thread. */
static bool has_window_thread_filter_naming_thread(const struct pt_plan *p,
						   uint32_t window,
						   uint32_t thread)
{
	const struct pt_lane *l = pt_plan_lanes(p);

	for (uint32_t i = 0; i < p->lanes.n; i++)
		if (l[i].window == window && l[i].thread == thread)
			return true;
	return false;
}

/* Return the lanes (thread filters of windows) that a thread belongs to, warm
   ones included, as bits. ANY: the lanes for all threads without a lane of
   their own. */
static uint64_t thread_filter_bits_of_thread(const struct pt_plan *p,
					     uint32_t thread_or_any)
{
	const struct pt_lane *l = pt_plan_lanes(p);
	uint64_t lanes = 0;

	for (uint32_t i = 0; i < p->lanes.n; i++)
		if (l[i].thread == thread_or_any ||
		    (l[i].thread == ANY &&
		     !has_window_thread_filter_naming_thread(p, l[i].window,
							     thread_or_any)))
			lanes |= 1ull << i;
	return lanes;
}

/* Append the class of a thread, with the thread's lanes (thread filters of
   windows); ANY: the class of all threads without a lane of their own. */
static void append_thread_class(struct al_lanes *s, const struct pt_plan *p,
				uint32_t thread_or_any)
{
	uint64_t lanes = thread_filter_bits_of_thread(p, thread_or_any);

	s->class[s->n].thread = thread_or_any;
	s->class[s->n].lanes = lanes & ~s->warm;
	s->class[s->n++].warm = lanes & s->warm;
}

/* Return the lanes of the warm-ups of all windows, as bits. */
static uint64_t bits_of_thread_filters_used_for_warmup(const struct pt_plan *p)
{
	const struct pt_window *w = pt_plan_windows(p);
	uint64_t lanes = 0;

	for (uint32_t i = 0; i < p->windows.n; i++)
		for (uint32_t k = 0; k < w[i].n_warm; k++)
			lanes |= 1ull << (w[i].first_lane + w[i].n_lanes + k);
	return lanes;
}

void al_lanes_init(struct al_lanes *s, const struct pt_plan *plan)
{
	const struct pt_lane *l;

	*s = (struct al_lanes){.n = 1, .class[0].lanes = UINT64_MAX};
	if (plan == NULL)
		return;
	l = pt_plan_lanes(plan);
	s->n_windows = plan->windows.n;
	s->n = 0;
	s->warm = bits_of_thread_filters_used_for_warmup(plan);
	append_thread_class(s, plan, ANY);
	for (uint32_t i = 0; i < plan->lanes.n; i++) {
		s->window[i] = (uint8_t)l[i].window;
		s->all |= (1ull << i) & ~s->warm;
		if (l[i].thread != ANY &&
		    al_lanes_class_of_thread_or_0(s, l[i].thread) == 0)
			append_thread_class(s, plan, l[i].thread);
	}
}

unsigned al_lanes_class_of_thread_or_0(const struct al_lanes *s,
				       uint32_t thread)
{
	unsigned class = s->n - 1;

	while (class > 0 && s->class[class].thread != thread)
		class --;
	return class;
}

uint64_t al_lanes_nonwarmup_bits_of_class_window(const struct al_lanes *s,
						 unsigned class,
						 unsigned window)
{
	uint64_t all = s->class[class].lanes & s->all, found = 0;

	for (; all != 0; all &= all - 1)
		if (s->window[__builtin_ctzll(all)] == window)
			found |= all & -all;
	return found;
}

uint64_t al_lanes_warmup_lane_bits_of_window(const struct al_lanes *s,
					     unsigned window)
{
	uint64_t found = 0;

	for (uint64_t all = s->warm; all != 0; all &= all - 1)
		if (s->window[__builtin_ctzll(all)] == window)
			found |= all & -all;
	return found;
}

uint64_t al_lanes_windows_of_nonwarmup_lanes(const struct al_lanes *s,
					     uint64_t lane_bits)
{
	uint64_t windows = 0;

	for (lane_bits &= s->all; lane_bits != 0; lane_bits &= lane_bits - 1)
		windows |= 1ull << s->window[__builtin_ctzll(lane_bits)];
	return windows;
}
