/* SPDX-License-Identifier: GPL-2.0-or-later */
/* windows_test.c - records carry the set of windows that wanted them */
#include <alleria/alleria.h>

#include "proto/hello.h"
#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

static struct alleria_profile *profile;

/* Open a profile that was recorded with the windows @yaml and whose end holds
   @end. */
static void open_with(const char *yaml, const struct pf_window *end, unsigned n)
{
	struct al_windows *w = good(yaml);
	char message[ALLERIA_MESSAGE];
	size_t bytes;
	void *plan;

	if (al_plan_make(w, 1, &plan, &bytes))
		abort();
	pf_records_append_u64_to_fact(begin(IMAGE, PF_FIELDS),
				      PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES);
	pf_records_append_raw_to_fact(begin(IMAGE, PF_PLAN), plan, bytes);
	pf_records_append_raw_to_fact(begin(END, PF_WINDOWS), end,
				      n * sizeof(*end));
	for (unsigned i = CHILD; i <= CHILD_END; i++)
		made[i].left_out = true;
	write_profile();
	free(plan);
	al_windows_free(w);
	if (alleria_open(toy_profile_path, &profile, message)) {
		printf("Bail out! %s\n", message);
		exit(99);
	}
}

static void close_profile(void)
{
	alleria_close(profile);
	make();
}

/* Check sets: thread 1 is in both windows, thread 2 in the second. */
static void test_sets(void)
{
	static const struct pf_window end[] = {{1, {10, 5, 0, 0}},
					       {2, {12, 6, 1, 1}}};
	const struct alleria_window *w;
	const struct alleria_access *a;
	struct alleria_cursor *c;
	unsigned n[3] = {0};
	bool right = true;

	open_with("windows:\n"
		  "- name: first\n"
		  "  profile: [threads: [thread: 1]]\n"
		  "- name: rest\n"
		  "  profile: [threads: [{thread: 2}, {}]]\n",
		  end, 2);
	ok(alleria_windows(profile, &w) == 2 && !strcmp(w[0].name, "first") &&
		   !strcmp(w[1].name, "rest"),
	   "windows have their names");
	ok(w[0].openings == 1 && w[0].instructions == 10 && w[0].reads == 5 &&
		   w[1].openings == 2 && w[1].writes == 1 && w[1].modifies == 1,
	   "and what was recorded for each");
	ok(alleria_run(profile)->has & ALLERIA_HAS_WINDOWS,
	   "the run has windows");
	if (alleria_cursor_open(profile, ALLERIA_ACCESSES, NULL, &c))
		abort();
	while (alleria_next_access(c, &a) > 0) {
		uint64_t set = alleria_window_set(profile, a->window);

		right &= set == (a->thread == 1 ? 3 : 2);
		n[a->thread]++;
	}
	ok(right, "an access is of the windows that its thread is in");
	ok(n[1] == 5 && n[2] == 1, "and all of them are there");
	ok(alleria_window_set(profile, 0) == 0 &&
		   alleria_window_set(profile, 77) == 0,
	   "other numbers are of none");
	alleria_cursor_close(c);
	close_profile();
}

/* Check a window that only thread 2 enters. */
static void test_others(void)
{
	static const struct pf_window end = {1, {2, 1, 0, 0}};
	const struct alleria_instruction *i;
	const struct alleria_thread *t;
	struct alleria_cursor *c;
	unsigned n = 0;
	bool right = true;

	made[UNITS].head.counts = made[MORE].head.before =
		(struct pf_counts){0};
	made[MORE].head.counts = end.counts;
	open_with("windows: [profile: [threads: [thread: 2]]]", &end, 1);
	is_u64(alleria_run(profile)->counts.instructions, 2,
	       "what no window wants is not counted");
	if (alleria_cursor_open(profile, ALLERIA_INSTRUCTIONS, NULL, &c))
		abort();
	while (alleria_next_instruction(c, &i) > 0)
		right &= i->number == n++ && i->thread == 2 &&
			 alleria_window_set(profile, i->window) == 1;
	ok(right && n == 2, "nor given");
	alleria_cursor_close(c);
	ok(alleria_threads(profile, 1, &t) == 2 && t[0].instructions == 0 &&
		   t[1].instructions == 2 && t[1].accesses == 1,
	   "a thread that none wants has done nothing");
	close_profile();
}

int main(void)
{
	toy_profile_begin();
	test_sets();
	test_others();
	toy_profile_end();
	return done_testing();
}
