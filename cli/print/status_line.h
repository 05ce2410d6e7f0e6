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
	const char *verb; /* past participle, for example "verified" */
	uint64_t done;	  /* [bytes] greatest file offset read so far */
	uint64_t total;	  /* [bytes] length of the file */
	double started;	  /* [s] monotonic time at which the work began */
	double shown;	  /* [s] monotonic time of the last printed line */
	bool is_enabled;
	bool is_shown; /* there is a line to erase */
	sig_atomic_t is_stopped;
};

/**
 * cl_progress_start() - Initialise the progress of a work that begins now.
 * @past_participle: for the line, for example "verified"; not copied.
 * @register_observer: update the line whenever a part of a profile is read;
 *         false: the caller calls cl_progress_store_and_redraw_if_due().
 */
void cl_progress_start(struct cl_progress *, const char *past_participle,
		       bool register_observer);

/* Store the progress, and print the line if it is due: from CL_PROGRESS_DELAY
   after the start on, at most once a second. @done_bytes: file offset that was
   reached; ignored if it was greater before. @total_bytes: length of the
   file. */
void cl_progress_store_and_redraw_if_due(struct cl_progress *,
					 uint64_t done_bytes,
					 uint64_t total_bytes);

/* Erase the line and start again at 0 % and time 0, because the file is read
   another time. */
void cl_progress_erase_and_begin_at_0(struct cl_progress *);

/* If standard output is a terminal or goes to a pager, erase the line and print
   none from now on, so that the command's output is not disturbed. */
void cl_progress_disable_on_tty_output(struct cl_progress *);

/**
 * cl_progress_install_stop_on_sigint() - Install a SIGINT handler that stops
 * the reading of the profile, and restores the previous handler for a second
 * SIGINT.
 * @called_on_sigint_or_null: called in the handler; or NULL.
 *
 * If cl_progress_start() registered the observer, the reading stops before the
 * next part of the file, with -ECANCELED; otherwise the handler only sets
 * is_stopped. No handler is installed if SIGINT is ignored.
 */
void cl_progress_install_stop_on_sigint(struct cl_progress *,
					void (*called_on_sigint_or_null)(void));

/* If SIGINT has stopped the reading, flush standard output, wait for the pager
   to end if there is one, and print on standard error the percentage that was
   read and @outcome. Return the exit status: 128 + SIGINT if SIGINT has stopped
   the reading, else @status_if_uninterrupted. */
int cl_progress_report_if_interrupted(const struct cl_progress *,
				      const char *outcome,
				      int status_if_uninterrupted);

/* Erase the line, stop observing what is read, and restore the SIGINT handler
   that cl_progress_install_stop_on_sigint() replaced. */
void cl_progress_end_and_restore_sigint(struct cl_progress *);

/* State of the status line of a run. */
struct cl_status {
	struct dm_daemon *daemon;
	const struct dm_program *program;
	bool is_enabled;
	bool is_shown;	       /* there is a line to erase */
	bool has_printed_wait; /* the message about remaining processes was
				  printed */
	uint64_t ended_ns;     /* [ns] time since the start of the daemon at
				  which the program's end was first seen; 0: not
				  seen yet */
	struct dm_figures last_figures;
};

void cl_status_init(struct cl_status *, struct dm_daemon *,
		    const struct dm_program *);

/* Print the progress of the run if the status line is enabled, at most once a
   second. If processes still run a second after the program has ended, print
   once that they are awaited, even if the status line is not enabled. */
void cl_status_update_line(struct cl_status *);

void cl_status_erase_line(struct cl_status *);

#endif
