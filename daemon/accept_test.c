/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accept_test.c - connections come while the system has no descriptor */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "daemon/daemon.h"
#include "tests/tap.h"

#include "tests/fixtures/fake_tool.h"

int __real_accept4(int fd, struct sockaddr *, socklen_t *, int flags);
int __wrap_accept4(int fd, struct sockaddr *, socklen_t *, int flags);

static int error;	 /* error that accept4() returns while this is not 0 */
static unsigned n_asked; /* calls of accept4() */

int __wrap_accept4(int fd, struct sockaddr *addr, socklen_t *size, int flags)
{
	int err = __atomic_load_n(&error, __ATOMIC_SEQ_CST);

	__atomic_add_fetch(&n_asked, 1, __ATOMIC_SEQ_CST);
	if (!err)
		return __real_accept4(fd, addr, size, flags);
	errno = err;
	return -1;
}

static void fail_with(int err)
{
	__atomic_store_n(&n_asked, 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&error, err, __ATOMIC_SEQ_CST);
}

static unsigned count_asked(unsigned ms)
{
	poll(NULL, 0, (int)ms);
	return __atomic_load_n(&n_asked, __ATOMIC_SEQ_CST);
}

/* Wait on @fd for the welcome of a tool that was accepted late. */
static bool is_welcomed(int fd)
{
	struct packet hello = good_hello();
	struct tool t;

	join_on(&t, fd, &hello);
	if (!t.map)
		return false;
	t.page->ending = PT_EXITED;
	say(&t, PT_MSG_BYE, 0);
	leave(&t);
	return dm_daemon_wait_clients_end_saved(d, WAIT_MS);
}

static void test_shortage(void)
{
	unsigned n;
	int fd;

	start();
	fail_with(EMFILE);
	fd = dial();
	n = count_asked(300);
	if (!ok(n >= 2 && n < 50,
		"without a descriptor the daemon asks again, and seldom"))
		printf("# %u times\n", n);
	fail_with(0);
	ok(is_welcomed(fd), "the tool is welcomed when there is one");
	free(stop());
}

static void test_aborted(void)
{
	int fd;

	start();
	fail_with(ECONNABORTED);
	fd = dial();
	ok(count_asked(100) > 0, "a connection may end before it is accepted");
	fail_with(0);
	ok(is_welcomed(fd), "the next one is welcomed");
	free(stop());
}

int main(void)
{
	set_up();
	test_shortage();
	test_aborted();
	return tear_down();
}
