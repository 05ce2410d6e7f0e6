/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.h - prints the named marks of a process as text and JSON
 */
#ifndef CLI_PRINT_MARKS_H
#define CLI_PRINT_MARKS_H

#include <alleria/alleria.h>
#include <stdio.h>

struct an_sink;

/* Return a word for an enum alleria_mark_kind; "?" for unknown ones. */
const char *cl_mark_word(uint32_t kind);

/* Print a line for each mark, up to 20 lines for an image. */
void cl_marks_print(struct alleria_profile *, FILE *, uint32_t process);

void cl_marks_json(struct an_sink *, struct alleria_profile *,
		   uint32_t process);

#endif
