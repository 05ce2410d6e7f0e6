/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strides_test.c - tests strides and walks against hand-made accesses */

#include <stdlib.h>

#include "analyzers/cache/evidence/collectors.h"
#include "tests/tap.h"

enum { MAX = 1000 };

static struct an_observed_access access_list[MAX];
static size_t n_accesses;

static void add(uint32_t site, uint64_t addr, uint32_t turn)
{
	access_list[n_accesses++] = (struct an_observed_access){
		.addr = addr, .site = site, .turn = turn};
}

/* Pass the accesses to a new collector and empty the list. Return: counts of
   site 0. */
static struct an_site_counts collect(void)
{
	const struct an_level level = {.line = 64};
	const struct an_collector *c = &an_collect_strides;
	struct an_site_counts counts = {.count = {0}};
	void *state = calloc(1, c->state_size);

	ok(state && !c->init(state, &level) &&
		   !c->collect(state, access_list, n_accesses / 2, 1) &&
		   !c->collect(state, access_list + n_accesses / 2,
			       n_accesses - n_accesses / 2, 2),
	   "accesses are counted");
	c->add_counts(state, 0, &counts);
	c->release(state);
	free(state);
	n_accesses = 0;
	return counts;
}

/* Return the steps of a stride. */
static uint64_t steps_at(const struct an_site_counts *c, int64_t bytes)
{
	for (int i = 0; i < AN_MAX_SITE_STRIDES; i++)
		if (c->stride[i].steps && c->stride[i].bytes == bytes)
			return c->stride[i].steps;
	return 0;
}

static void test_columns(void)
{
	struct an_site_counts c;

	for (unsigned column = 0; column < 5; column++)
		for (unsigned row = 0; row < 10; row++) {
			add(0, 4096 + 8 * column + 256 * row, 1);
			add(1, 8 * column, 1);
		}
	c = collect();
	is_u64(c.count[AN_SITE_STEPS], 49, "a step leads to each access");
	is_u64(steps_at(&c, 256), 45, "nine of ten are down a column");
	is_u64(steps_at(&c, 8 - 9 * 256), 4, "four lead to the next column");
	is_u64(c.count[AN_SITE_WALKS], 5, "each column is a walk");
	is_u64(c.count[AN_SITE_NEIGHBOUR_WALKS], 4, "beside the one before");
}

static void test_distance(void)
{
	static const unsigned start[] = {0, 63, 127, 127, 64, 0};
	struct an_site_counts c;

	for (unsigned i = 0; i < 6; i++)
		for (unsigned k = 0; k < 4; k++)
			add(0, 1000 + start[i] + 1000 * k, 1);
	c = collect();
	is_u64(c.count[AN_SITE_WALKS], 6, "six walks");
	is_u64(c.count[AN_SITE_NEIGHBOUR_WALKS], 2,
	       "neighbours are less than a line apart, and not at one place");
}

static void test_threads(void)
{
	struct an_site_counts c;

	for (unsigned i = 0; i < 4; i++)
		add(0, 64 * i, 1);
	for (unsigned i = 0; i < 4; i++)
		add(0, 9000 + 64 * i, 2);
	add(0, 64 * 4, 3);
	c = collect();
	is_u64(c.count[AN_SITE_STEPS], 6, "no step from thread to thread");
	is_u64(steps_at(&c, 64), 6, "those of each thread count");
	is_u64(c.count[AN_SITE_WALKS], 3, "each turn begins a walk");
	is_u64(c.count[AN_SITE_NEIGHBOUR_WALKS], 0, "which has no neighbour");
}

static void test_uncounted(void)
{
	struct an_site_counts c;

	add(0, 0, 1);
	add(AN_NO_SITE, 64, 1);
	add(0, 128, 1);
	c = collect();
	is_u64(c.count[AN_SITE_STEPS], 1, "warm-up accesses are no steps");
	is_u64(steps_at(&c, 128), 1, "and divide none");
}

/* A stride that comes late, when others are in its place. */
static void test_late_stride(void)
{
	uint64_t addr = 1 << 20;
	struct an_site_counts c;

	for (unsigned i = 0; i < 20; i++)
		add(0, addr += 1000 + i, 1);
	for (unsigned i = 0; i < 500; i++)
		add(0, addr += 64, 1);
	c = collect();
	is_u64(c.count[AN_SITE_STEPS], 519, "every step is counted");
	ok(steps_at(&c, 64) <= 500 && steps_at(&c, 64) >= 495,
	   "a late stride is counted from below");
	for (unsigned i = 0; i < 300; i++)
		add(0, addr += i % 6 == 5 ? 1000 + i : 64, 1);
	c = collect();
	is_u64(steps_at(&c, 64), 249, "one that came early stays exact");
}

int main(void)
{
	test_columns();
	test_distance();
	test_threads();
	test_uncounted();
	test_late_stride();
	return done_testing();
}
