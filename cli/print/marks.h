/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.h - what a profile's processes told of by a name, in words and JSON
 */
#ifndef CLI_PRINT_MARKS_H
#define CLI_PRINT_MARKS_H

#include <alleria/alleria.h>
#include <stdio.h>

struct an_sink;

/* One word for enum alleria_mark_kind; "?" for others. */
const char *cl_mark_word(uint32_t kind);

/* A line for each of the first. */
void cl_marks_print(struct alleria_profile *, FILE *, uint32_t process);

void cl_marks_json(struct an_sink *, struct alleria_profile *,
		   uint32_t process);

#endif
