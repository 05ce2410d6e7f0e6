/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.h - prints the present state of a daemon
 *
 * Threads: any, with dm_daemon.lock held.
 *
 * All functions write to a stream, and return 0, the exit status of the
 * command.
 */
#ifndef DAEMON_CONTROL_STATUS_H
#define DAEMON_CONTROL_STATUS_H

#include "daemon/client/state.h"

/* Print figures, windows and programs of the daemon as JSON. */
int dm_status_print_json(struct dm_daemon *, FILE *);

/* Print a line for each recorded program: process id, number, state, open
   windows, title or command. */
int dm_status_print_program_lines_return_0(struct dm_daemon *, FILE *);

/* Print the name of each window, a line each. */
int dm_status_list_window_names_return_0(struct dm_daemon *, FILE *);

#endif
