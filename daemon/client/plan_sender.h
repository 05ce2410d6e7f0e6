/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_sender.h - sends a process's recording plan and the user's allocator
 * functions to its tool, and answers its questions about the plan
 *
 * Threads: any, with dm_daemon.lock held.
 *
 * These functions do not block. If the whole plan does not fit into the socket,
 * the rest is sent when it does; see
 * dm_client_send_queued_packets().
 */
#ifndef DAEMON_CLIENT_PLAN_SENDER_H
#define DAEMON_CLIENT_PLAN_SENDER_H

#include "daemon/client/state.h"

/* Return the length [bytes] of the plan for the client's tool; 0: the tool gets
   none. */
uint32_t dm_plan_byte_count_of_client(const struct dm_client *);

/* Send as much of the recording plan (the windows and filters of the process)
   as fits into the socket. Return: false if a packet was not sent (DM_FULL), so
   that the rest is to be sent later; true also if the peer can receive nothing
   any more. */
bool dm_plan_send_rest_unless_socket_full(struct dm_client *);

/* Return the size [bytes] of the list of allocator functions, given by
   --allocators, that is sent to the client's tool; 0: it is sent none. */
uint32_t dm_allocator_list_byte_count_of_client(const struct dm_client *);

/* Send the allocator functions, after the plan, unless that was done. Return:
   false if the packet was not sent (DM_FULL); true also if the peer can receive
   nothing any more. */
bool dm_plan_send_allocators(struct dm_client *);

/* Answer a request PT_MSG_DECODE of @packet_bytes, which holds instructions:
   queue a message that lists for each of them the matching selects (instruction
   filters) of the client's plan. If the request is invalid or the answer cannot
   be queued, set the client's fault and close its connection. No-op if the
   client's input is over. */
void dm_answer_decode_request(struct dm_client *, const struct pt_message *,
			      size_t packet_bytes);

#endif
