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

/* Maximum number of PT_MSG_LOST messages of one client that each mark a child
   process; later ones mark only the client's own process. */
enum { DM_MAX_LOST = 1000 };

/* Return the client that @c was forked from, as @c proves by that client's
   token; NULL: @c was not forked or does not prove it, or that client has no
   stream or was freed. */
struct dm_client *
dm_ancestry_find_fork_parent_by_token(const struct dm_client *c);

/* Return the recorded process, still alive, of which @c is a later image (after
   an exec); NULL: there is none, or @c was forked. */
struct al_process *
dm_ancestry_find_process_before_exec(const struct dm_client *c);

/* Return the recorded process that is the parent of the process of @c, or
   NULL. */
struct al_process *dm_ancestry_find_parent_process(const struct dm_client *c);

/**
 * dm_ancestry_mark_unconnected_child_lossy() - Record that a child of @c did
 * not reach the daemon.
 * @child_pid: process id of the child, according to @c; it may have been waited
 *             for.
 *
 * The child's process is marked as lossy; after DM_MAX_LOST children, the
 * process of @c itself. A process that is no child of @c is never marked.
 */
void dm_ancestry_mark_unconnected_child_lossy(struct dm_client *c,
					      pid_t child_pid);

/**
 * dm_ancestry_end_process_as_lossy() - Record that the program of
 * @c continues without being recorded.
 * @reason: a literal.
 *
 * No-op if the program was not forked and is no later image of a recorded
 * process: the refused tool then does not start the program, so nothing is
 * lost.
 */
void dm_ancestry_end_process_as_lossy(const struct dm_client *c,
				      const char *reason);

#endif
