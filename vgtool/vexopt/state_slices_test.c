/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_slices_test.c - slices of the guest's state are found, added and
 * removed
 */
#include "vgtool/vexopt/state_slices.h"

#include "tests/tap.h"

enum { GROUP = 1 << PS_LOG_GROUP, STATE = PS_N_GROUPS * GROUP };

static struct ps_slices s;

static Bool add(Int low, Int high)
{
	return ps_slice_add_if_room(&s, low, high, (IRTemp)low, NULL);
}

static Bool found(Int low, Int high)
{
	return ps_slice_find_exact_or_null(&s, low, high) != NULL;
}

static void test_bounds(void)
{
	ok(ps_is_range_in_one_slice_group(0, 0) &&
		   ps_is_range_in_one_slice_group(0, GROUP - 1) &&
		   ps_is_range_in_one_slice_group(GROUP, 2 * GROUP - 1),
	   "a slice fills a group at most");
	ok(!ps_is_range_in_one_slice_group(GROUP - 8, GROUP) &&
		   !ps_is_range_in_one_slice_group(GROUP - 8, 2 * GROUP - 1) &&
		   !ps_is_range_in_one_slice_group(0, GROUP),
	   "none crosses from one group to the next");
	ok(!ps_is_range_in_one_slice_group(-1, 0) &&
		   !ps_is_range_in_one_slice_group(-8, -1),
	   "none begins below the state");
	ok(ps_is_range_in_one_slice_group(STATE - 8, STATE - 1) &&
		   !ps_is_range_in_one_slice_group(STATE, STATE + 7),
	   "none is beyond the last group");
}

static void test_find(void)
{
	ps_slices_clear(&s);
	ok(!found(16, 23), "an empty set has none");
	ok(add(16, 23) && found(16, 23) &&
		   ps_slice_find_exact_or_null(&s, 16, 23)->tmp == 16,
	   "one that was added is found");
	ok(!found(16, 16) && !found(17, 23) && !found(16, 22) &&
		   !found(16 + GROUP, 23 + GROUP),
	   "by both of its ends");
	ok(add(17, 17) && add(STATE - 8, STATE - 1) && found(16, 23) &&
		   found(17, 17) && found(STATE - 8, STATE - 1),
	   "those of a set may overlap");
	ps_slices_clear(&s);
	ok(!found(16, 23) && add(24, 31) && !found(16, 23),
	   "an emptied group has what was added since");
}

/* Whether the removal of bytes @low to @high leaves bytes 8 to 15. */
static Bool is_left(Int low, Int high)
{
	ps_slices_clear(&s);
	add(0, 7);
	add(8, 15);
	add(16, 23);
	ps_slices_remove_overlapping(&s, low, high);
	return found(8, 15);
}

static void test_remove(void)
{
	ok(is_left(0, 7) && !found(0, 7) && found(16, 23),
	   "a slice above the removed bytes stays");
	ok(is_left(16, 23) && !found(16, 23) && found(0, 7),
	   "so does one below them");
	ok(!is_left(8, 8) && found(0, 7) && found(16, 23),
	   "its first byte removes a slice");
	ok(!is_left(15, 15) && found(0, 7) && found(16, 23),
	   "so does its last");
	ok(!is_left(7, 16) && !found(0, 7) && !found(16, 23),
	   "all that overlap are removed");
	ok(is_left(8 + GROUP, 15 + GROUP), "but none of another group");
}

static void test_room(void)
{
	Int i;

	ps_slices_clear(&s);
	for (i = 0; i < PS_MAX_IN_GROUP && add(i, i); i++)
		;
	is_u64((UInt)i, PS_MAX_IN_GROUP, "a group has room for so many");
	ok(!add(i, i) && !found(i, i) && found(0, 0) && found(i - 1, i - 1),
	   "one more is refused, the others stay");
	ok(add(GROUP, GROUP), "another group has room");
	ps_slices_remove_overlapping(&s, 0, 0);
	ok(add(i, i) && found(i, i), "so has this one after a removal");
}

int main(void)
{
	test_bounds();
	test_find();
	test_remove();
	test_room();
	return done_testing();
}
