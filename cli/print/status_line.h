/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_line.h - one line on the terminal while a run is on
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
	bool on;	   /* standard error is a terminal */
	bool shown;	   /* there is a line to erase */
	bool said;	   /* that others are waited for */
	uint64_t ended_ns; /* when the program had ended; 0: it has not */
	struct dm_figures last;
};

void cl_status_init(struct cl_status *, struct dm_daemon *,
		    const struct dm_program *);

/* Shows where the run stands, from its third second on; says, terminal or not,
   when only processes that the program left behind are still waited for. */
void cl_status_show(struct cl_status *);

void cl_status_erase(struct cl_status *);

#endif
