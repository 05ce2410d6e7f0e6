/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_line.c - shows a line on the terminal during long work
 */
#include "cli/print/status_line.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/system/progress.h"
#include "cli/args/display_options.h"
#include "cli/print/pager.h"

#define SECOND 1e9 /* [ns] */
/* [s] minimum time between two updates of the line */
#define PERIOD 1.0
#define MEGABYTE 1e6 /* [bytes] */

/* ---- the line ---- */

static bool is_status_line_enabled(void)
{
	return isatty(STDERR_FILENO) && !cl_is_quiet();
}

/* Replace the terminal's current line by "alleria: " and a formatted text, on
   standard error, and set *@is_shown. */
__attribute__((format(printf, 2, 3))) static void
replace_status_line_on_stderr(bool *is_shown, const char *format, ...)
{
	va_list args;

	fputs("\r\033[Kalleria: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	*is_shown = true;
}

static void erase_status_line_if_shown(bool *is_shown)
{
	if (*is_shown)
		fputs("\r\033[K", stderr);
	*is_shown = false;
}

/* ---- progress through a file ---- */

static double monotonic_seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / SECOND;
}

static bool update_progress_false_if_stopped(void *progress,
					     uint64_t done_bytes,
					     uint64_t total_bytes)
{
	struct cl_progress *p = progress;

	cl_progress_store_and_redraw_if_due(p, done_bytes, total_bytes);
	return !p->is_stopped;
}

static unsigned percent_done(const struct cl_progress *p)
{
	return p->total ? (unsigned)(100 * (double)p->done / (double)p->total)
			: 0;
}

void cl_progress_start(struct cl_progress *p, const char *past_participle,
		       bool register_observer)
{
	*p = (struct cl_progress){
		.verb = past_participle,
		.started = monotonic_seconds_now(),
		.is_enabled = is_status_line_enabled(),
	};
	if (register_observer)
		al_progress_set_observer(update_progress_false_if_stopped, p);
}

void cl_progress_store_and_redraw_if_due(struct cl_progress *p,
					 uint64_t done_bytes,
					 uint64_t total_bytes)
{
	double now = monotonic_seconds_now(), seconds = now - p->started;

	if (done_bytes > p->done)
		p->done = done_bytes;
	p->total = total_bytes;
	if (!p->is_enabled || seconds < CL_PROGRESS_DELAY ||
	    now - p->shown < PERIOD)
		return;
	replace_status_line_on_stderr(
		&p->is_shown, "%u %% of %.1f MB %s, %.1f MB/s", percent_done(p),
		(double)total_bytes / MEGABYTE, p->verb,
		(double)p->done / MEGABYTE / seconds);
	p->shown = now;
}

void cl_progress_erase_and_begin_at_0(struct cl_progress *p)
{
	erase_status_line_if_shown(&p->is_shown);
	p->done = 0;
	p->started = monotonic_seconds_now();
}

void cl_progress_disable_on_tty_output(struct cl_progress *p)
{
	if (!isatty(STDOUT_FILENO) && !cl_pager_is_on())
		return;
	erase_status_line_if_shown(&p->is_shown);
	p->is_enabled = false;
}

/* The progress that the first SIGINT stops, a function to call then or NULL,
   and the signal action that is restored then. */
static struct {
	struct cl_progress *progress;
	void (*stopped)(void);
	struct sigaction old;
} interrupted;

static void mark_progress_stopped_restore_handler(int signal_number)
{
	interrupted.progress->is_stopped = true;
	if (interrupted.stopped)
		interrupted.stopped();
	sigaction(signal_number, &interrupted.old, NULL);
}

void cl_progress_install_stop_on_sigint(struct cl_progress *p,
					void (*called_on_sigint_or_null)(void))
{
	struct sigaction action = {
		.sa_handler = mark_progress_stopped_restore_handler,
		.sa_flags = SA_RESTART};

	interrupted.progress = p;
	interrupted.stopped = called_on_sigint_or_null;
	if (!sigaction(SIGINT, NULL, &interrupted.old) &&
	    interrupted.old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &action, NULL);
}

int cl_progress_report_if_interrupted(const struct cl_progress *p,
				      const char *outcome,
				      int status_if_uninterrupted)
{
	if (!p->is_stopped)
		return status_if_uninterrupted;
	fflush(stdout);
	cl_pager_close_stdout_and_wait();
	fprintf(stderr, "alleria: interrupted after %u %% of the profile; %s\n",
		percent_done(p), outcome);
	return 128 + SIGINT;
}

void cl_progress_end_and_restore_sigint(struct cl_progress *p)
{
	al_progress_set_observer(NULL, NULL);
	if (interrupted.progress == p)
		sigaction(SIGINT, &interrupted.old, NULL);
	interrupted.progress = NULL;
	erase_status_line_if_shown(&p->is_shown);
}

/* ---- the status of a run ---- */

void cl_status_init(struct cl_status *s, struct dm_daemon *d,
		    const struct dm_program *p)
{
	*s = (struct cl_status){
		.daemon = d,
		.program = p,
		.is_enabled = is_status_line_enabled(),
	};
}

/* If processes are still running a second after the end of the program was
   first seen, print once that they are awaited. */
static void print_awaited_process_count_once(struct cl_status *s,
					     const struct dm_figures *now)
{
	if (!s->ended_ns)
		s->ended_ns = now->elapsed_ns;
	if (s->has_printed_wait || !now->running ||
	    (double)(now->elapsed_ns - s->ended_ns) < SECOND)
		return;
	cl_status_erase_line(s);
	fprintf(stderr,
		"alleria: the program has ended; waiting for %u of its "
		"processes (^C ends the wait)\n",
		now->running);
	s->has_printed_wait = true;
}

static void print_status_line_each_period(struct cl_status *s,
					  struct dm_figures now)
{
	double seconds =
		(double)(now.elapsed_ns - s->last_figures.elapsed_ns) / SECOND;

	if (seconds < PERIOD)
		return;
	if ((double)now.elapsed_ns > CL_PROGRESS_DELAY * SECOND) {
		replace_status_line_on_stderr(
			&s->is_shown,
			"%.0f s, %.1f M accesses/s, ring %u%% full, %u %s",
			(double)now.elapsed_ns / SECOND,
			(double)(now.accesses - s->last_figures.accesses) /
				seconds / 1e6,
			now.fill_percent, now.programs,
			now.programs == 1 ? "process" : "processes");
	}
	s->last_figures = now;
}

void cl_status_update_line(struct cl_status *s)
{
	struct dm_figures now;

	if (!s->is_enabled && !s->program->ended)
		return;
	now = dm_daemon_get_progress_figures(s->daemon);
	if (s->program->ended)
		print_awaited_process_count_once(s, &now);
	if (s->is_enabled)
		print_status_line_each_period(s, now);
}

void cl_status_erase_line(struct cl_status *s)
{
	erase_status_line_if_shown(&s->is_shown);
}
