/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox.c - queues and sends commands to a tool; see outbox.h
 */
#include "daemon/client/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/client/connection.h"
#include "lib/config/window/windows.h"

struct dm_tool_command {
	struct dm_tool_command *next;
	size_t bytes;
	struct pt_message message; /* the packet, [bytes] long */
};

/* ---- to one client ---- */

/* Whether the message is counted in pt_daemon_page.orders when it is sent: all
   types but PT_MSG_DECODED. */
static bool is_sent_message_counted_as_command(const struct pt_message *m)
{
	return m->type != PT_MSG_DECODED;
}

/* After a message was sent: if it reports an event (PT_MSG_HAPPENED), clear the
   bit that marks the event as queued; increment the ring's count of commands
   unless the message is not counted. */
static void
clear_event_bit_and_count_sent_command(struct dm_client *c,
				       const struct pt_message *sent_message)
{
	if (sent_message->type == PT_MSG_HAPPENED)
		c->reported_events[sent_message->value / 8] &=
			(uint8_t) ~(1u << sent_message->value % 8);
	if (is_sent_message_counted_as_command(sent_message))
		dm_ring_increment_command_count(&c->ring);
}

/* Send the first queued command; it stays in the queue. Return: false if it was
   not sent (DM_FULL) and is to be sent later; true if it was sent or can never
   be sent, because the connection has ended. */
static bool send_first_command_return_false_if_full(struct dm_client *c)
{
	struct dm_tool_command *command = c->first_command;
	struct iovec part = {&command->message, command->bytes};
	const struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	enum dm_send_result result = dm_client_send_without_blocking(c, &m);

	if (result == DM_SENT && c->fd >= 0)
		clear_event_bit_and_count_sent_command(c, &command->message);
	return result != DM_FULL;
}

static void remove_and_free_first_command(struct dm_client *c)
{
	struct dm_tool_command *command = c->first_command;

	c->first_command = command->next;
	if (!c->first_command)
		c->last_command = NULL;
	c->n_commands--;
	free(command);
}

bool dm_outbox_send_commands(struct dm_client *c)
{
	while (c->first_command && send_first_command_return_false_if_full(c))
		remove_and_free_first_command(c);
	return !c->first_command;
}

void dm_outbox_free_all_commands(struct dm_client *c)
{
	while (c->first_command)
		remove_and_free_first_command(c);
}

/* Whether the client is being recorded, its input is not over, and its
   connection is open, so that its tool receives commands. */
static bool can_receive_commands(const struct dm_client *c)
{
	return c->stage == DM_LIVE && !dm_is_no_more_input_accepted(c) &&
	       c->fd >= 0;
}

/* Append a copy of the packet @m to the client's queue, then send what fits
   into the socket. Return: false if the queue is full or memory is short; the
   packet is not queued then. */
static bool try_queue_command_then_send(struct dm_client *c,
					const struct pt_message *m,
					size_t bytes)
{
	struct dm_tool_command *command;

	if (c->n_commands == DM_MAX_COMMANDS)
		return false;
	command = malloc(sizeof(*command) + bytes);
	if (!command)
		return false;
	command->next = NULL;
	command->bytes = bytes;
	memcpy(&command->message, m, bytes);
	if (c->last_command)
		c->last_command->next = command;
	else
		c->first_command = command;
	c->last_command = command;
	c->n_commands++;
	dm_client_send_queued_packets(c);
	return true;
}

bool dm_outbox_queue_window_command(struct dm_client *c, uint32_t window_index,
				    bool open_else_close)
{
	const struct pt_message m = {.type = PT_MSG_ORDER,
				     .value = 2 * (uint64_t)window_index +
					      open_else_close};

	return can_receive_commands(c) &&
	       try_queue_command_then_send(c, &m, sizeof(m));
}

bool dm_outbox_queue_mark_command(struct dm_client *c, const char *name)
{
	struct {
		struct pt_message m;
		char name[PT_MAX_NAME + 1];
	} packet = {.m.type = PT_MSG_MARK};
	size_t bytes = strlen(name) + 1;

	if (bytes > sizeof(packet.name) || !can_receive_commands(c))
		return false;
	memcpy(packet.name, name, bytes);
	return try_queue_command_then_send(c, &packet.m,
					   sizeof(packet.m) + bytes);
}

bool dm_outbox_queue_flush_command(struct dm_client *c)
{
	const struct pt_message m = {.type = PT_MSG_FLUSH};

	return can_receive_commands(c) &&
	       try_queue_command_then_send(c, &m, sizeof(m));
}

bool dm_outbox_queue_answer(struct dm_client *c, const struct pt_message *m,
			    size_t bytes)
{
	return can_receive_commands(c) &&
	       try_queue_command_then_send(c, m, bytes);
}

/* ---- to all clients of a tree ---- */

/* Whether @c is another client than @from, receives commands, and its process
   is in the process tree of @from and is followed, that is, the window file has
   an entry for it. */
static bool is_event_receiver(const struct dm_client *c,
			      const struct dm_client *from)
{
	return c != from && c->process && can_receive_commands(c) &&
	       al_process_tree_number_in_run(c->process) ==
		       al_process_tree_number_in_run(from->process) &&
	       al_process_is_followed(c->process);
}

/* Queue a PT_MSG_HAPPENED for client @c, unless one for @event_index is queued
   already. If it cannot be queued, mark the client's process as truncated. */
static void queue_event_once(struct dm_client *c, uint32_t event_index)
{
	const struct pt_message m = {.type = PT_MSG_HAPPENED,
				     .value = event_index};
	uint8_t bit = (uint8_t)(1u << event_index % 8);

	if (c->reported_events[event_index / 8] & bit)
		return;
	c->reported_events[event_index / 8] |= bit;
	if (!try_queue_command_then_send(c, &m, sizeof(m)))
		al_process_set_truncated_once(c->process,
					      "too many orders wait for it");
}

/* Mark an event as happened in the process tree of @from, and queue it for the
   other followed clients of that tree. @send_if_already_stored: queue it also
   if it was marked before. */
static void store_and_send_event_to_tree(struct dm_client *from,
					 uint32_t event_index,
					 bool send_if_already_stored)
{
	struct dm_client *c;

	if (!al_process_mark_event_in_tree_if_new(from->process, event_index) &&
	    !send_if_already_stored)
		return;
	for (c = from->daemon->clients; c; c = c->next)
		if (is_event_receiver(c, from))
			queue_event_once(c, event_index);
}

void dm_outbox_send_tool_event_to_tree(struct dm_client *from,
				       uint64_t event_index)
{
	const struct al_windows *w = from->daemon->settings->windows;

	if (from->process && w && event_index < w->n[AL_EVENTS] &&
	    w->event[event_index].process ==
		    al_process_number_in_tree_or_0(from->process))
		store_and_send_event_to_tree(from, (uint32_t)event_index, true);
}

void dm_outbox_send_process_event_to_tree(struct dm_client *c,
					  enum pt_event_kind kind)
{
	const struct al_windows *w = c->daemon->settings->windows;
	unsigned number =
		c->process ? al_process_number_in_tree_or_0(c->process) : 0;

	for (uint32_t i = 0; w && number && i < w->n[AL_EVENTS]; i++)
		if (w->event[i].kind == kind && w->event[i].thread == 0 &&
		    w->event[i].process == number)
			store_and_send_event_to_tree(c, i, false);
}
