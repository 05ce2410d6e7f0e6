/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_text.h - values of a program's in words and in JSON
 */
#ifndef CLI_PRINT_VALUE_TEXT_H
#define CLI_PRINT_VALUE_TEXT_H

#include <alleria/alleria.h>
#include <stdio.h>

/* As C would write it, more or less: 2, 'c', "text", {1, 2}, {x=1, y=2}. */
void cl_value_print(FILE *, const struct alleria_value *);

/* Numbers, strings, lists, objects; see alleria-calls(1). */
void cl_value_json(FILE *, const struct alleria_value *);

/* In quotes; NULL-terminated. */
void cl_json_string(FILE *, const char *);

#endif
