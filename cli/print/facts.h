/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - prints the facts of a profile as text and JSON
 */
#ifndef CLI_PRINT_FACTS_H
#define CLI_PRINT_FACTS_H

#include <alleria/alleria.h>
#include <stdio.h>

void cl_facts_print(struct alleria_profile *, FILE *);

/* Print the facts as JSON. Errors of writing are left in ferror(). */
void cl_facts_json(struct alleria_profile *, FILE *);

#endif
