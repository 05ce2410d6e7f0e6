/* SPDX-License-Identifier: GPL-2.0-or-later */
/* adaptation_log_test.c - which decisions are kept if there are too many */

#include "lib/config/adaptive_option.h"

#include "tests/tap.h"

/* Append decisions that end at 1, 2, ..., @count [ns], each of which lasted
   1 ns. The first @equal_count do not change anything; of the others, each has
   another number of workers than the one before it. */
static void append_decisions(struct al_decisions *d, unsigned count,
			     unsigned equal_count)
{
	for (unsigned i = 0; i < count; i++) {
		struct al_decision decision = {
			.end_ns = i + 1,
			.span_ns = 1,
			.workers = i < equal_count ? 1 : 2 + i % 2,
			.phase_before = 'Y',
			.phase_after = 'Y'};

		al_decisions_append_merge_if_full(d, &decision);
	}
}

/* Return whether the decisions are in order of time without a gap. */
static bool are_without_gap(const struct al_decisions *d)
{
	for (size_t i = 1; i < d->n; i++)
		if (d->item[i].end_ns - d->item[i].span_ns !=
		    d->item[i - 1].end_ns)
			return false;
	return true;
}

static void check_one_more_than_fit(unsigned equal_count, size_t expected_count,
				    uint64_t expected_first_start,
				    const char *fact)
{
	struct al_decisions d = {0};

	append_decisions(&d, AL_MAX_DECISIONS + 1, equal_count);
	is_u64(d.n, expected_count, fact);
	is_u64(d.item[0].end_ns - d.item[0].span_ns, expected_first_start,
	       "the oldest of them");
	is_u64(d.item[d.n - 1].end_ns, AL_MAX_DECISIONS + 1, "the newest");
	ok(are_without_gap(&d), "none between them is missing");
	al_decisions_release(&d);
}

int main(void)
{
	check_one_more_than_fit(AL_MAX_DECISIONS, AL_MAX_DECISIONS / 2 + 1, 0,
				"equal decisions are merged in pairs");
	check_one_more_than_fit(0, AL_MAX_DECISIONS / 2 + 1,
				AL_MAX_DECISIONS / 2,
				"of different ones the newer half is kept");
	/* 4095 remain, of which 2047 are kept. */
	check_one_more_than_fit(2, AL_MAX_DECISIONS / 2,
				AL_MAX_DECISIONS / 2 + 1,
				"of an odd number the newer ones are kept");
	return done_testing();
}
