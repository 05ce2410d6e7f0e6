/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_strides_test.c - tests the counts of strides against a list that is
   searched from its beginning */
#include "analyzers/loops/access_strides.h"

#include <string.h>

#include "tests/tap.h"

/* Strides in the order in which they first occurred. */
struct list {
	uint64_t stride[AN_COUNTED_VALUES], count[AN_COUNTED_VALUES], others;
	unsigned n;
};

static void add_to_list(struct list *list, uint64_t stride_bytes)
{
	unsigned i = 0;

	while (i < list->n && list->stride[i] != stride_bytes)
		i++;
	if (i == AN_COUNTED_VALUES) {
		list->others++;
		return;
	}
	list->n += i == list->n;
	list->stride[i] = stride_bytes;
	list->count[i]++;
}

static bool are_counts_equal(const struct an_strides *s,
			     const struct list *list)
{
	unsigned equal = 0, counted = 0;

	for (unsigned i = 0; i < AN_COUNTED_VALUES; i++) {
		counted += s->counts.found[i].count > 0;
		for (unsigned k = 0; k < list->n; k++)
			equal += s->counts.found[i].count == list->count[k] &&
				 s->counts.found[i].value == list->stride[k];
	}
	return equal == list->n && counted == list->n &&
	       s->counts.others == list->others;
}

/* Count @n strides, of @distinct different ones, in runs of 10 executions. The
   frequent ones change. */
static bool is_random_sequence_counted(unsigned seed, unsigned distinct,
				       unsigned n)
{
	struct an_strides s = {0};
	struct list list = {0};
	uint64_t address = 0, state = seed;

	for (unsigned i = 0; i < n; i++) {
		uint64_t stride;

		state = state * UINT64_C(6364136223846793005) + 1;
		stride = 8 * ((state >> 33) % distinct * (state >> 60) / 16 +
			      i / 100 % 3) -
			 8;
		address += stride;
		if (i % 10 != 0)
			add_to_list(&list, stride);
		an_strides_count(&s, &s.first, address, 1 + i / 10);
	}
	return are_counts_equal(&s, &list);
}

/* Count the strides of @n executions in each of lanes 0, 9 and 2, which take
   turns; in lane i the stride is i + 1. */
static void count_in_three_lanes(struct an_strides *s, unsigned n,
				 struct an_arena *arena)
{
	static const unsigned number[] = {0, 9, 2};

	for (unsigned i = 0; i < 3 * n; i++) {
		unsigned lane = number[i % 3];
		struct an_stride_lane *found =
			an_strides_find_or_add_lane(s, lane, arena);

		if (found != NULL)
			an_strides_count(s, found,
					 1000 * lane + (lane + 1) * (i / 3),
					 1 + lane);
	}
}

static void test_lanes(void)
{
	struct an_strides s = {0};
	struct an_arena arena = {0};
	uint64_t in_lane[10] = {0};

	ok(!an_strides_has_execution(&s), "no run has executed the access");
	count_in_three_lanes(&s, 8, &arena);
	for (int i = 0; i < AN_COUNTED_VALUES; i++)
		if (s.counts.found[i].value <= 10 && s.counts.found[i].count)
			in_lane[s.counts.found[i].value - 1] =
				s.counts.found[i].count;
	ok(in_lane[0] == 7 && in_lane[2] == 7 && in_lane[9] == 7,
	   "strides are between executions with the same lane");
	ok(an_strides_has_last_address(&s, 7) &&
		   an_strides_has_last_address(&s, 2000 + 3 * 7) &&
		   an_strides_has_last_address(&s, 9000 + 10 * 7) &&
		   !an_strides_has_last_address(&s, 0),
	   "each lane has its last address");
	ok(an_strides_has_execution(&s) &&
		   an_strides_lane_or_null(&s, 1)->run == 0 &&
		   an_strides_lane_or_null(&s, 100) == NULL,
	   "a lane without a run has none");
	an_arena_free_all_and_reset(&arena);
}

int main(void)
{
	struct an_strides s = {0};
	unsigned equal = 0;

	for (unsigned seed = 1; seed <= 200; seed++)
		equal += is_random_sequence_counted(seed, 1 + seed % 20, 500);
	is_u64(equal, 200, "all strides of random sequences are counted");

	for (unsigned i = 0; i < 5; i++)
		an_strides_count(&s, &s.first, 4096, 1);
	is_u64(s.counts.found[0].count, 4, "one address has the stride 0");
	for (unsigned i = 1; i <= 6; i++)
		an_strides_count(&s, &s.first, 4096 + 8 * i, 1);
	ok(s.counts.found[0].value == 8 && s.counts.found[0].count == 6,
	   "the most frequent stride is the first one");
	an_strides_count(&s, &s.first, 4096 + 8 * 6, 1);
	is_u64(s.counts.found[1].count, 5, "the other one is still counted");
	test_lanes();
	return done_testing();
}
