/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.h - what a daemon does right now
 *
 * Threads: any, with dm_daemon.lock held.
 *
 * All of them write to a file, and return 0.
 */
#ifndef DAEMON_CONTROL_STATUS_H
#define DAEMON_CONTROL_STATUS_H

#include "daemon/client/state.h"

int dm_tell_status(struct dm_daemon *, FILE *); /* JSON */
int dm_tell_programs(struct dm_daemon *, FILE *);
int dm_tell_windows(struct dm_daemon *, FILE *);

#endif
