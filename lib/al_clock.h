/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_clock.h - the one clock
 *
 * Room:    lib.
 * Used by: lib, daemon.
 * Threads: any.
 */
#ifndef AL_CLOCK_H
#define AL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Monotonic time. [ns] */
static inline uint64_t al_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

#endif
