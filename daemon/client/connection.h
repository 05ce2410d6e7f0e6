/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connection.h - creates clients and sends packets to their tools
 *
 * Threads: any, with dm_daemon.lock held.
 *
 * These functions do not block. If a packet does not fit into the socket,
 * PT_MSG_ROOM and a refusal are lost; a tool that waits for space in its ring
 * repeats its request every 50 ms. The welcome, the plan, the commands and the
 * report are sent later, in that order.
 */
#ifndef DAEMON_CLIENT_CONNECTION_H
#define DAEMON_CLIENT_CONNECTION_H

#include <sys/socket.h>

#include "daemon/client/state.h"

/* Create the client of an accepted connection. @pid: process id of the peer.
   Return: the client, which owns @fd; NULL: there is no memory or no random
   token, and @fd stays the caller's. */
struct dm_client *dm_client_new(struct dm_daemon *, int fd, pid_t pid);

/* Free a client that is in no list and on no worker, and close its
   connection. */
void dm_client_free(struct dm_client *);

enum dm_send_result {
	DM_SENT,    /* sent, or the connection was closed before */
	DM_FULL,    /* the packet does not fit into the socket;
		       dm_client_send_close_after_report() is called when it does */
	DM_NO_PEER, /* the peer can receive nothing any more */
};

/* Send a packet if it fits into the socket. A shortage of kernel memory has the
   same result as a full socket; the server calls
   dm_client_send_close_after_report() later.
   */
enum dm_send_result dm_client_try_send(struct dm_client *,
				       const struct msghdr *);

/* Send everything that is queued and fits into the socket, and make the server
   send the rest later. Close the connection once a report has been sent. */
void dm_client_send_close_after_report(struct dm_client *);

/* Send a packet, with a descriptor if @fd_or_minus_1 >= 0, which the caller
   still owns. A packet that does not fit into the socket is not queued. */
enum dm_send_result dm_client_send_packet_with_fd(struct dm_client *,
						  const void *packet,
						  size_t bytes,
						  int fd_or_minus_1);

/* Apply an event to a client's states. Return: false if the event is not
   allowed in its state, which is then unchanged. */
bool dm_client_try_event(struct dm_client *, enum dm_event);

/* Apply an event that cannot be refused; abort if it is. */
void dm_client_apply_event_or_abort(struct dm_client *, enum dm_event);

/* Ignore the tool from now on, and close its connection. @fault: the reason, a
   literal. */
void dm_client_set_fault_and_close(struct dm_client *, const char *fault);

/* Send PT_MSG_ROOM if the tool waits for space and there is some: a chunk was
   analysed since its request or, if it waits for space in the log, the log has
   been read since (@log_was_read). */
void dm_client_send_room_if_waiting(struct dm_client *, bool log_was_read);

/* Queue the welcome, the ring's descriptor and the plan, and send what fits
   into the socket. */
void dm_client_queue_and_send_welcome(struct dm_client *);

/* Send the tool a welcome that holds only the reason of the refusal, and close
   the connection. */
void dm_client_refuse(struct dm_client *, const char *reason);

/* Close the connection; no-op if it is closed. */
void dm_client_hang_up(struct dm_client *);

/* Read the names of code that was generated at run time from the program's perf
   map and jitdump files, in the program's /tmp and in the daemon's: the former
   cannot be reached when the program has ended. Call it before the stream
   finishes.
   Context: the thread that runs the ring reader; lock not held. */
void dm_client_read_jit_names(struct dm_client *);

#endif
