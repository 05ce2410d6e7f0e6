/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interleave.h - prints marks and windows between the accesses of a dump
 */
#ifndef CLI_PRINT_INTERLEAVE_H
#define CLI_PRINT_INTERLEAVE_H

#include "cli/print/record_lines.h"

/* The marks and window events that were not printed yet. */
struct cl_interleave {
	struct alleria_cursor *cursor;	  /* cursor of events; NULL: no
					     more events */
	const struct alleria_event *next; /* next mark or window event to
					     print, or NULL */
	const struct cl_format *format;
};

/**
 * cl_interleave_open_mark_events() - Start at the same position as a cursor
 * with this filter.
 *
 * If the format has no lines for marks, nothing will be printed.
 * Return: 0, or enum alleria_error.
 */
int cl_interleave_open_mark_events(struct cl_interleave *,
				   struct alleria_profile *,
				   const struct alleria_filter *,
				   const struct cl_format *);

/* Print the marks and window events before access @access_number; ALLERIA_NOT:
   all remaining ones. */
void cl_interleave_print_up_to_access(struct cl_interleave *, struct cl_lines *,
				      uint64_t access_number);

void cl_interleave_close(struct cl_interleave *);

#endif
