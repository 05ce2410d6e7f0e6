/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_filter.h - assigns a program's threads to the lanes of the plan
 *
 * Threads: any; constant after al_lanes_init().
 *
 * A lane (proto/window.h) is a window's entry for a thread, or for any thread
 * without an entry of its own. A lane selects an execution if its thread
 * belongs to the lane and the lane selects instructions of the block. In each
 * window a thread belongs to the lane that names it or, if there is none, to
 * the lane for any thread.
 *
 * All threads of a class belong to the same lanes: each named thread is a class
 * of its own, and all others are in class 0. Without a plan there is only class
 * 0, to which all threads belong.
 *
 * Warm lanes select instructions before a window records, to warm the caches.
 * Sets of warm lanes are separate, because executions are not counted for them.
 */
#ifndef LIB_RECOVER_THREAD_FILTER_H
#define LIB_RECOVER_THREAD_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/window.h"

/* Lanes (thread filters of windows) and thread classes of a plan. Sets of lanes
   are bit masks. */
struct al_lanes {
	unsigned n_windows;
	unsigned n; /* number of thread classes, at least 1 */
	struct {
		uint32_t thread; /* number of the thread; unused in class 0 */
		uint64_t lanes;	 /* lanes that the threads of the class belong
				    to, without warm ones */
		uint64_t warm;	 /* warm lanes that the threads of the class
				    belong to */
	} class[1 + PT_MAX_LANES];
	uint8_t window[PT_MAX_LANES]; /* number of each lane's window */
	uint64_t all;		      /* all lanes that are not warm, as bits */
	uint64_t warm;		      /* all warm lanes, as bits */
};

/* Set lanes and classes from @plan, which is valid by al_plan_check(); NULL:
   one class, which belongs to all lanes. */
void al_lanes_init(struct al_lanes *, const struct pt_plan *plan);

/* Return the index in `class` of the class of the thread with number @thread; 0
   if it has no class of its own. */
unsigned al_lanes_class_of_thread_or_0(const struct al_lanes *,
				       uint32_t thread);

/* Return the lanes (thread filters) of window number @window that threads of
   @class belong to, as bits. Lanes of warm-ups are left out. */
uint64_t al_lanes_nonwarmup_bits_of_class_window(const struct al_lanes *,
						 unsigned class,
						 unsigned window);

/* Return the warm lanes (thread filters of the warm-up) of window number
   @window, as bits. */
uint64_t al_lanes_warmup_lane_bits_of_window(const struct al_lanes *,
					     unsigned window);

/* Return the windows that a set of lanes (thread filters) belongs to, as bits.
   Lanes of warm-ups in the set are ignored. */
uint64_t al_lanes_windows_of_nonwarmup_lanes(const struct al_lanes *,
					     uint64_t lane_bits);

#endif
