/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interleave.h - marks and windows on their way between the accesses of a dump
 */
#ifndef CLI_PRINT_INTERLEAVE_H
#define CLI_PRINT_INTERLEAVE_H

#include "cli/print/record_lines.h"

struct cl_between {
	struct alleria_cursor *cursor;	  /* of events; NULL: no more */
	const struct alleria_event *next; /* told, or NULL */
	const struct cl_format *format;
};

/**
 * cl_between_open() - Begin where a cursor with the same filter does.
 *
 * A format that has no lines for marks has none between.
 * Return: 0, or enum alleria_error.
 */
int cl_between_open(struct cl_between *, struct alleria_profile *,
		    const struct alleria_filter *, const struct cl_format *);

/* Prints what comes before an access; ALLERIA_NOT: all that is left. */
void cl_between_print(struct cl_between *, struct cl_lines *, uint64_t access);

void cl_between_close(struct cl_between *);

#endif
