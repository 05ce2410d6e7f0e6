/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_line.c - shows a status line on the terminal during a run
 */
#include "cli/print/status_line.h"

#include "daemon/daemon.h"

#include <stdio.h>
#include <unistd.h>

#define SECOND 1e9 /* [ns] */
#define PERIOD 1.0 /* [s] from line to line; longer than counts take to come */

void cl_status_init(struct cl_status *s, struct dm_daemon *d,
		    const struct dm_program *p)
{
	*s = (struct cl_status){
		.daemon = d,
		.program = p,
		.is_terminal = isatty(STDERR_FILENO),
	};
}

/* Print once that processes of the program are still running, a second after
   the program has ended. */
static void report_running_processes(struct cl_status *s,
				     const struct dm_figures *now)
{
	if (!s->ended_ns)
		s->ended_ns = now->elapsed_ns;
	if (s->has_printed_wait || !now->running ||
	    (double)(now->elapsed_ns - s->ended_ns) < SECOND)
		return;
	cl_status_erase(s);
	fprintf(stderr,
		"alleria: the program has ended; waiting for %u of its "
		"processes (^C ends the wait)\n",
		now->running);
	s->has_printed_wait = true;
}

static void print_status_line(struct cl_status *s, struct dm_figures now)
{
	double seconds =
		(double)(now.elapsed_ns - s->last_figures.elapsed_ns) / SECOND;

	if (seconds < PERIOD)
		return;
	if ((double)now.elapsed_ns > 2 * SECOND) {
		fprintf(stderr,
			"\r\033[Kalleria: %.0f s, %.1f M accesses/s, "
			"ring %u%% full, %u %s",
			(double)now.elapsed_ns / SECOND,
			(double)(now.accesses - s->last_figures.accesses) /
				seconds / 1e6,
			now.fill_percent, now.programs,
			now.programs == 1 ? "process" : "processes");
		s->is_shown = true;
	}
	s->last_figures = now;
}

void cl_status_show(struct cl_status *s)
{
	struct dm_figures now;

	if (!s->is_terminal && !s->program->ended)
		return;
	now = dm_daemon_figures(s->daemon);
	if (s->program->ended)
		report_running_processes(s, &now);
	if (s->is_terminal)
		print_status_line(s, now);
}

void cl_status_erase(struct cl_status *s)
{
	if (s->is_shown)
		fputs("\r\033[K", stderr);
	s->is_shown = false;
}
