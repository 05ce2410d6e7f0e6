/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ancestry.h - which process a client is, and whose child, by proof
 *
 * A tool's word about other processes is input. The kernel reports which process
 * a connection belongs to, who its parent is, and when both began; a forked
 * child proves by its parent's token which stream it goes on with, even when
 * its parent has ended.
 *
 * Threads: any, with dm_daemon.lock held.
 */
#ifndef DAEMON_CLIENT_ANCESTRY_H
#define DAEMON_CLIENT_ANCESTRY_H

#include "daemon/client/state.h"

/* PT_MSG_LOST of one client that each add a process to the report. */
enum { DM_MOST_LOST = 1000 };

/* Return the client that @c was forked from, or NULL: its hello proves none. */
struct dm_client *dm_family_forker(const struct dm_client *c);

/* Return the process that @c is a further image of, or NULL. */
struct al_process *dm_family_process(const struct dm_client *c);

/* Return the recorded process that is @c's parent, or NULL. */
struct al_process *dm_family_parent(const struct dm_client *c);

/**
 * dm_family_lost() - Note that a child of @c did not reach the daemon.
 * @pid: of the child, according to @c; it may be reaped already.
 *
 * The child is made lossy, or @c itself after DM_MOST_LOST of them; a process
 * of another parent never is.
 */
void dm_family_lost(struct dm_client *c, pid_t pid);

/**
 * dm_family_unrecorded() - Note that @c's program goes on unrecorded.
 * @why: a literal.
 *
 * A program that was not forked and is no further image of a recorded process
 * has not been started, so nothing is lost.
 */
void dm_family_unrecorded(const struct dm_client *c, const char *why);

#endif
