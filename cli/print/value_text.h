/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_text.h - prints values of a program as text and JSON
 */
#ifndef CLI_PRINT_VALUE_TEXT_H
#define CLI_PRINT_VALUE_TEXT_H

#include <alleria/alleria.h>
#include <stdio.h>

/* Print a value similar to C: 2, 'c', "text", {1, 2}, {x=1, y=2}. */
void cl_value_print(FILE *, const struct alleria_value *);

/* Print a value as JSON; see alleria-calls(1). */
void cl_value_print_json(FILE *, const struct alleria_value *);

/* Print a NUL-terminated string as a JSON string, with quotes. */
void cl_json_print_string(FILE *, const char *);

#endif
