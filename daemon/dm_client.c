/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_client.c - talking to a tool
 *
 * Room:    daemon.
 */
#include "daemon/dm_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/dm_orders.h"
#include "daemon/dm_plan.h"
#include "daemon/dm_process.h"

struct dm_client *dm_client_new(struct dm_daemon *d, int fd, pid_t pid)
{
	struct dm_client *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->intake.turn = dm_intake_turn;
	for (size_t i = 0; i < DM_HANDS; i++) {
		c->hand[i].task.turn = dm_hand_turn;
		c->hand[i].client = c;
		c->hand[i].next = c->idle;
		c->idle = &c->hand[i];
	}
	c->daemon = d;
	c->fd = fd;
	c->pid = pid;
	c->born = dm_process_born(pid);
	c->parent_pid = dm_process_parent(pid);
	c->parent_born = dm_process_born(c->parent_pid);
	if (getrandom(&c->token, sizeof(c->token), 0) != sizeof(c->token)) {
		free(c);
		return NULL;
	}
	c->ring.fd = -1;
	return c;
}

void dm_client_free(struct dm_client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	dm_ring_release(&c->ring);
	dm_orders_release(c);
	dm_hello_release(&c->hello);
	free(c);
}

void dm_client_send(struct dm_client *c, enum pt_message_type type,
		    uint64_t value)
{
	struct pt_message m = {.type = type, .value = value};

	if (c->fd >= 0)
		(void)!send(c->fd, &m, sizeof(m), MSG_DONTWAIT | MSG_NOSIGNAL);
}

void dm_client_ask(struct dm_client *c, bool asks)
{
	if (c->asked != asks)
		dm_workers_await(&c->daemon->workers, asks);
	c->asked = asks;
}

void dm_client_answer(struct dm_client *c, bool log_taken)
{
	bool room = c->asked_value == UINT64_MAX ? log_taken
						 : c->analysed > c->asked_value;

	if (!c->asked || !room)
		return;
	dm_client_ask(c, false);
	dm_client_send(c, PT_MSG_ROOM, c->analysed);
}

void dm_client_send_fd(struct dm_client *c, const void *packet, size_t bytes,
		       int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {(void *)packet, bytes};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};

	if (c->fd < 0)
		return;
	if (fd >= 0) {
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
	}
	(void)!sendmsg(c->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void send_welcome(struct dm_client *c, struct pt_welcome *w, int fd)
{
	w->magic = PT_MAGIC;
	w->major = PT_MAJOR;
	w->minor = PT_MINOR;
	dm_client_send_fd(c, w, sizeof(*w), fd);
}

void dm_client_welcome(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct pt_welcome w = {
		.fields = al_settings_fields(d->settings),
		.stream = c->number,
		.bytes = c->ring.bytes,
		.wants = d->options.private ? PT_WANT_GOODBYE : 0,
		.plan_bytes = dm_plan_bytes(c),
		.token = c->token,
	};

	send_welcome(c, &w, c->ring.fd);
	dm_plan_send(c);
	dm_ring_handed_over(&c->ring);
}

void dm_client_refuse(struct dm_client *c, const char *reason)
{
	struct pt_welcome w = {0};

	snprintf(w.reason, sizeof(w.reason), "%s", reason);
	send_welcome(c, &w, -1);
	dm_client_hang_up(c);
}

void dm_client_hang_up(struct dm_client *c)
{
	if (c->fd < 0)
		return;
	dm_client_ask(c, false);
	epoll_ctl(c->daemon->epoll, EPOLL_CTL_DEL, c->fd, NULL);
	close(c->fd);
	c->fd = -1;
}

/* @dir: /tmp. @pid: of the program in it. */
static void read_names(struct dm_client *c, const char *dir, pid_t pid)
{
	char path[80];

	snprintf(path, sizeof(path), "%s/perf-%d.map", dir, (int)pid);
	al_stream_read_perfmap(c->stream, path);
	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, (int)pid);
	al_stream_read_perfmap(c->stream, path);
}

void dm_client_read_names(struct dm_client *c)
{
	char dir[40];

	snprintf(dir, sizeof(dir), "/proc/%d/root/tmp", (int)c->pid);
	read_names(c, dir, dm_process_own_pid(c->pid));
	read_names(c, "/tmp", c->pid);
}
