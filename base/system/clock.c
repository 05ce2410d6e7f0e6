/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - timed waits by the monotonic clock; see clock.h */

#include "base/system/clock.h"

enum { SECOND_NS = 1000000000 };

void al_cond_init_monotonic(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
}

bool al_cond_wait_until_is_signalled(pthread_cond_t *cond,
				     pthread_mutex_t *lock, uint64_t end_ns)
{
	const struct timespec end = {
		.tv_sec = (time_t)(end_ns / SECOND_NS),
		.tv_nsec = (long)(end_ns % SECOND_NS),
	};

	return pthread_cond_timedwait(cond, lock, &end) == 0;
}
