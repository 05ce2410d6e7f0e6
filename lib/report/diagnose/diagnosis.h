/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnosis.h - finds out why a window did not open, or recorded nothing
 *
 * Each image of each process waits for the events of a window by itself. Of
 * them the one whose events came furthest is the witness.
 */
#ifndef LIB_REPORT_DIAGNOSE_DIAGNOSIS_H
#define LIB_REPORT_DIAGNOSE_DIAGNOSIS_H

#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/run/state.h"

struct al_closest_image {
	const struct al_process *process;
	const struct al_image_summary
		*image; /* NULL: it had none that is over */
};

/* Find the witness for a window in a run, or in one process. Return: false if
   no process waited for the window. The witness refers to the process's plan.
   */
bool al_run_find_closest_to_opening(const struct al_run *, uint32_t window,
				    struct al_closest_image *);
bool al_process_find_closest_to_opening(const struct al_process *,
					uint32_t window,
					struct al_closest_image *);

/* Whether an event is made of others. */
static inline bool al_event_is_group(const struct pt_event *e)
{
	return e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY;
}

/* Return the number of processes that waited for the window. */
size_t al_run_count_window_processes(const struct al_run *, uint32_t window);

enum al_event_status {
	AL_EVENT_HAPPENED, /* it has happened */
	AL_EVENT_MISSED,   /* here is why */
	AL_EVENT_UNKNOWN,
};

/* Whether an event has happened. @outcome: what its process told of it, or
   NULL. */
enum al_event_status
al_diagnosis_event_status(const struct al_closest_image *, uint32_t event,
			  const struct al_outcome **outcome);

/* Why an event, not made of others, did not happen; or why that is not known.
   "it was called only 3 times of 5" */
void al_diagnosis_explain_missed_event(const struct al_closest_image *,
				       uint32_t event, FILE *);

/* The process of a witness's tree that an event is of, or NULL. */
const struct al_process *
al_diagnosis_find_process(const struct al_closest_image *,
			  const struct pt_event *);

/* A thread, image or function that a window's profile names and that did not
   exist. */
struct al_missing_name {
	enum { AL_NO_THREAD, AL_NO_IMAGE, AL_NO_FUNCTION } kind;
	uint32_t number; /* of the thread; of the plan's image or function */
	uint32_t image;	 /* of the function's */
	const struct al_process *process;
	const struct al_outcome *outcome; /* NULL: of a thread */
};

/* List the missing names of a process. Return: @n of them, for free(); NULL
   when there are none or memory is short. */
struct al_missing_name *al_process_missing_names(const struct al_process *,
						 uint32_t window, size_t *n);

/* List the names that every process misses whose window names them, each once.
   Return: as al_process_missing_names(). */
struct al_missing_name *al_run_missing_names(const struct al_run *,
					     uint32_t window, size_t *n);

/* "function 'hott' was not found in the main executable; did you mean 'hot'?"
   */
void al_missing_name_explain(const struct al_missing_name *, FILE *);

/* Why a window that opened has recorded no instruction where nothing is
   missing; NULL: as it was asked to. */
const char *al_run_reason_if_window_is_empty(const struct al_run *,
					     uint32_t window);

/* A window of a run or of one process, and how much was recorded for it. */
struct al_diagnosed_window {
	const struct al_run *run;
	const struct al_process *process; /* NULL: all */
	uint32_t window;
	const struct al_window_counts *counts;
};

/* Keys of a window's object; lines below the window's. */
void al_diagnosis_write_failure_reasons(const struct al_diagnosed_window *,
					struct an_sink *);
void al_diagnosis_print(const struct al_diagnosed_window *, struct al_text *);

#endif
