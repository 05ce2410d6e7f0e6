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

/* The plan, or NULL: everything is recorded. Set by vt_flip_take() only. */
extern const struct pt_plan *vt_given;

/* Return element @i of the plan's array @a, whose elements have @size bytes. */
static inline const void *vt_given_in(struct pt_array a, UInt i, UInt size)
{
	return (const HChar *)vt_given + a.at + (SizeT)i * size;
}

static inline const struct pt_window *vt_given_window(UInt i)
{
	return vt_given_in(vt_given->windows, i, sizeof(struct pt_window));
}

static inline const struct pt_event *vt_given_event(UInt i)
{
	return vt_given_in(vt_given->events, i, sizeof(struct pt_event));
}

static inline const struct pt_lane *vt_given_lane(UInt i)
{
	return vt_given_in(vt_given->lanes, i, sizeof(struct pt_lane));
}

/* Whether @lane records the warm-up, which precedes an opening of its
   window. */
static inline Bool vt_given_is_warm(UInt lane)
{
	const struct pt_window *w =
		vt_given_window(vt_given_lane(lane)->window);

	return lane - w->first_lane >= w->n_lanes;
}

static inline const struct pt_image *vt_given_image(UInt i)
{
	return vt_given_in(vt_given->images, i, sizeof(struct pt_image));
}

static inline const struct pt_function *vt_given_function(UInt i)
{
	return vt_given_in(vt_given->functions, i, sizeof(struct pt_function));
}

static inline const struct pt_select *vt_given_select(UInt i)
{
	return vt_given_in(vt_given->selects, i, sizeof(struct pt_select));
}

static inline const struct pt_interval *vt_given_interval(UInt i)
{
	return vt_given_in(vt_given->intervals, i, sizeof(struct pt_interval));
}

static inline const struct pt_intercept *vt_given_intercept(UInt i)
{
	return vt_given_in(vt_given->intercepts, i,
			   sizeof(struct pt_intercept));
}

static inline const struct pt_parameter *vt_given_parameter(UInt i)
{
	return vt_given_in(vt_given->parameters, i,
			   sizeof(struct pt_parameter));
}

static inline const struct pt_type *vt_given_type(UInt i)
{
	return vt_given_in(vt_given->types, i, sizeof(struct pt_type));
}

static inline const struct pt_field *vt_given_field(UInt i)
{
	return vt_given_in(vt_given->fields, i, sizeof(struct pt_field));
}

/* Return the string at offset @at [bytes] of the plan's strings. */
static inline const HChar *vt_given_string(UInt at)
{
	return vt_given_in(vt_given->strings, at, 1);
}

#endif
