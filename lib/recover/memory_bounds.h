/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory_bounds.h - bounds on what a recorded program can make the daemon keep
 *
 * Each bound is of one image. At the bound, the image's stream ends with its own
 * error, and its process is truncated with al_bounds_reason(); other processes
 * are recorded as before.
 *
 * Other things that grow with an image have bounds in proto/: al_marks by
 * PT_MAX_NAMES and PT_MAX_NAME, al_outcomes by PT_MAX_EVENTS and PT_MAX_MISSED,
 * mappings at once by PT_MAX_MAPPED, al_past by the warmup of the plan, pieces
 * by the chunk. al_blocks keeps one record each of values and lanes, that of the
 * next block. al_touch is a cache, emptied when it is full.
 */
#ifndef LIB_RECOVER_MEMORY_BOUNDS_H
#define LIB_RECOVER_MEMORY_BOUNDS_H

#include <errno.h>
#include <stdint.h>

/* [bytes] of blocks that were stopped by faults, or run in part for a window's
   warmup: copies of descriptions, counters, and what analyses keep. */
#define AL_MOST_PARTS ((uint64_t)64 << 20)

/* [bytes] of log whose content is kept: blocks, mappings, paths and names, but
   not intercepted calls. A block takes about 300, and PT_MAX_ROUTES ends most
   programs' blocks before this does. */
#define AL_MOST_KEPT ((uint64_t)4 << 30)

enum {
	AL_MOST_CHILDREN = 1 << 22, /* children whose end the image has waited
				       for */
	AL_MOST_WARMED = 1 << 20,   /* parts of blocks found for warmups */
};

/* Errors of a stream at a bound; negated in results. */
enum al_excess {
	AL_E_PARTS = EDQUOT,	/* AL_MOST_PARTS, AL_MOST_WARMED */
	AL_E_KEPT = E2BIG,	/* AL_MOST_KEPT */
	AL_E_CHILDREN = ECHILD, /* AL_MOST_CHILDREN */
};

/* Return why the process of a stream with error @err is truncated; NULL if @err
   is not one of these bounds. @err: -errno or 0. */
const char *al_bounds_reason(int err);

#endif
