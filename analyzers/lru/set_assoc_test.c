/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_assoc_test.c - compares a level with plain LRU lists */

#include "analyzers/lru/set_assoc.h"

#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum { USES = 200000 };

/* Use random lines, of which a third have numbers @tag_distance above the
   others, in a level and in plain LRU lists. */
static void compare(unsigned sets, unsigned assoc, uint64_t tag_distance)
{
	struct an_level level = {.sets = sets, .assoc = assoc, .line = 64};
	static struct toy_lru_sets lists;
	uint64_t state = sets * 1000 + assoc, n_different = 0,
		 n_thrown_different = 0;
	struct an_set_assoc w;
	char what[80];

	lists = (struct toy_lru_sets){0};
	if (!ok(an_set_assoc_init(&w, &level) == 0, "is made"))
		return;
	for (unsigned i = 0; i < USES; i++) {
		uint64_t line =
			toy_lru_random_line(&state, sets * assoc, tag_distance);
		bool write = toy_lru_random(&state) % 4 == 0;
		bool missing = an_set_assoc_touch_is_miss(&w, line, write);

		n_different += missing !=
			       toy_lru_use(&lists, sets, assoc, line, write);
		n_thrown_different += missing && w.evicted != lists.evicted;
	}
	snprintf(what, sizeof(what),
		 "%u sets of %u ways, tags up to %#llx: what is missing", sets,
		 assoc, (unsigned long long)(tag_distance / sets));
	is_u64(n_different, 0, what);
	is_u64(n_thrown_different, 0, "and what is thrown out");
	is_u64(w.writebacks, lists.writebacks, "and what is written back");
	ok(!w.failed, "memory was not short");
	an_set_assoc_release(&w);
}

/* Test a level whose numbers for far tags are used up. */
static void test_numbers_used_up(void)
{
	struct an_level level = {.sets = 2, .assoc = 2, .line = 64};
	uint64_t far_line = UINT64_C(2) * AN_FAR_TAG;
	struct an_set_assoc w;

	if (!ok(an_set_assoc_init(&w, &level) == 0, "is made"))
		return;
	an_set_assoc_touch_is_miss(&w, 0, false);
	w.far_tags.n = INT32_MAX - AN_FAR_TAG;
	ok(an_set_assoc_touch_is_miss(&w, far_line, true) && w.failed,
	   "without a number for a tag, the level says that it is wrong");
	is_u64(w.evicted, 0, "and has thrown nothing out");
	for (uint64_t line = 0; line < 16; line++)
		an_set_assoc_touch_is_miss(&w, line, false);
	is_u64(w.writebacks, 0, "nor kept it");
	ok(!an_set_assoc_touch_is_miss(&w, 14, false), "and goes on");
	an_set_assoc_release(&w);
}

int main(void)
{
	static const unsigned shape[][2] = {
		{1, 1},
		{1, 8},
		{2, 3},
		{64, 1},
		{64, 30},
		{48, 12},
		{3, AN_MAX_ARRAY_WAYS},
	};

	for (size_t i = 0; i < sizeof(shape) / sizeof(shape[0]); i++) {
		unsigned sets = shape[i][0], assoc = shape[i][1];

		compare(sets, assoc, 0);
		/* Tags around the first far tag, and around the limits of 31
		   and 32 bits. */
		compare(sets, assoc, (uint64_t)sets * (AN_FAR_TAG - 3));
		compare(sets, assoc, (uint64_t)sets * (INT32_MAX - 3));
		compare(sets, assoc, (uint64_t)sets << 32);
		compare(sets, assoc, (UINT64_C(1) << 58) - 40000);
	}
	test_numbers_used_up();
	return done_testing();
}
