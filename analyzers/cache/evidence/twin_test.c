/* SPDX-License-Identifier: GPL-2.0-or-later */
/* twin_test.c - compares the twin of a level with a plain LRU list */

#include "analyzers/cache/evidence/collectors.h"

#include <stdlib.h>

#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum { USES = 100000, SITES = 7 };

static const struct an_collector *const twin = &an_collect_twin_misses;

static void collect_one(void *state, uint32_t site, uint64_t line,
			unsigned n_lines)
{
	struct an_observed_access a = {
		.site = site,
		.n_touches = (uint8_t)n_lines,
		.touch = {{.line = line}, {.line = line + 1}}};

	if (twin->collect(state, &a, 1, SITES) != 0)
		abort();
}

static uint64_t misses_of_site(const void *state, uint32_t site)
{
	struct an_site_counts counts = {.count = {0}};

	twin->add_counts(state, site, &counts);
	return counts.count[AN_SITE_TWIN_MISSES];
}

/* Use random lines, some with two lines an access, in the twin of a level of
   @sets sets and in one LRU list. */
static void compare_with_list(uint64_t sets, uint32_t assoc)
{
	struct an_level level = {.sets = sets, .assoc = assoc, .line = 64};
	static struct toy_lru_sets list;
	unsigned ways = (unsigned)(sets * assoc);
	uint64_t state = sets + assoc, want[SITES] = {0};
	void *t = calloc(1, twin->state_size);
	char fact[80];

	list = (struct toy_lru_sets){0};
	if (!ok(t && twin->init(t, &level) == 0, "is initialised"))
		return;
	for (unsigned i = 0; i < USES; i++) {
		uint64_t line = toy_lru_random_line(&state, ways, 1 << 20);
		unsigned site = i % SITES, n_lines = 1 + (i % 5 == 0);
		bool missed = false;

		for (unsigned k = 0; k < n_lines; k++)
			missed |= toy_lru_use(&list, 1, ways, line + k, false);
		want[site] += missed;
		collect_one(t, site, line, n_lines);
	}
	for (unsigned site = 0; site < SITES; site++) {
		snprintf(fact, sizeof(fact), "%u lines: misses of site %u",
			 ways, site);
		is_u64(misses_of_site(t, site), want[site], fact);
	}
	twin->release(t);
	free(t);
}

static void test_counts(void)
{
	struct an_level level = {.sets = 2, .assoc = 1, .line = 32};
	void *t = calloc(1, twin->state_size);

	if (!ok(t && twin->init(t, &level) == 0, "is initialised"))
		return;
	is_u64(misses_of_site(t, 0), 0, "a site that was never used");
	collect_one(t, AN_NO_SITE, 0, 1);
	collect_one(t, 1, 2, 1);
	collect_one(t, 2, 0, 1);
	is_u64(misses_of_site(t, 2), 0,
	       "two lines of one set are held together, the first of them "
	       "fetched by an access that is not counted");
	collect_one(t, 2, 0, 2);
	is_u64(misses_of_site(t, 2), 1, "a miss of one of two lines is one");
	collect_one(t, 1, 2, 1);
	is_u64(misses_of_site(t, 1), 2,
	       "the least recently used line was replaced");
	twin->release(t);
	free(t);
}

int main(void)
{
	compare_with_list(1, 1);
	compare_with_list(1, 2);
	compare_with_list(4, 1);
	compare_with_list(16, 3);
	compare_with_list(8, 8);
	test_counts();
	return done_testing();
}
