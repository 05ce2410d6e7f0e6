/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bins_test.c - sums and numbers of distinct things, at several widths */
#include "analyzers/timeline/bins.h"

#include <stdlib.h>

#include "analyzers/timeline/seen_table.h"
#include "tests/fixtures/random_below.h"
#include "tests/tap.h"

enum { EVENTS = 20000, KEYS = 50 };

/* Event i is a use of thing keys[i] at times[i]. */
static uint64_t times[EVENTS];
static unsigned keys[EVENTS];

/* Draw events, in ascending order of time, with up to @gap between two. */
static void draw_events(uint64_t gap)
{
	uint64_t time = random_below(gap);

	for (unsigned i = 0; i < EVENTS; i++, time += random_below(gap)) {
		times[i] = time;
		keys[i] = (unsigned)(random_below(2) ? random_below(KEYS)
						     : random_below(3));
	}
}

/* Count events from number @first up to and without @end. */
static void count_events(struct an_bins *b, struct an_seen_table *seen,
			 unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++) {
		uint32_t bin = (uint32_t)an_bins_begin_bin_of_time(b, times[i]);

		an_bins_series(b, 0)[bin]++;
		an_bins_count_use_for_distinct_count(
			b, 0, bin,
			an_seen_table_set_get_previous_plus_1(seen, keys[i],
							      times[i]));
	}
}

/* Whether the bins have the counts of all events, computed one by one.
   @distinct: room for a number for each bin. */
static bool has_counts_of_events(const struct an_bins *b, uint64_t *distinct)
{
	static uint64_t events[AN_MAX_BINS], things[AN_MAX_BINS];
	static bool used[AN_MAX_BINS][KEYS];
	bool equal = true;

	memset(events, 0, sizeof(events));
	memset(things, 0, sizeof(things));
	memset(used, 0, sizeof(used));
	for (unsigned i = 0; i < EVENTS; i++) {
		uint64_t bin = times[i] >> b->shift;

		events[bin]++;
		things[bin] += !used[bin][keys[i]];
		used[bin][keys[i]] = true;
	}
	an_bins_compute_distinct_uses(b, 0, distinct);
	for (uint32_t i = 0; i < b->n; i++)
		equal &= events[i] == an_bins_series(b, 0)[i] &&
			 things[i] == distinct[i];
	return equal;
}

static void test_run_of_length(uint64_t gap)
{
	struct an_bins b = {.n_use_sets = 1, .n_series = 1};
	struct an_seen_table seen = {0};
	uint64_t distinct[AN_MAX_BINS], first = 0;

	draw_events(gap);
	count_events(&b, &seen, 0, EVENTS);
	printf("# %u bins of %" PRIu64 "\n", b.n, an_bins_width(&b));
	ok(b.n > AN_MAX_BINS / 2 && b.n <= AN_MAX_BINS,
	   "there are between 1025 and 2048 bins");
	ok(times[EVENTS - 1] >> b.shift == b.n - 1,
	   "the last event is in the last bin");
	ok(has_counts_of_events(&b, distinct),
	   "each bin has its events, and "
	   "its number of different things");
	for (uint32_t i = 0; i < b.n; i++)
		first += an_bins_use_row(&b, 0, AN_USE_FIRST)[i];
	is_u64(first, KEYS, "each thing is new once");
	while (b.n > 1)
		an_bins_double_width(&b);
	ok(has_counts_of_events(&b, distinct), "a single bin has all events");
	is_u64(distinct[0], KEYS, "a single bin has each thing once");
	an_bins_release(&b);
	an_seen_table_release(&seen);
}

static bool are_equal(const struct an_bins *a, const struct an_bins *b)
{
	size_t rows = (size_t)a->n_use_sets * AN_USE_ROWS + a->n_series;

	return a->shift == b->shift && a->n == b->n &&
	       !memcmp(a->count, b->count,
		       rows * AN_MAX_BINS * sizeof(*a->count));
}

static void test_merge(void)
{
	struct an_bins part[3], sum[2];
	unsigned end[] = {300, 19000, 2500};

	for (unsigned i = 0; i < 3; i++) {
		struct an_seen_table seen = {0};

		part[i] = (struct an_bins){.n_use_sets = 1, .n_series = 1};
		draw_events(900 + 70 * i);
		count_events(&part[i], &seen, 0, end[i]);
		an_seen_table_release(&seen);
	}
	for (unsigned way = 0; way < 2; way++) {
		sum[way] = (struct an_bins){.n_use_sets = 1, .n_series = 1};
		for (unsigned i = 0; i < 3; i++)
			an_bins_merge(&sum[way], &part[way ? 2 - i : i]);
	}
	ok(are_equal(&sum[0], &sum[1]), "the order of merging has no effect");
	while (part[0].shift < sum[0].shift)
		an_bins_double_width(&part[0]);
	while (part[2].shift < sum[0].shift)
		an_bins_double_width(&part[2]);
	an_bins_merge(&part[1], &part[0]);
	an_bins_merge(&part[1], &part[2]);
	ok(are_equal(&sum[0], &part[1]),
	   "bins that were doubled before have the same counts");
	for (unsigned i = 0; i < 3; i++)
		an_bins_release(&part[i]);
	an_bins_release(&sum[0]);
	an_bins_release(&sum[1]);
}

int main(void)
{
	test_run_of_length(2);
	test_run_of_length(5);
	test_run_of_length(1000000);
	test_merge();
	return done_testing();
}
