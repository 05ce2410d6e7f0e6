/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - windows of a profile, in words and in JSON
 */
#ifndef CLI_PRINT_WINDOWS_H
#define CLI_PRINT_WINDOWS_H

#include <alleria/alleria.h>
#include <stdio.h>

struct an_sink;

/* Nothing where everything was recorded. */
void cl_windows_print(const struct alleria_profile *, FILE *);
void cl_windows_json(struct an_sink *, const struct alleria_profile *);

#endif
