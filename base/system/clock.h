/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - the one clock, and timed waits by it
 *
 * It is monotonic: setting the machine's clock neither delays a wait nor ends
 * one.
 *
 * Threads: any.
 */
#ifndef BASE_SYSTEM_CLOCK_H
#define BASE_SYSTEM_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Monotonic time. [ns] */
static inline uint64_t al_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Initialise a condition whose waits use this clock. */
void al_cond_init(pthread_cond_t *);

/**
 * al_cond_wait_until() - Wait for a condition of al_cond_init().
 * @lock: held; released meanwhile.
 * @end_ns: of al_now_ns().
 *
 * Return: false once @end_ns has passed; true when woken before, which may be
 *         for no reason.
 */
bool al_cond_wait_until(pthread_cond_t *, pthread_mutex_t *lock,
			uint64_t end_ns);

#endif
