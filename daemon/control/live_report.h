/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_report.h - makes a report on programs while they run
 *
 * A separate thread pauses the workers and forks. The child analyses the
 * contents of the rings and signals that the workers may resume; then it
 * finishes its copies of the streams, writes the report, and exits. So programs
 * wait at most while the workers end their turns and the rings are analysed,
 * and the report is the one that would be written if they ended now. One report
 * is made at a time.
 */
#ifndef DAEMON_CONTROL_LIVE_REPORT_H
#define DAEMON_CONTROL_LIVE_REPORT_H

#include "daemon/client/state.h"

/**
 * dm_snapshot_start_live_report() - Start the thread that makes a report on
 * running programs and sends it.
 * @owned_connection_fd: connection to which the report is sent. It is closed
 *         after that, and also if this function fails.
 * @pid_or_0: process to report on; 0: all processes.
 * @json: write JSON instead of text.
 *
 * Return: 0; -ESRCH: no such process is recorded; -EBUSY: another report is
 *         being made, or reports are forbidden; another -errno. Context: lock
 *         held.
 */
int dm_snapshot_start_live_report(struct dm_daemon *, int owned_connection_fd,
				  pid_t pid_or_0, bool json);

/* Forbid new reports. If a report is being made, kill the child process that
   makes it; then wait until the report's thread has ended. Context: lock not
   held; the workers still run. */
void dm_snapshot_kill_join_forbid_reports(struct dm_daemon *);

#endif
