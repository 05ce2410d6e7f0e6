/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_status.h - one line on the terminal while a run is on
 *
 * Room:    cli.
 * Used by: cl_run.c.
 * Threads: one.
 */
#ifndef CL_STATUS_H
#define CL_STATUS_H

#include <stdbool.h>

#include "daemon/dm_daemon.h"

struct cl_status {
	struct dm_daemon *daemon;
	bool on;    /* standard error is a terminal */
	bool shown; /* there is a line to erase */
	struct dm_figures last;
};

void cl_status_init(struct cl_status *, struct dm_daemon *);

/* Shows where the run stands, from its third second on. */
void cl_status_show(struct cl_status *);

void cl_status_erase(struct cl_status *);

#endif
