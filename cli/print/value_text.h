/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_text.h - prints values of a program as text and JSON
 */
#ifndef CLI_PRINT_VALUE_TEXT_H
#define CLI_PRINT_VALUE_TEXT_H

#include <alleria/alleria.h>
#include <stdio.h>

/* Print a value in a notation similar to C: a number 2, a character 'c', a
   string "text", an array {1, 2}, a struct {x=1, y=2}. */
void cl_value_print_text(FILE *, const struct alleria_value *);

/* Print a value as JSON; see alleria-calls(1). */
void cl_value_print_json(FILE *, const struct alleria_value *);

/* Print a NUL-terminated string as a JSON string, with quotes; bytes above 126
   are printed as \u00XX. */
void cl_json_print_quoted_string(FILE *, const char *);

#endif
