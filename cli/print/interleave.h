/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interleave.h - prints marks and windows between the accesses of a dump
 */
#ifndef CLI_PRINT_INTERLEAVE_H
#define CLI_PRINT_INTERLEAVE_H

#include "cli/print/record_lines.h"

/* A position among the mark and window events: all from `next` on have not been
   printed yet. */
struct cl_interleave {
	struct alleria_cursor *cursor;	  /* cursor of events, after `next`;
					     NULL: no events are left */
	const struct alleria_event *next; /* next mark or window event to
					     print, or NULL */
	const struct cl_format *format;
};

/**
 * cl_interleave_open_events_if_printed() - Open a cursor of the events that
 * match a filter, and read the first mark or window event.
 *
 * If the format has no function to print marks, no cursor is opened and nothing
 * will be printed.
 * Return: 0, or a negative enum alleria_error. The format must outlive the
 * struct.
 */
int cl_interleave_open_events_if_printed(struct cl_interleave *,
					 struct alleria_profile *,
					 const struct alleria_filter *,
					 const struct cl_format *);

/* Print those mark and window events that happened before access
   @access_number and were not printed yet. ALLERIA_NOT as @access_number: print
   all remaining events. */
void cl_interleave_print_events_up_to_access(struct cl_interleave *,
					     struct cl_lines *,
					     uint64_t access_number);

/* Close the cursor; no event is left to print then. */
void cl_interleave_close_event_cursor(struct cl_interleave *);

#endif
