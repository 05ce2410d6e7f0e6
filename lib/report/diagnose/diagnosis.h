/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnosis.h - finds out why a window did not open, or recorded nothing
 *
 * Each exec image of each process waits for the events of a window by itself.
 * The outcomes of the exec image in which the event that opens the window came
 * closest to happening explain why the window did not open.
 */
#ifndef LIB_REPORT_DIAGNOSE_DIAGNOSIS_H
#define LIB_REPORT_DIAGNOSE_DIAGNOSIS_H

#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/run/state.h"

struct al_closest_image {
	const struct al_process *process;
	const struct al_image_summary
		*image; /* summary of the image in which the event came closest
			   to happening; NULL: that image has not ended, so it
			   has no summary */
};

/* Find the exec image in which the event that opens the window came closest to
   happening: in all processes of a run, or in one process. Return: false if no
   process with an image has the window in its plan. */
bool al_run_find_image_closest_to_opening(const struct al_run *,
					  uint32_t window_index,
					  struct al_closest_image *);
bool al_process_find_image_closest_to_opening(const struct al_process *,
					      uint32_t window_index,
					      struct al_closest_image *);

/* Whether an event is an "all" or "any" group of other events. */
static inline bool al_event_is_group(const struct pt_event *e)
{
	return e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY;
}

/* Return the number of processes that had an exec image and have the window in
   their plan. */
size_t al_run_count_processes_given_window(const struct al_run *,
					   uint32_t window_index);

enum al_event_status {
	AL_EVENT_HAPPENED, /* the event has happened */
	AL_EVENT_MISSED,   /* the event has not happened; if it is no group, the
			      reason is known */
	AL_EVENT_UNKNOWN,  /* the exec image or the event's process did not
			      report an outcome */
};

/* Return whether an event of the plan has happened, as seen from an exec image.
   @outcome: receives the outcome that the exec image reported; if the event has
   not happened there and is one of another process that was followed, the
   outcome that this process reported; NULL if there is none. */
enum al_event_status
al_diagnosis_event_status(const struct al_closest_image *, uint32_t event_index,
			  const struct al_plan_outcome **outcome);

/* Write why an event, which must be no group, did not happen, or why that is
   not known, as "it was called only 3 times of 5". */
void al_diagnosis_explain_missing_event(const struct al_closest_image *,
					uint32_t event_index, FILE *);

/* Return the process in which the event must happen: the process of the exec
   image that came closest, or the one with the number in the event in the same
   process tree. NULL if that process does not exist. */
const struct al_process *
al_diagnosis_find_event_process(const struct al_closest_image *,
				const struct pt_event *);

/* A thing that a window of a plan names and that did not exist: a thread that
   never began, an image (an object file) that was never mapped, or a function
   that is in no such image. */
struct al_missing_name {
	enum { AL_NO_THREAD, AL_NO_IMAGE, AL_NO_FUNCTION } kind;
	uint32_t number; /* number of the thread, or index of the plan's image
			    or function */
	uint32_t image;	 /* index of the function's image in the plan */
	const struct al_process *process;
	/* outcome of the image or function; NULL for a thread */
	const struct al_plan_outcome *outcome;
};

/* List the names in the window that were missing in a process; a name for which
   memory is short is left out. Return: an array to be freed with free(), and
   @name_count receives its length; NULL if it is 0. */
struct al_missing_name *al_process_list_missing_names(const struct al_process *,
						      uint32_t window_index,
						      size_t *name_count);

/* List each name in the window that was missing in every process whose window
   names it, once. Return: as al_process_list_missing_names(), but an array of
   length 0 need not be NULL. */
struct al_missing_name *
al_run_list_plan_names_never_found(const struct al_run *, uint32_t window,
				   size_t *name_count);

/* Write a sentence such as "there is no function 'hott' in the main executable;
   did you mean 'hot'?". */
void al_missing_name_write_explanation(const struct al_missing_name *, FILE *);

/* Return why a window that opened has recorded no instruction although no name
   is missing: a string literal. NULL: the window records only calls. */
const char *al_run_why_no_instrs_null_if_only_calls(const struct al_run *,
						    uint32_t window_index);

/* A window of a run or of one process, and how much was recorded for it. */
struct al_diagnosed_window {
	const struct al_run *run;
	const struct al_process *process; /* NULL: all processes of the run */
	uint32_t window;
	const struct al_window_counts *counts;
};

/* Report why a window never opened or, if it opened, which of its names were
   missing or why it recorded nothing. The first function writes members of the
   window's JSON object; the second one prints lines of text, to be called after
   the window's own line. */
void al_diagnosis_write_window_problems(const struct al_diagnosed_window *,
					struct an_sink *);
void al_diagnosis_print_window_problems(const struct al_diagnosed_window *,
					struct al_text *);

#endif
