/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_bounds.h - bounds on what a recorded program can make the daemon keep
 *
 * Each bound is of one image. At the bound, the image's stream ends with its own
 * error, and its process is truncated with al_bounds_reason(); other processes
 * are recorded as before.
 *
 * Everything else of an image is bounded by its log: a log record names what
 * units may refer to, and a unit adds nothing of its own.
 */
#ifndef AL_BOUNDS_H
#define AL_BOUNDS_H

#include <errno.h>
#include <stdint.h>

/* [bytes] of blocks that were stopped by faults, or run in part for a window's
   warmup: copies of descriptions, counters, and what analyses keep. */
#define AL_MOST_PARTS ((uint64_t)64 << 20)

/* A stream's errors, negated as others are. */
enum al_excess {
	AL_E_PARTS = EDQUOT, /* AL_MOST_PARTS */
};

/* Return: the reason for which a stream's process is truncated. @err: of the
   stream, -errno, or 0: NULL. */
const char *al_bounds_reason(int err);

#endif
