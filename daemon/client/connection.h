/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connection.h - creates clients and sends packets to their tools
 *
 * Threads: any. dm_client_new_unlinked() and dm_client_read_jit_names() read
 * files and are called without dm_daemon.lock; the other functions do not
 * block and, except dm_client_close_and_free(), need the lock.
 *
 * If a packet does not fit into the socket, PT_MSG_ROOM and a refusal are lost;
 * a tool that waits for space in its ring repeats its request every 50 ms. The
 * welcome, the plan, the allocators, the commands and the report are sent
 * later, in that order.
 */
#ifndef DAEMON_CLIENT_CONNECTION_H
#define DAEMON_CLIENT_CONNECTION_H

#include <sys/socket.h>

#include "daemon/client/state.h"

/* Allocate the client of an accepted connection; it is not added to a list.
   @pid: process id of the peer. Return: the client, which owns @fd; NULL: there
   is no memory or no random token, and the caller still owns @fd. */
struct dm_client *dm_client_new_unlinked(struct dm_daemon *, int fd, pid_t pid);

/* Free a client that is in no list and on no worker, and close its
   connection. */
void dm_client_close_and_free(struct dm_client *);

enum dm_send_result {
	DM_SENT,    /* the packet was sent, or the daemon has closed the
		       connection before */
	DM_FULL,    /* the packet was not sent: it does not fit into the
		       socket, or the kernel is short of memory */
	DM_NO_PEER, /* the peer can receive nothing any more */
};

/* Send a packet if it fits into the socket; do not wait. After DM_FULL because
   of a shortage of kernel memory, the server thread sends what is queued at its
   next tick. */
enum dm_send_result dm_client_send_without_blocking(struct dm_client *,
						    const struct msghdr *);

/* Send the queued welcome, plan, commands and report, as far as they fit into
   the socket, and make the server thread send the rest later. Close the
   connection once a report has been sent completely. */
void dm_client_send_queued_packets(struct dm_client *);

/* Send a packet, with a descriptor if @fd_or_minus_1 >= 0, which the caller
   still owns. A packet that does not fit into the socket is not queued. */
enum dm_send_result dm_client_send_packet_with_fd(struct dm_client *,
						  const void *packet,
						  size_t bytes,
						  int fd_or_minus_1);

/* Apply an event to a client's states, and update the number of waiting tools
   in dm_daemon.workers. Return: false if the event is not allowed in the
   present states; none is changed then. */
bool dm_client_try_apply_event(struct dm_client *, enum dm_event);

/* Apply an event that cannot be refused; abort if it is. */
void dm_client_apply_event_or_abort(struct dm_client *, enum dm_event);

/* Set the client's input to DM_FAULTY, if the client is being recorded, and
   close its connection. @fault: the reason, a string literal. */
void dm_client_set_fault_and_close_connection(struct dm_client *,
					      const char *fault);

/* Send PT_MSG_ROOM if the tool waits for space in its ring and there is some.
   There is space if more than wait_value chunks are analysed or, for a request
   of space in the log, only if @has_log_room: the log has been read since. */
void dm_client_answer_wait_if_ring_has_room(struct dm_client *,
					    bool has_log_room);

/* Queue the welcome, the ring's descriptor and the plan, and send what fits
   into the socket. */
void dm_client_queue_and_send_welcome(struct dm_client *);

/* Send the tool a welcome that holds only the protocol version and the reason
   of the refusal, and close the connection. */
void dm_client_send_refusal_and_hang_up(struct dm_client *, const char *reason);

/* Close the connection, remove it from epoll, and apply DM_EV_HUNG_UP; no-op if
   the connection is closed already. The client is not freed. */
void dm_client_close_connection_if_open(struct dm_client *);

/* Read the names of code that was generated at run time (JIT) from the perf map
   and jitdump files of the program, into the client's stream. They are read
   from the program's /tmp, which cannot be reached after the program has ended,
   and from the daemon's /tmp. Call this before the stream finishes.
   Context: the thread that runs the ring reader, lock not held; or the child
   process that makes a live report. */
void dm_client_read_jit_names(struct dm_client *);

#endif
