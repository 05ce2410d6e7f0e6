/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_toolside.h - the tool's side of the socket and the ring, by hand
 *
 * Threads: one.
 *
 * Real sockets and real shared memory, and none of the tool's care: it trusts
 * the daemon.
 */
#ifndef DM_TOOLSIDE_H
#define DM_TOOLSIDE_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "proto/pt_hello.h"
#include "proto/pt_ring.h"
#include "proto/pt_unit.h"
#include "proto/pt_window.h"

enum { WAIT_MS = 20000 }; /* for an answer */

struct tool {
	int fd;
	struct pt_welcome welcome;
	unsigned char *map;
	struct pt_tool_page *page;
	uint64_t *staging; /* units that are not published */
	uint64_t *chunk0;  /* place 0 */
};

struct packet {
	struct pt_hello hello;
	char rest[sizeof(struct pt_token) + 16]; /* token, if any, then
						    strings */
};

static inline struct packet good_hello(void)
{
	struct packet p = {
		.hello = {.magic = PT_MAGIC,
			  .major = PT_MAJOR,
			  .minor = PT_MINOR,
			  .bytes = sizeof(struct pt_hello) + 16,
			  .n_strings = 3,
			  .valgrind = "3.19.0"},
	};

	memcpy(p.rest, "/tmp\0prog\0arg12\0", 16);
	p.hello.pid = (uint32_t)getpid();
	return p;
}

/* Return the hello of a child that was forked from @parent. */
static inline struct packet forked_hello(const struct tool *parent)
{
	struct packet p = good_hello();

	p.hello.flags = PT_HELLO_FORKED | PT_HELLO_TOKEN;
	p.hello.parent_pid = (uint32_t)getppid();
	p.hello.parent_stream = parent->welcome.stream;
	p.hello.bytes += sizeof(struct pt_token);
	memmove(p.rest + sizeof(struct pt_token), p.rest, 16);
	memcpy(p.rest, &parent->welcome.token, sizeof(struct pt_token));
	return p;
}

/* -1 with errno when nobody listens at @path. */
static inline int dial_at(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	struct timeval limit = {WAIT_MS / 1000, 0};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&a, sizeof(a))) {
		close(fd);
		return -1;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return fd;
}

/* Receives the answer to a hello; false when the daemon hung up. */
static inline bool get_welcome(struct tool *t, int *ring_fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {&t->welcome, sizeof(t->welcome)};
	struct msghdr m = {.msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = sizeof(control)};

	*ring_fd = -1;
	if (recvmsg(t->fd, &m, 0) != sizeof(t->welcome))
		return false;
	if (m.msg_controllen)
		memcpy(ring_fd, CMSG_DATA(&control.head), sizeof(*ring_fd));
	return true;
}

/* Says hello on @connection; without a map the daemon wants none of it. */
static inline void join_on(struct tool *t, int connection,
			   const struct packet *hello)
{
	const struct pt_daemon_page *page;
	int fd;

	*t = (struct tool){.fd = connection};
	send(t->fd, hello, hello->hello.bytes, MSG_NOSIGNAL);
	if (!get_welcome(t, &fd) || fd < 0)
		return;
	t->map = mmap(NULL, t->welcome.bytes, PROT_READ | PROT_WRITE,
		      MAP_SHARED, fd, 0);
	close(fd);
	page = (const struct pt_daemon_page *)t->map;
	t->page = (struct pt_tool_page *)(t->map + PT_PAGE);
	t->staging = (uint64_t *)(t->map + 2 * PT_PAGE + page->log_bytes);
	t->chunk0 = t->staging + page->chunk_bytes / 8;
	t->page->staging = t->page->cursor = (uint64_t)(uintptr_t)t->staging;
	t->staging[0] = pt_control(PT_CHUNK, 0, PT_CHUNK_HEAD);
	t->chunk0[0] = t->staging[0];
}

/* The plan behind the welcome, for free(); NULL when it does not come whole. */
static inline struct pt_plan *get_plan(struct tool *t)
{
	static _Alignas(8) char packet[PT_MAX_MESSAGE];
	struct pt_message *m = (struct pt_message *)packet;
	uint32_t at = 0, bytes = t->welcome.plan_bytes;
	char *plan = malloc(bytes + 1u);

	while (plan && at < bytes) {
		ssize_t n = recv(t->fd, packet, sizeof(packet), 0);
		uint32_t part = n > (ssize_t)sizeof(*m)
					? (uint32_t)(n - (ssize_t)sizeof(*m))
					: 0;

		if (!part || m->type != PT_MSG_PLAN || m->value != at ||
		    part > bytes - at) {
			free(plan);
			return NULL;
		}
		memcpy(plan + at, m + 1, part);
		at += part;
	}
	return (struct pt_plan *)plan;
}

static inline void leave(struct tool *t)
{
	close(t->fd);
	if (t->map)
		munmap(t->map, t->welcome.bytes);
}

static inline void say(struct tool *t, uint32_t type, uint64_t value)
{
	struct pt_message m = {.type = type, .value = value};

	send(t->fd, &m, sizeof(m), MSG_NOSIGNAL);
}

static inline void publish(struct tool *t, uint64_t chunks)
{
	/* Pairs with the load-acquire of published in dm_ring_look(). */
	pt_store_release(&t->page->published, chunks);
}

static inline void set_log_head(struct tool *t, uint64_t bytes)
{
	/* Pairs with the load-acquire of log_head in dm_ring_log(). */
	pt_store_release(&t->page->log_head, bytes);
}

static inline uint64_t released(const struct tool *t)
{
	/* Pairs with the store-release of released in dm_ring_chunk_done(). */
	return pt_load_acquire(
		&((const struct pt_daemon_page *)t->map)->released);
}

static inline uint64_t log_taken(const struct tool *t)
{
	/* Pairs with the store-release of log_tail in dm_ring_log(). */
	return pt_load_acquire(
		&((const struct pt_daemon_page *)t->map)->log_tail);
}

/* What the daemon says next: the type; 0 when it hung up; -1 when nothing. */
static inline int hear(struct tool *t)
{
	struct pt_message m;
	ssize_t n = recv(t->fd, &m, sizeof(m), 0);

	if (n < 0 && errno != ECONNRESET)
		return -1;
	return n <= 0 ? 0 : (int)m.type;
}

#endif
