/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.h - prints the threads of a process as text and JSON
 */
#ifndef CLI_PRINT_THREADS_H
#define CLI_PRINT_THREADS_H

#include <alleria/alleria.h>
#include <stdio.h>

struct an_sink;

/* Print a line for each thread, up to 20 lines. */
void cl_threads_print(struct alleria_profile *, FILE *, uint32_t process);

void cl_threads_json(struct an_sink *, struct alleria_profile *,
		     uint32_t process);

#endif
