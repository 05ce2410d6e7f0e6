/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_report.h - makes a report on programs while they run
 *
 * A separate thread pauses the workers and forks. The child analyses the
 * contents of the rings and signals that the workers may resume; then it
 * finishes its copies of the streams, writes the report, and exits. So programs
 * wait at most for the time that the analysis of the rings takes, and the
 * report is the one that would be written if they ended now. One report is made
 * at a time.
 */
#ifndef DAEMON_CONTROL_LIVE_REPORT_H
#define DAEMON_CONTROL_LIVE_REPORT_H

#include "daemon/client/state.h"

/**
 * dm_snapshot_start_live_report() - Begin a report.
 * @owned_connection_fd: connection that the report is sent to. It is closed
 * after that, and on
 *      error.
 * @pid_or_0: process to report on; 0: all.
 * @json: write JSON instead of text.
 *
 * Return: 0; -ESRCH: no such process is recorded; -EBUSY: another report is
 *         being made; -errno. Context: lock held.
 */
int dm_snapshot_start_live_report(struct dm_daemon *, int owned_connection_fd,
				  pid_t pid_or_0, bool json);

/* Abort the report that is being made, and wait until its thread has ended.
   Context: lock not held; the workers still run. */
void dm_snapshot_kill_and_forbid_reports(struct dm_daemon *);

#endif
