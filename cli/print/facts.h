/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - what a profile holds, in words and in JSON
 */
#ifndef CLI_PRINT_FACTS_H
#define CLI_PRINT_FACTS_H

#include <alleria/alleria.h>
#include <stdio.h>

void cl_facts_print(struct alleria_profile *, FILE *);

/* The caller looks at ferror(). */
void cl_facts_json(struct alleria_profile *, FILE *);

#endif
