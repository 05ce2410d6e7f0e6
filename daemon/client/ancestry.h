/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ancestry.h - finds a client's process and the client that it was forked from
 *
 * A tool's claims about other processes are untrusted input. The kernel reports
 * the process of a connection, its parent, and the start times of both. A
 * forked child proves by its parent's token which stream it continues, even if
 * the parent has ended.
 *
 * Threads: any, with dm_daemon.lock held.
 */
#ifndef DAEMON_CLIENT_ANCESTRY_H
#define DAEMON_CLIENT_ANCESTRY_H

#include "daemon/client/state.h"

/* Number of PT_MSG_LOST of one client that each add a process to the report. */
enum { DM_MAX_LOST = 1000 };

/* Return the client that @c was forked from; NULL: the hello of @c proves
   none. */
struct dm_client *dm_ancestry_fork_parent(const struct dm_client *c);

/* Return the process that @c is a further image of, or NULL. */
struct al_process *dm_ancestry_same_process(const struct dm_client *c);

/* Return the recorded process that is @c's parent, or NULL. */
struct al_process *dm_ancestry_parent_process(const struct dm_client *c);

/**
 * dm_ancestry_add_lost_child() - Record that a child of @c did not reach the daemon.
 * @pid: process id of the child, according to @c; it may have been waited for.
 *
 * The child is marked as lossy; after DM_MAX_LOST children @c itself is. A
 * process that is no child of @c never is.
 */
void dm_ancestry_add_lost_child(struct dm_client *c, pid_t pid);

/**
 * dm_ancestry_add_unrecorded() - Record that @c's program runs on unrecorded.
 * @why: the reason, a literal.
 *
 * Nothing is lost, and nothing is recorded, if the program was not forked and
 * is no further image of a recorded process: its tool does not start it then.
 */
void dm_ancestry_add_unrecorded(const struct dm_client *c, const char *why);

#endif
