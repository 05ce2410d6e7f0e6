/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_plan.c - a process's plan on its way to the tool
 *
 * Room:    daemon.
 */
#include "daemon/dm_plan.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "daemon/dm_orders.h"

enum { PART = PT_MAX_MESSAGE - sizeof(struct pt_message) };

uint32_t dm_plan_bytes(const struct dm_client *c)
{
	const struct pt_plan *p = al_process_plan(c->process);

	return p ? p->bytes : 0;
}

/* The next packet. [bytes] of the plan in it; 0: there is no room. A peer that
   is gone takes everything. */
static uint32_t send_part(struct dm_client *c, const char *plan, uint32_t left)
{
	struct pt_message head = {.type = PT_MSG_PLAN, .value = c->plan_sent};
	uint32_t n = left < PART ? left : PART;
	struct iovec part[2] = {{&head, sizeof(head)},
				{(void *)(plan + c->plan_sent), n}};
	struct msghdr m = {.msg_iov = part, .msg_iovlen = 2};

	if (sendmsg(c->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
		return n;
	return errno == EAGAIN || errno == EINTR ? 0 : left;
}

/* Whether the server is to say when there is room. */
static void ask_for_room(struct dm_client *c, bool ask)
{
	struct epoll_event ev = {
		.events = EPOLLIN | (ask ? EPOLLOUT : 0),
		.data.ptr = c,
	};

	if (c->plan_waits != ask)
		epoll_ctl(c->daemon->epoll, EPOLL_CTL_MOD, c->fd, &ev);
	c->plan_waits = ask;
}

void dm_plan_send(struct dm_client *c)
{
	const char *plan = (const char *)al_process_plan(c->process);
	uint32_t bytes = dm_plan_bytes(c), n = 1;

	while (c->fd >= 0 && c->plan_sent < bytes && n > 0) {
		n = send_part(c, plan, bytes - c->plan_sent);
		c->plan_sent += n;
	}
	if (c->fd >= 0)
		ask_for_room(c, n == 0 || !dm_orders_flush(c));
}
