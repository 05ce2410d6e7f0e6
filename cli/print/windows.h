/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - prints the windows of a profile as text and JSON
 */
#ifndef CLI_PRINT_WINDOWS_H
#define CLI_PRINT_WINDOWS_H

#include <alleria/alleria.h>
#include <stdio.h>

struct an_sink;

/* Print the windows of a run; nothing if it was recorded without windows. */
void cl_windows_print(const struct alleria_profile *, FILE *);
void cl_windows_json(struct an_sink *, const struct alleria_profile *);

#endif
