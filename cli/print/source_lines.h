/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_lines.h - prints source lines with their counts on standard output
 */
#ifndef CLI_PRINT_SOURCE_LINES_H
#define CLI_PRINT_SOURCE_LINES_H

#include "lib/report/annotation.h"

struct cl_source_request {
	const char *selection; /* FILE:LINE, FUNCTION, or NULL */
	const char *sort;      /* event, or NULL */
	const char *root; /* directory below which source files are found */
};

/* Print the requested lines. @message: receives one line on error, "" with
   -ENOTUNIQ and -ENOMEM. Return: 0; -EINVAL; -ENOTUNIQ, with the functions
   listed on standard error; -ENOMEM. */
int cl_source_print(const struct al_annotation *,
		    const struct cl_source_request *, char *message);

#endif
