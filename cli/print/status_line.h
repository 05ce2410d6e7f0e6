/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_line.h - shows a status line on the terminal during a run
 *
 * Threads: one.
 */
#ifndef CLI_PRINT_STATUS_LINE_H
#define CLI_PRINT_STATUS_LINE_H

#include <stdbool.h>

#include "daemon/daemon.h"
#include "daemon/program.h"

struct cl_status {
	struct dm_daemon *daemon;
	const struct dm_program *program;
	bool is_terminal;      /* standard error is a terminal */
	bool is_shown;	       /* there is a line to erase */
	bool has_printed_wait; /* the message about remaining processes was
			      printed */
	uint64_t ended_ns;     /* time at which the program's end was seen; 0:
			      not yet */
	struct dm_figures last_figures;
};

void cl_status_init(struct cl_status *, struct dm_daemon *,
		    const struct dm_program *);

/* Show the progress of the run on a terminal, from its third second on. Once
   the program has ended, print that its remaining processes are awaited, also
   without a terminal. */
void cl_status_show(struct cl_status *);

void cl_status_erase(struct cl_status *);

#endif
