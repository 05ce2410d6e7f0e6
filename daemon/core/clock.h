/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - reads the monotonic clock for all of the daemon
 *
 * Threads: any.
 */
#ifndef DAEMON_CORE_CLOCK_H
#define DAEMON_CORE_CLOCK_H

#include "base/system/clock.h"

#define DM_SECOND UINT64_C(1000000000) /* [ns] in a second */
#define DM_MS UINT64_C(1000000)	       /* [ns] in a millisecond */

/* Return the monotonic time [ns]. */
static inline uint64_t dm_now_ns(void)
{
	return al_now_ns();
}

#endif
