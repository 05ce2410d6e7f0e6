/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_report.h - a report on the programs that run, up to now
 *
 * A thread of its own pauses the workers and forks. The child analyses what the
 * rings hold, has the workers resumed, and finishes its copy
 * of all streams, reports, and ends. So a program waits for as long as the
 * daemon needs for a ring, at most, and everything is as it would be if it had
 * ended now. One report is made at a time.
 */
#ifndef DAEMON_CONTROL_LIVE_REPORT_H
#define DAEMON_CONTROL_LIVE_REPORT_H

#include "daemon/client/state.h"

/**
 * dm_snapshot_start() - Begin a report.
 * @fd: connection of who asks, which is answered there; closed behind the
 *      answer, and on error.
 * @pid: of the process that it is of; 0: all.
 * @json: instead of text.
 *
 * Return: 0; -ESRCH: no such process is recorded; -EBUSY: another report is
 *         being made; -errno. Context: lock held.
 */
int dm_snapshot_start(struct dm_daemon *, int fd, pid_t pid, bool json);

/* Abort the report that is being made, and wait until its thread has ended.
   Context: lock not held; the workers still run. */
void dm_snapshot_stop(struct dm_daemon *);

#endif
