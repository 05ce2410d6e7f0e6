/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_lanes.c - numbers more than 64 active runs of a loop; see run_lanes.h */

#include "analyzers/loops/run_lanes.h"

#include <errno.h>
#include <stdlib.h>

enum { MORE_WORDS = AN_LAST_LANE / AN_LANES_IN_WORD };

int an_run_lanes_reserve_lane_beyond_word_0(struct an_run_lanes *lanes)
{
	unsigned i = 0, lane;

	if (lanes->more == NULL)
		lanes->more = calloc(MORE_WORDS, sizeof(*lanes->more));
	if (lanes->more == NULL)
		return -ENOMEM;
	while (i < MORE_WORDS && lanes->more[i] == UINT64_MAX)
		i++;
	if (i == MORE_WORDS)
		return AN_LAST_LANE;
	lane = (i + 1) * AN_LANES_IN_WORD +
	       (unsigned)__builtin_ctzll(~lanes->more[i]);
	if (lane < AN_LAST_LANE)
		lanes->more[i] |= lanes->more[i] + 1;
	return (int)lane;
}

void an_run_lanes_release_lane_beyond_word_0(struct an_run_lanes *lanes,
					     unsigned lane)
{
	if (lane < AN_LAST_LANE)
		lanes->more[lane / AN_LANES_IN_WORD - 1] &=
			~(UINT64_C(1) << lane % AN_LANES_IN_WORD);
}
