/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox.h - queues and sends commands to a tool while its program runs
 *
 * Threads: any, with dm_daemon.lock held.
 *
 * A tool reads its socket when the count of commands in its ring has grown, so
 * a command is counted after it was sent. Commands that do not fit into the
 * socket are queued; they are sent in order, after the plan. The queue is
 * limited, because a program may read nothing for hours. The functions that
 * queue a command or an answer return false if the queue is full, memory is
 * short, the client is not in DM_LIVE, or its input or connection has ended.
 */
#ifndef DAEMON_CLIENT_OUTBOX_H
#define DAEMON_CLIENT_OUTBOX_H

#include "daemon/client/state.h"

enum { DM_MAX_COMMANDS = 4096 }; /* maximum length of a client's queue */

/* Command the tool to open or close a window. Return: false if the command
   cannot be queued. */
bool dm_outbox_queue_window_command(struct dm_client *, uint32_t window_index,
				    bool open_else_close);

/* Command the tool to record a mark. @name: at most PT_MAX_NAME bytes. Return:
   false if @name is longer or the command cannot be queued. */
bool dm_outbox_queue_mark_command(struct dm_client *, const char *name);

/* Command the tool to publish the units that it has recorded. Return: false if
   the command cannot be queued. */
bool dm_outbox_queue_flush_command(struct dm_client *);

/* Send the tool an answer to its request, a packet of @bytes. Return: false if
   it cannot be queued. */
bool dm_outbox_queue_answer(struct dm_client *, const struct pt_message *,
			    size_t bytes);

/* Send an event that happened in the process of @from to the other followed
   processes of its tree, and store it for processes that start later.
   @event_index: index in the settings' windows, from the tool; an event of
   another process is ignored. */
void dm_outbox_send_tool_event_to_tree(struct dm_client *from,
				       uint64_t event_index);

/* Report the start (PT_EVENT_CREATION) or the end (PT_EVENT_TERMINATION) of the
   client's process to the other processes of its tree, if a window uses it as
   an event and it has not been reported. */
void dm_outbox_send_process_event_to_tree(struct dm_client *,
					  enum pt_event_kind);

/* Send queued commands as long as they fit into the socket. Return: whether the
   queue is empty. */
bool dm_outbox_send_commands(struct dm_client *);

/* Drop all queued commands. */
void dm_outbox_free_all_commands(struct dm_client *);

#endif
