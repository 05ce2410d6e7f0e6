/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_view.h - gives access to the recording plan that the daemon has sent
 *
 * The plan has the windows of this process and the events that open and close
 * them (proto/plan.h). Each function but vt_plan_is_warmup_lane()
 * returns a pointer into the plan.
 */
#ifndef VGTOOL_CORE_PLAN_VIEW_H
#define VGTOOL_CORE_PLAN_VIEW_H

#include "proto/plan.h"
#include "vgtool/core/prelude.h"

/* The recording plan; NULL: everything is recorded. Set only by
   vt_switch_replace_plan_and_reset(). */
extern const struct pt_plan *vt_recording_plan;

/* Define vt_plan_NAME(i), which returns element @i of the plan's array NAMEs.
   */
#define VT_PLAN_ARRAY(name)                                                    \
	static inline const struct pt_##name *vt_plan_##name(UInt i)           \
	{                                                                      \
		return &pt_plan_##name##s(vt_recording_plan)[i];               \
	}

VT_PLAN_ARRAY(window)	 /* vt_plan_window() */
VT_PLAN_ARRAY(event)	 /* vt_plan_event() */
VT_PLAN_ARRAY(lane)	 /* vt_plan_lane() */
VT_PLAN_ARRAY(image)	 /* vt_plan_image(): a choice of object files */
VT_PLAN_ARRAY(function)	 /* vt_plan_function() */
VT_PLAN_ARRAY(select)	 /* vt_plan_select() */
VT_PLAN_ARRAY(interval)	 /* vt_plan_interval() */
VT_PLAN_ARRAY(intercept) /* vt_plan_intercept() */
VT_PLAN_ARRAY(parameter) /* vt_plan_parameter() */
VT_PLAN_ARRAY(type)	 /* vt_plan_type() */
VT_PLAN_ARRAY(field)	 /* vt_plan_field() */

/* Whether lane number @lane_index of the plan (a window's filter for a thread)
   selects the instructions to simulate for the window's warm-up: while the
   window waits, or is between two samples or intervals. */
static inline Bool vt_plan_is_warmup_lane(UInt lane_index)
{
	const struct pt_window *w =
		vt_plan_window(vt_plan_lane(lane_index)->window);

	return lane_index - w->first_lane >= w->n_lanes;
}

/* Return the string at offset @offset [bytes] of the plan's strings. */
static inline const HChar *vt_plan_string_at_offset_in_strings(UInt offset)
{
	return pt_plan_string(vt_recording_plan, offset);
}

#endif
