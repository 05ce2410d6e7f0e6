/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.h - threads of a profile's processes, in words and in JSON
 */
#ifndef CLI_PRINT_THREADS_H
#define CLI_PRINT_THREADS_H

#include <alleria/alleria.h>
#include <stdio.h>

struct an_sink;

/* A line for each of the first. */
void cl_threads_print(struct alleria_profile *, FILE *, uint32_t process);

void cl_threads_json(struct an_sink *, struct alleria_profile *,
		     uint32_t process);

#endif
