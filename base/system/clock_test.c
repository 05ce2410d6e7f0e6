/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock_test.c - tests timed waits on a machine whose clock is set back */

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/tap.h"

#include "base/system/clock.h"

enum {
	HOUR = 3600,
	LIMIT = 20 /* LIMIT [s]: the test is ended as hung after it */
};

/* Replaces the C library's function. Return a real time that is one hour ahead
   of the kernel's, as a wait reads it that began before the clock was set
   back. */
int clock_gettime(clockid_t id, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, id, t);

	if (id == CLOCK_REALTIME)
		t->tv_sec += HOUR;
	return rc;
}

static void test_condition(void)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uint64_t begin = al_now_ns(), end = begin + 50000000;
	pthread_cond_t cond;

	al_cond_init_monotonic(&cond);
	pthread_mutex_lock(&lock);
	while (al_cond_wait_until_is_signalled(&cond, &lock, end))
		;
	pthread_mutex_unlock(&lock);
	ok(al_now_ns() >= end, "a wait takes its time");
	ok(al_now_ns() < end + UINT64_C(5000000000), "and no more than that");
	pthread_cond_destroy(&cond);
}

int main(void)
{
	signal(SIGALRM, SIG_DFL);
	alarm(LIMIT);
	test_condition();
	return done_testing();
}
