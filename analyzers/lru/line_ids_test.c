/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line_ids_test.c - tests the numbers of lines */

#include "analyzers/lru/line_ids.h"

#include "tests/tap.h"

int main(void)
{
	struct an_line_ids l;
	uint64_t region = UINT64_C(1) << AN_REGION_BITS, n = 0, same = 0;
	uint32_t first, other;

	ok(an_line_ids_init(&l) == 0, "is made");
	first = an_line_ids_find_or_add_id_or_0_if_full(&l, 5);
	other = an_line_ids_find_or_add_id_or_0_if_full(&l, 5 + (region << 20));
	ok(first != 0 && other != 0 && first != other,
	   "far lines have numbers of their own");
	ok(an_line_ids_find_or_add_id_or_0_if_full(&l, 5) == first &&
		   an_line_ids_find_or_add_id_or_0_if_full(
			   &l, 5 + (region << 20)) == other,
	   "which they keep");
	is_u64(an_line_ids_find_or_add_id_or_0_if_full(&l, 4) ^ first, 1,
	       "lower bits are the line's");
	for (uint64_t i = 1; i < AN_REGIONS; i++)
		n += an_line_ids_find_or_add_id_or_0_if_full(
			     &l, i * region * 4099) != 0;
	is_u64(n, AN_REGIONS - 3, "there is room for so many regions");
	for (uint64_t i = 1; i < AN_REGIONS - 2; i++)
		same += an_line_ids_find_or_add_id_or_0_if_full(
				&l, i * region * 4099) >>
				AN_REGION_BITS ==
			i + 2;
	is_u64(same, AN_REGIONS - 3, "which are numbered as they come");
	is_u64(an_line_ids_find_or_add_id_or_0_if_full(&l, region), 0,
	       "and no more");
	is_u64(an_line_ids_find_or_add_id_or_0_if_full(&l, 5), first,
	       "the first ones stay");
	an_line_ids_release(&l);
	return done_testing();
}
