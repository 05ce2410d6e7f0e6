/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - monotonic time, and timed waits
 *
 * All times are of CLOCK_MONOTONIC, so setting the machine's clock neither
 * delays a wait nor ends one.
 *
 * Threads: any.
 */
#ifndef BASE_SYSTEM_CLOCK_H
#define BASE_SYSTEM_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Return the monotonic time. [ns] */
static inline uint64_t al_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Initialise a condition for waits by the monotonic clock. */
void al_cond_init_monotonic(pthread_cond_t *);

/**
 * al_cond_wait_until_is_signalled() - Wait for a condition initialised by
 * al_cond_init_monotonic() until it is signalled or @end_ns.
 * @lock: held; released during the wait, and held again afterwards.
 * @end_ns: [ns] time of al_now_ns() at which the wait ends.
 *
 * Return: false if @end_ns has passed; true if woken earlier, possibly for no
 * reason.
 */
bool al_cond_wait_until_is_signalled(pthread_cond_t *, pthread_mutex_t *lock,
				     uint64_t end_ns);

#endif
