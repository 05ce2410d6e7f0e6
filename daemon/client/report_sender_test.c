/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_sender_test.c - a report for a tool that reads slowly, or not at all,
   on a machine that is short of memory */

#include <poll.h>
#include <sys/syscall.h>

#include "daemon/daemon.h"
#include "tests/tap.h"

#include "daemon/client/report_sender.h"
#include "daemon/core/clock.h"
#include "tests/fixtures/fake_tool.h"

enum { MUCH = 3 << 20 /* [bytes], more than a socket takes */ };

static struct pt_shared_u64
	refused; /* calls of sendmsg() that are still to fail */

/* Send a packet, or fail as when the kernel is short of memory. */
ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	uint64_t remaining = pt_load_relaxed(&refused);

	if (remaining > 0) {
		pt_store_relaxed(&refused, remaining - 1);
		errno = remaining % 2 ? ENOBUFS : ENOMEM;
		return -1;
	}
	return syscall(SYS_sendmsg, fd, m, flags);
}

static struct dm_text text_of(size_t bytes)
{
	struct dm_text t = {malloc(bytes), bytes};

	if (!t.data)
		abort();
	memset(t.data, 'x', bytes);
	return t;
}

/* Queue a report for the only client. Return: [ns] that it took. */
static uint64_t queue(size_t json, size_t text, uint64_t status)
{
	uint64_t begin = dm_now_ns();

	dm_lock(d);
	dm_report_send_and_close(d->clients, text_of(json), text_of(text),
				 status);
	dm_unlock(d);
	return dm_now_ns() - begin;
}

/* Connect a tool and send its PT_MSG_BYE. */
static void join_and_end(struct tool *t)
{
	struct packet hello = good_hello();

	join(t, &hello);
	if (!t->map)
		return;
	t->page->ending = PT_EXITED;
	say(t, PT_MSG_BYE, 0);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
}

/* Read packets up to PT_MSG_DONE. Return: its status; UINT64_MAX: none came. */
static uint64_t read_report(struct tool *t, size_t got[3])
{
	static _Alignas(8) char packet[PT_MAX_MESSAGE];
	const struct pt_message *m = (const struct pt_message *)packet;
	ssize_t n;

	got[1] = got[2] = 0;
	while ((n = recv(t->fd, packet, sizeof(packet), 0)) >=
	       (ssize_t)sizeof(*m)) {
		if (m->type == PT_MSG_DONE)
			return m->value;
		if (m->type == PT_MSG_TEXT && (m->value == 1 || m->value == 2))
			got[m->value] += (size_t)n - sizeof(*m);
	}
	return UINT64_MAX;
}

static void test_slow(void)
{
	struct tool t;
	size_t got[3];

	start();
	join_and_end(&t);
	ok(queue(MUCH, 1000, 7) < DM_SECOND,
	   "a report that the socket has no room for is not waited for");
	usleep(300000);
	is_u64(read_report(&t, got), 7, "a slow reader gets the status");
	is_u64(got[1], MUCH, "all of the JSON text");
	is_u64(got[2], 1000, "and all of the report");
	is_u64((uint64_t)hear(&t), 0, "then its connection is closed");
	leave(&t);
	free(stop());
}

static void test_gone(void)
{
	struct tool t;

	start();
	join_and_end(&t);
	queue(MUCH, MUCH, 0);
	leave(&t);
	ok(dm_daemon_is_run_complete(d), "a reader may go away");
	free(stop());
}

/* Check that a tool which never reads does not prevent a daemon from ending. */
static void test_stop(void)
{
	struct tool t;

	start();
	join_and_end(&t);
	queue(MUCH, MUCH, 0);
	free(stop());
	leave(&t);
}

/* Check that a report is complete when each packet is refused twice. */
static void test_no_memory(void)
{
	struct tool t;
	size_t got[3];

	start();
	pt_store_relaxed(&refused, 3);
	join_and_end(&t);
	ok(t.map != NULL, "without memory to send with a welcome comes later");
	pt_store_relaxed(&refused, 5);
	queue(1000, 1000, 9);
	is_u64(read_report(&t, got), 9, "and so does a report");
	is_u64(got[1] + got[2], 2000, "all of it");
	is_u64(pt_load_relaxed(&refused), 0, "it was tried again");
	leave(&t);
	ok(dm_daemon_is_run_complete(d), "and the run is complete");
	free(stop());
}

int main(void)
{
	set_up();
	test_slow();
	test_gone();
	test_stop();
	test_no_memory();
	return tear_down();
}
