/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - finds the arrays of a recording plan (window.h)
 *
 * Pointers lead into the plan, which must be valid. No system header is
 * needed, so that the tool can include it.
 */
#ifndef PROTO_PLAN_H
#define PROTO_PLAN_H

#include "proto/window.h"

/* Return the first element of array @array of plan @p. */
static inline const void *pt_plan_array(const struct pt_plan *p,
					struct pt_array array)
{
	return (const char *)p + array.at;
}

/* Define pt_plan_NAMEs(p), which returns the first element of the array NAMEs
   of plan @p. */
#define PT_PLAN_ARRAY(name)                                                    \
	static inline const struct pt_##name *pt_plan_##name##s(               \
		const struct pt_plan *p)                                       \
	{                                                                      \
		return (const struct pt_##name *)pt_plan_array(p, p->name##s); \
	}

PT_PLAN_ARRAY(window)
PT_PLAN_ARRAY(event)
PT_PLAN_ARRAY(lane)
PT_PLAN_ARRAY(image) /* choices of object files */
PT_PLAN_ARRAY(function)
PT_PLAN_ARRAY(select)
PT_PLAN_ARRAY(interval)
PT_PLAN_ARRAY(intercept)
PT_PLAN_ARRAY(parameter)
PT_PLAN_ARRAY(type)
PT_PLAN_ARRAY(field)

/* Return the string at offset @string_offset [bytes] of the plan's strings. */
static inline const char *pt_plan_string(const struct pt_plan *p,
					 uint32_t string_offset)
{
	return (const char *)pt_plan_array(p, p->strings) + string_offset;
}

#endif
