/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_line.h - shows a line on the terminal during long work
 *
 * The line appears when the work has lasted CL_PROGRESS_DELAY seconds. There is
 * none with --quiet, nor where standard error is no terminal.
 *
 * Threads: one.
 */
#ifndef CLI_PRINT_STATUS_LINE_H
#define CLI_PRINT_STATUS_LINE_H

#include <signal.h>
#include <stdbool.h>

#include "daemon/daemon.h"
#include "daemon/program.h"

#define CL_PROGRESS_DELAY 2.0 /* [s] */

/* Progress of a work that goes through a file. */
struct cl_progress {
	const char *verb; /* past participle: "verified" */
	uint64_t done;	  /* [bytes] furthest part that was reached */
	uint64_t total;	  /* [bytes] length of the file */
	double started;	  /* [s] */
	double shown;	  /* [s] time of the last line */
	bool is_enabled;
	bool is_shown; /* there is a line to erase */
	sig_atomic_t is_stopped;
};

/**
 * cl_progress_start() - Begin to show the progress of a work.
 * @past_participle: past participle for the line; not copied.
 * @register_observer: observe what this thread reads of profiles; false: the
 * caller
 *            calls cl_progress_update_line().
 */
void cl_progress_start(struct cl_progress *, const char *past_participle,
		       bool register_observer);

/* Show how far the work has come, if the line is due. @done_bytes,
   @total_bytes: bytes. */
void cl_progress_update_line(struct cl_progress *, uint64_t done_bytes,
			     uint64_t total_bytes);

/* Begin again at 0 %: the file is read another time. */
void cl_progress_erase_and_reset(struct cl_progress *);

/* Prepare for output: where it goes to a terminal, or to a pager, erase the
   line and show none from now on. */
void cl_progress_disable_for_tty_output(struct cl_progress *);

/**
 * cl_progress_catch_interrupt() - Have the first SIGINT stop the reading, with
 * -ECANCELED before the next part; the second one ends the command as before.
 * @on_stop: also called, in the handler; or NULL.
 *
 * Nothing changes where SIGINT is ignored.
 */
void cl_progress_catch_interrupt(struct cl_progress *, void (*on_stop)(void));

/* If SIGINT has stopped the reading, print how far it came, and @outcome.
   Return: exit status: 128 + SIGINT; @status_if_uninterrupted if it was not
   stopped. */
int cl_progress_report_if_interrupted(const struct cl_progress *,
				      const char *outcome,
				      int status_if_uninterrupted);

/* Erase the line, and end the observation. */
void cl_progress_end_and_restore_sigint(struct cl_progress *);

/* Status of a run. */
struct cl_status {
	struct dm_daemon *daemon;
	const struct dm_program *program;
	bool is_enabled;
	bool is_shown;	       /* there is a line to erase */
	bool has_printed_wait; /* the message about remaining processes was
			      printed */
	uint64_t ended_ns;     /* time at which the program's end was seen; 0:
			      not yet */
	struct dm_figures last_figures;
};

void cl_status_init(struct cl_status *, struct dm_daemon *,
		    const struct dm_program *);

/* Show the progress of the run. Once the program has ended, print that its
   remaining processes are awaited, also without a terminal. */
void cl_status_update_line(struct cl_status *);

void cl_status_erase(struct cl_status *);

#endif
