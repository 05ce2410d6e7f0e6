/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process_order_test.c - how processes ended, and why they are not complete */

#include <alleria/alleria.h>

#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

static struct alleria_profile *profile;

static void open_made(void)
{
	char message[ALLERIA_MESSAGE];

	write_profile();
	if (alleria_open(toy_profile_path, &profile, message)) {
		printf("Bail out! %s\n", message);
		abort();
	}
}

/* Write the profile in its present state and open it. Return: whether process
   @number has status @status for the reason @reason. */
static bool has_status(uint32_t number, enum alleria_status status,
		       const char *reason)
{
	const struct alleria_process *p;
	bool same;

	open_made();
	p = alleria_process(profile, number);
	same = p && p->status == status && !strcmp(p->reason, reason);
	if (p && !same)
		printf("# got %u, '%s'\n", p->status, p->reason);
	alleria_close(profile);
	return same;
}

static void test_reasons(void)
{
	ok(has_status(1, ALLERIA_COMPLETE, ""),
	   "a whole process has no reason");
	make();
	pf_records_append_u64_to_fact(begin(END, PF_LOST), 7);
	pf_records_append_string_to_fact(&made[END].records,
					 "a block of 300 accesses");
	ok(has_status(1, ALLERIA_LOSSY, "a block of 300 accesses"),
	   "a lossy one says what was lost");
	pf_records_append_string_to_fact(begin(END, PF_CUT_SHORT),
					 "killed by signal 9");
	ok(has_status(1, ALLERIA_TRUNCATED, "killed by signal 9"),
	   "a truncated one says why, though it is lossy as well");
	ok(has_status(2, ALLERIA_TRUNCATED, "killed by signal 9"),
	   "one that signal 9 ended says so");
	numbers(begin(DONE, PF_SEEN), 3, (uint64_t[]){1, 2, 3 << 8});
	ok(has_status(2, ALLERIA_COMPLETE, ""),
	   "unless its parent has seen it end otherwise");
	numbers(begin(DONE, PF_SEEN), 3, (uint64_t[]){1, 2, 15});
	ok(has_status(2, ALLERIA_COMPLETE, ""), "another signal loses nothing");
	make();
	made[END].left_out = true;
	ok(has_status(1, ALLERIA_UNFINISHED, "its end is not there"),
	   "one without an end is unfinished");
}

int main(void)
{
	toy_profile_begin();
	test_reasons();
	toy_profile_end();
	return done_testing();
}
