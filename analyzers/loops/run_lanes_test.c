/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_lanes_test.c - tests that a run gets the smallest free lane */
#include "analyzers/loops/run_lanes.h"

#include <stdlib.h>

#include "tests/tap.h"

/* Reserve @count lanes. Return how many of them are not @first, @first + 1, ...
   */
static unsigned reserve_lanes_count_unexpected(struct an_run_lanes *lanes,
					       unsigned first, unsigned count)
{
	unsigned n_wrong = 0;

	for (unsigned i = 0; i < count; i++)
		n_wrong += an_run_lanes_reserve_free_lane(lanes) !=
			   (int)(first + i);
	return n_wrong;
}

int main(void)
{
	static const unsigned released[] = {4094, 3, 64, 63, 0, 200};
	static const int expected[] = {0, 3, 63, 64, 200, 4094, 4095};
	struct an_run_lanes lanes = {0};
	unsigned n_wrong = 0;

	is_u64(reserve_lanes_count_unexpected(&lanes, 0, AN_LAST_LANE), 0,
	       "lanes are taken in order");
	for (int i = 0; i < 3; i++)
		is_u64((uint64_t)an_run_lanes_reserve_free_lane(&lanes),
		       AN_LAST_LANE, "more runs share the last lane");
	an_run_lanes_mark_lane_unused(&lanes, AN_LAST_LANE);
	is_u64((uint64_t)an_run_lanes_reserve_free_lane(&lanes), AN_LAST_LANE,
	       "also when one of them ends");
	for (unsigned i = 0; i < sizeof(released) / sizeof(*released); i++)
		an_run_lanes_mark_lane_unused(&lanes, released[i]);
	for (unsigned i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		n_wrong +=
			an_run_lanes_reserve_free_lane(&lanes) != expected[i];
	is_u64(n_wrong, 0, "the smallest free lane is taken");
	free(lanes.more);
	return done_testing();
}
