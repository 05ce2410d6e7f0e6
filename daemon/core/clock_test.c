/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock_test.c - a daemon whose machine's clock is set back */

#include <sys/syscall.h>
#include <time.h>

#include "daemon/daemon.h"
#include "tests/tap.h"

#include "daemon/core/clock.h"
#include "tests/fixtures/fake_tool.h"

enum {
	HOUR = 3600,
	LIMIT = 30 /* LIMIT [s]: the test is ended as hung after
		      it */
};

/* Return a real time one hour ahead of the kernel's, as a wait sees it that
   began before the clock was set back. */
int clock_gettime(clockid_t id, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, id, t);

	if (id == CLOCK_REALTIME)
		t->tv_sec += HOUR;
	return rc;
}

int main(void)
{
	struct packet hello = good_hello();
	uint64_t begin = dm_now_ns();
	struct tool t;

	set_up();
	signal(SIGALRM, SIG_DFL);
	alarm(LIMIT);
	start();
	join(&t, &hello);
	ok(!dm_daemon_wait_clients_end_saved(d, 50),
	   "a wait for a program that runs ends");
	ok(dm_now_ns() - begin < 5 * DM_SECOND, "when its time is over");
	leave(&t);
	free(stop());
	return tear_down();
}
