/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_windows.h - windows of a profile, in words and in JSON
 */
#ifndef CL_WINDOWS_H
#define CL_WINDOWS_H

#include <alleria/alleria.h>
#include <stdio.h>

struct an_sink;

/* Nothing where everything was recorded. */
void cl_windows_print(const struct alleria_profile *, FILE *);
void cl_windows_json(struct an_sink *, const struct alleria_profile *);

#endif
