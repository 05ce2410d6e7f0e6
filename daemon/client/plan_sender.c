/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_sender.c - sends the tool of a process its recording plan, and the
 * allocator functions that the user named
 */
#include "daemon/client/plan_sender.h"

#include "daemon/client/connection.h"

enum { PACKET_BYTES = PT_MAX_MESSAGE - sizeof(struct pt_message) };

uint32_t dm_plan_byte_count_of_client(const struct dm_client *c)
{
	const struct pt_plan *p =
		c->process ? al_process_recording_plan(c->process) : NULL;

	return p ? p->bytes : 0;
}

uint32_t dm_allocator_list_byte_count_of_client(const struct dm_client *c)
{
	return c->process ? c->daemon->settings->allocator_bytes : 0;
}

/* Send the next packet of the plan, from offset c->plan_sent on, and advance
   c->plan_sent if the packet was sent. @bytes_left: of the plan from that
   offset on. */
static enum dm_send_result send_next_plan_packet(struct dm_client *c,
						 const char *whole_plan,
						 uint32_t bytes_left)
{
	struct pt_message head = {.type = PT_MSG_PLAN, .value = c->plan_sent};
	uint32_t n = bytes_left < PACKET_BYTES ? bytes_left : PACKET_BYTES;
	struct iovec part[2] = {{&head, sizeof(head)},
				{(void *)(whole_plan + c->plan_sent), n}};
	const struct msghdr m = {.msg_iov = part, .msg_iovlen = 2};
	enum dm_send_result sent = dm_client_send_without_blocking(c, &m);

	if (sent == DM_SENT)
		c->plan_sent += n;
	return sent;
}

bool dm_plan_send_allocators(struct dm_client *c)
{
	const struct al_settings *s = c->daemon->settings;
	struct pt_message head = {.type = PT_MSG_ALLOCATORS};
	struct iovec part[2] = {{&head, sizeof(head)},
				{s->allocators, s->allocator_bytes}};
	const struct msghdr m = {.msg_iov = part, .msg_iovlen = 2};
	enum dm_send_result sent;

	if (c->allocators_sent || !dm_allocator_list_byte_count_of_client(c))
		return true;
	sent = dm_client_send_without_blocking(c, &m);
	c->allocators_sent = sent == DM_SENT;
	return sent != DM_FULL;
}

bool dm_plan_send_rest_unless_socket_full(struct dm_client *c)
{
	uint32_t bytes = dm_plan_byte_count_of_client(c);
	enum dm_send_result sent = DM_SENT;

	while (c->plan_sent < bytes && sent == DM_SENT)
		sent = send_next_plan_packet(
			c, (const char *)al_process_recording_plan(c->process),
			bytes - c->plan_sent);
	return sent != DM_FULL;
}
