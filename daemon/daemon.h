/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon.h - starts and stops a daemon and writes its report
 *
 * Threads: only the thread that started the daemon calls these functions. The
 *          daemon has a server thread, settings->workers workers, with adaptive
 *          settings a tuner thread and more workers, and, while it makes a live
 *          report, a thread for that; all of them block every signal.
 *
 *   start ... [wait]  ... stop, wait ... report, free
 */
#ifndef DAEMON_DAEMON_H
#define DAEMON_DAEMON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "daemon/core/options.h"
#include "daemon/core/runtime_dir.h"
#include "lib/config/settings.h"
#include "lib/report/report.h"
#include "lib/run/run.h"

struct dm_daemon;

/**
 * dm_daemon_start() - Start a daemon: listen, and record programs that connect.
 * @settings: must stay valid until dm_daemon_stop_and_free().
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: the daemon, or NULL with @message and errno.
 */
struct dm_daemon *dm_daemon_start(const struct al_settings *settings,
				  const struct dm_options *, char *message);

/* Return the absolute path of the daemon's socket. */
const char *dm_daemon_socket_path(const struct dm_daemon *);

/**
 * dm_daemon_wait_clients_end_saved() - Wait until every exec image that
 * connected has ended and everything that it sent is analysed and saved, at
 * most @timeout_ms.
 *
 * Return: true if so; false if @timeout_ms have passed before.
 */
bool dm_daemon_wait_clients_end_saved(struct dm_daemon *, unsigned timeout_ms);

/**
 * dm_daemon_request_recording_stop() - Stop recording: analyse what
 * the rings hold and close the connections. The programs continue unrecorded.
 * @drop_unread: drop the unread contents of the rings instead; a call with true
 *               can follow one with false.
 *
 * Returns at once; dm_daemon_wait_clients_end_saved() returns true when all is
 * done.
 */
void dm_daemon_request_recording_stop(struct dm_daemon *, bool drop_unread);

/**
 * dm_daemon_stop_clients_save_print_report() - Write the files that the
 * settings request, and print the report and a line for each file that could
 * not be written.
 * @program_name: name of the program, for messages.
 * @display_flags: bits of enum al_display.
 *
 * Call it after dm_daemon_wait_clients_end_saved(). The recording of programs
 * that connected since is stopped; they continue unrecorded.
 *
 * Return: which outputs could not be written.
 */
enum al_unwritten
dm_daemon_stop_clients_save_print_report(struct dm_daemon *,
					 const char *program_name, FILE *,
					 unsigned display_flags);

/* Store the elapsed time and the workers' times in the run, and return the
   figures of its pipeline: times, buffers and unused bytes. Call this after
   dm_daemon_wait_clients_end_saved(). */
struct al_pipeline dm_daemon_get_time_and_buffer_usage(struct dm_daemon *);

/* Whether the run was recorded and analysed completely; see
   al_run_is_fully_recorded_and_analysed(). */
bool dm_daemon_is_run_complete(struct dm_daemon *);

/* Return the exit status for an incomplete run, else 0; see
   al_run_incomplete_exit_code_or_0(). */
int dm_daemon_incomplete_exit_code_or_0(struct dm_daemon *);

/* Store the wait status of program @pid. Called by the parent of the program
   after it has waited for it. */
void dm_daemon_set_process_wait_status(struct dm_daemon *, pid_t pid,
				       int wait_status);

/* End a live report that is being made, stop all threads, free all clients,
   remove the socket and the links to it, and free the daemon. */
void dm_daemon_stop_and_free(struct dm_daemon *);

/* Progress of a run. */
struct dm_figures {
	uint64_t elapsed_ns;   /* [ns] since the daemon started */
	uint64_t accesses;     /* number of accesses analysed so far */
	unsigned programs;     /* number of images that are being recorded, or
				  have ended but are not completely
				  analysed */
	unsigned running;      /* number of images in `programs` whose
				  recording has not ended */
	unsigned recorded;     /* number of images whose recording has begun
				  since the daemon started */
	unsigned fill_percent; /* chunks that tools have filled and that are
				  not yet analysed, in percent of all chunks
				  of the rings of all clients */
};

/* Return the present progress of a run. */
struct dm_figures dm_daemon_get_progress_figures(struct dm_daemon *);

/*
 * A private daemon was started by a tool that found no daemon, and nobody reads
 * the daemon's own output. So each tool sends PT_MSG_BYE at its end and waits.
 * The last tool is sent the report (PT_MSG_TEXT) and then PT_MSG_DONE, the
 * others PT_MSG_DONE at once. A program that connects later, for example a
 * child that was just being forked, gets the complete report again at its end.
 * The daemon ends when no program is left. If the last tool could not wait for
 * the report, because its process was killed or executed a program that is not
 * recorded, the daemon prints the report to options.report, the first tool's
 * standard error.
 */

/**
 * dm_private_daemon_send_reports_has_more() - For at most @timeout_ms,
 * send reports to tools whose programs end.
 *
 * Return: true after @timeout_ms if the daemon is still needed; false earlier
 *         if it is not: then, if a program was recorded, the files are written,
 *         and the report is sent or printed, or a tool has abandoned it.
 */
bool dm_private_daemon_send_reports_has_more(struct dm_daemon *,
					     unsigned timeout_ms);

#endif
