/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_filter.h - whose the executions of a thread are, by the plan
 *
 * Threads: any; constant once made.
 *
 * An execution belongs to the lanes (proto/window.h) that want its block's
 * instructions and that its thread is in. Of each window a thread is in the lane
 * that names it or, if none does, in the one for any thread. Threads that no
 * lane names are in the same lanes: they are of class 0; those named have
 * classes of their own. Without a plan everything belongs to the only class.
 *
 * Warm lanes are apart: nothing is recorded for them that counts.
 */
#ifndef LIB_RECOVER_THREAD_FILTER_H
#define LIB_RECOVER_THREAD_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/window.h"

struct al_lanes {
	unsigned n_windows;
	unsigned n; /* classes, 1 at least */
	struct {
		uint32_t thread; /* but for class 0 */
		uint64_t lanes;	 /* that it is in, but for warm ones */
		uint64_t warm;	 /* those */
	} class[1 + PT_MAX_LANES];
	uint8_t window[PT_MAX_LANES]; /* by lane */
	uint64_t all;		      /* lanes that there are, the same */
	uint64_t warm;
};

/* @plan: sound, or NULL. */
void al_lanes_init(struct al_lanes *, const struct pt_plan *plan);

/* The class of a thread. */
unsigned al_lanes_class(const struct al_lanes *, uint32_t thread);

/* The lanes of a window that threads of a class are in. */
uint64_t al_lanes_of(const struct al_lanes *, unsigned class, unsigned window);

/* The warm lanes of a window. */
uint64_t al_lanes_warm(const struct al_lanes *, unsigned window);

/* The windows of lanes, a bit each. */
uint64_t al_lanes_windows(const struct al_lanes *, uint64_t lanes);

#endif
