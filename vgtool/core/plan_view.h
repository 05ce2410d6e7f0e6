/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_view.h - gives access to the recording plan that the daemon has sent
 *
 * The plan has the windows of this process and the events that open and close
 * them (proto/window.h). Each function returns a pointer into the plan.
 */
#ifndef VGTOOL_CORE_PLAN_VIEW_H
#define VGTOOL_CORE_PLAN_VIEW_H

#include "proto/window.h"
#include "vgtool/core/prelude.h"

/* The recording plan; NULL: everything is recorded. Set only by
   vt_switch_replace_plan_and_reset(). */
extern const struct pt_plan *vt_recording_plan;

/* Return element @index of array @a of the plan. @element_bytes: [bytes] of an
   element. */
static inline const void *vt_plan_element(struct pt_array a, UInt index,
					  UInt element_bytes)
{
	return (const HChar *)vt_recording_plan + a.at +
	       (SizeT)index * element_bytes;
}

static inline const struct pt_window *vt_plan_window(UInt i)
{
	return vt_plan_element(vt_recording_plan->windows, i,
			       sizeof(struct pt_window));
}

static inline const struct pt_event *vt_plan_event(UInt i)
{
	return vt_plan_element(vt_recording_plan->events, i,
			       sizeof(struct pt_event));
}

static inline const struct pt_lane *vt_plan_lane(UInt i)
{
	return vt_plan_element(vt_recording_plan->lanes, i,
			       sizeof(struct pt_lane));
}

/* Whether @lane (a window's filter for a thread) records the window's warm-up:
   accesses before it opens. */
static inline Bool vt_plan_is_warmup_lane(UInt lane)
{
	const struct pt_window *w = vt_plan_window(vt_plan_lane(lane)->window);

	return lane - w->first_lane >= w->n_lanes;
}

static inline const struct pt_image *vt_plan_image(UInt i)
{
	return vt_plan_element(vt_recording_plan->images, i,
			       sizeof(struct pt_image));
}

static inline const struct pt_function *vt_plan_function(UInt i)
{
	return vt_plan_element(vt_recording_plan->functions, i,
			       sizeof(struct pt_function));
}

static inline const struct pt_select *vt_plan_select(UInt i)
{
	return vt_plan_element(vt_recording_plan->selects, i,
			       sizeof(struct pt_select));
}

static inline const struct pt_interval *vt_plan_interval(UInt i)
{
	return vt_plan_element(vt_recording_plan->intervals, i,
			       sizeof(struct pt_interval));
}

static inline const struct pt_intercept *vt_plan_intercept(UInt i)
{
	return vt_plan_element(vt_recording_plan->intercepts, i,
			       sizeof(struct pt_intercept));
}

static inline const struct pt_parameter *vt_plan_parameter(UInt i)
{
	return vt_plan_element(vt_recording_plan->parameters, i,
			       sizeof(struct pt_parameter));
}

static inline const struct pt_type *vt_plan_type(UInt i)
{
	return vt_plan_element(vt_recording_plan->types, i,
			       sizeof(struct pt_type));
}

static inline const struct pt_field *vt_plan_field(UInt i)
{
	return vt_plan_element(vt_recording_plan->fields, i,
			       sizeof(struct pt_field));
}

/* Return the string at offset @offset [bytes] of the plan's strings. */
static inline const HChar *vt_plan_string_at_offset(UInt offset)
{
	return vt_plan_element(vt_recording_plan->strings, offset, 1);
}

#endif
