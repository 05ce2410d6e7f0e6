/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connection.h - talking to a tool
 *
 * Threads: any, with dm_daemon.lock held.
 *
 * Nothing here blocks. PT_MSG_ROOM is lost when the socket has no room, for the
 * tool asks again every 50 ms. Everything else but the answer to a hello waits:
 * the plan, then orders, then the report.
 */
#ifndef DAEMON_CLIENT_CONNECTION_H
#define DAEMON_CLIENT_CONNECTION_H

#include <sys/socket.h>

#include "daemon/client/state.h"

/* A connection that has been accepted; NULL when there is no memory. Takes
   @fd over then only. */
struct dm_client *dm_client_new(struct dm_daemon *, int fd, pid_t pid);

/* Not while it is in a list or on a worker. */
void dm_client_free(struct dm_client *);

enum dm_sent {
	DM_SENT,    /* sent, or the connection was closed before */
	DM_FULL,    /* no room now; dm_client_flush() is called when there is
		       room */
	DM_NO_PEER, /* the peer can receive nothing any more */
};

/* Send a packet if the socket has room for it. A shortage of kernel memory
   counts as no room; the server calls dm_client_flush() later. */
enum dm_sent dm_client_try_send(struct dm_client *, const struct msghdr *);

/* Send everything that waits, as far as there is room, and have the server send
   the rest later. Closes the connection of a client whose report has been
   sent. */
void dm_client_flush(struct dm_client *);

/* Send a packet, with a descriptor if @fd >= 0, which stays the caller's. A
   packet that finds no room is not queued. */
enum dm_sent dm_client_send_fd(struct dm_client *, const void *packet,
			       size_t bytes, int fd);

/* Apply an event to a client's states. Return: false if the event is not
   allowed in its state, which is then unchanged. */
bool dm_client_step(struct dm_client *, enum dm_event);

/* Apply an event that cannot be refused; abort if it is. */
void dm_client_must_step(struct dm_client *, enum dm_event);

/* Ignore the tool from now on, and close its connection. @fault: a literal. */
void dm_client_fail(struct dm_client *, const char *fault);

/* Tells a tool that waits for room, of chunks or, when that has been taken, in
   the log. */
void dm_client_answer(struct dm_client *, bool log_taken);

/**
 * dm_client_welcome() - Accept the tool; hand over its ring and its plan.
 */
void dm_client_welcome(struct dm_client *);

/* Tell the tool why not, and close. */
void dm_client_refuse(struct dm_client *, const char *reason);

void dm_client_hang_up(struct dm_client *);

/* Read the names of code made at run time from the program's files: in its own
   /tmp or, when it has ended, in ours. Call it before the stream finishes.
   Context: the thread that runs the intake; lock not held. */
void dm_client_read_names(struct dm_client *);

#endif
