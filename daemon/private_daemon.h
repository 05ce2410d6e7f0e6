/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private_daemon.h - serves the tools of a private daemon, and reports through
 * its last program
 *
 * Threads: the one that started the daemon.
 *
 * A private daemon was started by a tool that found no daemon, and nobody reads
 * the daemon's own output. So each tool sends PT_MSG_BYE at its end and waits.
 * The last tool is sent the report (PT_MSG_TEXT) and then PT_MSG_DONE, the
 * others PT_MSG_DONE at once. A program that connects later, for example a
 * child that was just being forked, gets the whole report again at its end. The
 * daemon ends when no program is left. If the last tool could not wait for the
 * report, because its process was killed or executed a program that is not
 * recorded, the daemon prints the report to options.report, the first tool's
 * standard error.
 */
#ifndef DAEMON_PRIVATE_DAEMON_H
#define DAEMON_PRIVATE_DAEMON_H

#include <stdbool.h>

#include "daemon/daemon.h"

/**
 * dm_private_serve() - Send reports to tools that end, for @timeout_ms.
 *
 * Return: true after @timeout_ms if the daemon is still needed; false earlier
 *         if it is not: its report is then sent or printed, and its files are
 *         written.
 */
bool dm_private_serve(struct dm_daemon *, unsigned timeout_ms);

#endif
