/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_lanes.h - numbers the active runs of a loop
 *
 * Several threads, or calls of a recursive function, can have active runs of
 * one loop. A run has the same lane until it ends: the smallest number that no
 * other active run of the loop had when it began; AN_LAST_LANE if all others
 * were reserved. The addresses of its accesses are compared with those of its
 * lane only (access_strides.h). Nearly always it is lane 0.
 */
#ifndef ANALYZERS_LOOPS_RUN_LANES_H
#define ANALYZERS_LOOPS_RUN_LANES_H

#include <stdint.h>

enum {
	AN_LANE_BITS = 12,
	AN_LAST_LANE = (1 << AN_LANE_BITS) - 1, /* shared by all active runs
						   that find no other lane */
	AN_LANES_IN_WORD = 64,
};

/* The lanes of the active runs of a loop. All zeros: it has no active run. */
struct an_run_lanes {
	uint64_t first; /* lanes 0 to 63: bit i: an active run has lane i */
	/* [AN_LAST_LANE / 64] bits of the lanes from 64 on; NULL: none was
	   ever reserved */
	uint64_t *more;
};

/* Reserve a lane when the first AN_LANES_IN_WORD are reserved. Return: as
   an_run_lanes_reserve_free_lane(). */
int an_run_lanes_reserve_lane_beyond_word_0(struct an_run_lanes *);

/* Release lane @lane, which is not one of the first AN_LANES_IN_WORD. */
void an_run_lanes_release_lane_beyond_word_0(struct an_run_lanes *,
					     unsigned lane);

/* Reserve a lane for a run that begins. Return: the lane; -ENOMEM. */
static inline int an_run_lanes_reserve_free_lane(struct an_run_lanes *lanes)
{
	int lane;

	if (__builtin_expect(lanes->first == UINT64_MAX, 0))
		return an_run_lanes_reserve_lane_beyond_word_0(lanes);
	lane = __builtin_ctzll(~lanes->first);
	lanes->first |= lanes->first + 1;
	return lane;
}

/* Release lane @lane of a run that ends. */
static inline void an_run_lanes_mark_lane_unused(struct an_run_lanes *lanes,
						 unsigned lane)
{
	if (__builtin_expect(lane < AN_LANES_IN_WORD, 1))
		lanes->first &= ~(UINT64_C(1) << lane);
	else
		an_run_lanes_release_lane_beyond_word_0(lanes, lane);
}

#endif
