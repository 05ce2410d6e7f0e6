/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_faketool.h - tools written by hand, for tests of the daemon
 *
 * Room:    daemon, tests only.
 * Used by: dm_server_test.c, dm_hostile_test.c, dm_goodbye_test.c.
 * Threads: one.
 *
 * Real sockets and real shared memory. They all run in the test's process, so
 * for the daemon each is an image of the same process, and one must have
 * ended before the next is welcomed. Include tests/tap.h first.
 */
#ifndef DM_FAKETOOL_H
#define DM_FAKETOOL_H

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/dm_daemon.h"
#include "lib/al_options.h"
#include "proto/pt_hello.h"
#include "proto/pt_ring.h"
#include "proto/pt_unit.h"

enum { WAIT_MS = 5000 };

static char base[64];
static char path[DM_PATH];
static struct al_options *options;
static const struct al_settings *settings;
static struct dm_daemon *d;

struct tool {
	int fd;
	struct pt_welcome welcome;
	unsigned char *map;
	struct pt_tool_page *page;
	uint64_t *chunk0;
};

struct packet {
	struct pt_hello hello;
	char strings[16];
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

	memcpy(p.strings, "/tmp\0prog\0arg12\0", 16);
	p.hello.pid = (uint32_t)getpid();
	return p;
}

static inline int dial(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	struct timeval limit = {WAIT_MS / 1000, 0};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	memcpy(a.sun_path, path, sizeof(a.sun_path));
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)))
		abort();
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

static inline void join(struct tool *t, const struct packet *hello)
{
	const struct pt_daemon_page *page;
	int fd;

	*t = (struct tool){.fd = dial()};
	send(t->fd, hello, sizeof(*hello), MSG_NOSIGNAL);
	if (!get_welcome(t, &fd) || fd < 0)
		return;
	t->map = mmap(NULL, t->welcome.bytes, PROT_READ | PROT_WRITE,
		      MAP_SHARED, fd, 0);
	close(fd);
	page = (const struct pt_daemon_page *)t->map;
	t->page = (struct pt_tool_page *)(t->map + PT_PAGE);
	t->chunk0 = (uint64_t *)(t->map + 2 * PT_PAGE + page->log_bytes);
	t->page->ring = t->page->cursor = (uint64_t)(uintptr_t)t->chunk0;
	t->chunk0[0] = pt_control(PT_CHUNK, 0, PT_CHUNK_HEAD);
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

/* What the daemon says next: the type; 0 when it hung up; -1 when nothing. */
static inline int hear(struct tool *t)
{
	struct pt_message m;
	ssize_t n = recv(t->fd, &m, sizeof(m), 0);

	if (n < 0 && errno != ECONNRESET)
		return -1;
	return n <= 0 ? 0 : (int)m.type;
}

static inline void start(void)
{
	struct dm_options o = {.socket = path};
	char message[DM_MESSAGE];

	d = dm_daemon_start(settings, &o, message);
	if (!d)
		printf("# %s\n", message);
}

/* Ends the daemon; the report so far. The caller frees it. */
static inline char *stop(void)
{
	char *text = NULL;
	size_t len;
	FILE *f;

	dm_daemon_stop(d, 1000);
	ok(dm_daemon_wait(d, WAIT_MS), "the daemon comes to an end");
	f = open_memstream(&text, &len);
	dm_daemon_report(d, f, false);
	fclose(f);
	dm_daemon_free(d);
	return text;
}

/* What becomes of a hello: the reason of the refusal. */
static inline const char *refusal(const void *packet, size_t bytes)
{
	static struct tool t;
	int fd;

	t = (struct tool){.fd = dial()};
	send(t.fd, packet, bytes, MSG_NOSIGNAL);
	if (!get_welcome(&t, &fd) || t.welcome.bytes)
		t.welcome.reason[0] = '\0';
	close(t.fd);
	return t.welcome.reason;
}

/* A runtime directory and settings for all of a test. */
static inline void set_up(void)
{
	char message[AL_MESSAGE];

	snprintf(base, sizeof(base), "/tmp/dm-test-XXXXXX");
	if (!mkdtemp(base))
		abort();
	setenv("XDG_RUNTIME_DIR", base, 1);
	snprintf(path, sizeof(path), "%s/alleria/x.sock", base);
	options = al_options_new();
	settings = al_options_finish(options, message);
}

static inline int tear_down(void)
{
	char dir[80];

	al_options_free(options);
	snprintf(dir, sizeof(dir), "%s/alleria", base);
	ok(rmdir(dir) == 0 && rmdir(base) == 0, "nothing is left behind");
	return done_testing();
}

#endif
