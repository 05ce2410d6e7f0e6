/* SPDX-License-Identifier: GPL-2.0-or-later */
/* l1_test.c - compares a first level with plain LRU lists */

#include "analyzers/cache/model/l1.h"

#include <stdlib.h>

#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum { USES = 200000 };

static void compare(unsigned sets, unsigned assoc, uint32_t groups)
{
	struct an_level level = {.sets = sets, .assoc = assoc, .line = 64};
	static struct toy_lru_sets lists;
	uint64_t state = sets * 1000 + assoc, n_different = 0;
	struct an_l1 f;
	char what[80];

	lists = (struct toy_lru_sets){0};
	if (!ok(an_l1_init_empty_level(&f, &level) == 0, "is made"))
		return;
	if (groups > 1 &&
	    !ok(an_l1_empty_and_lay_out_by_groups(&f, groups) == 0,
		"in groups"))
		return;
	for (unsigned i = 0; i < USES; i++) {
		/* lines that differ by a multiple of 2^32 have equal tags */
		uint64_t line = toy_lru_random_line(&state, sets * assoc,
						    (uint64_t)sets << 32);
		bool write = toy_lru_random(&state) % 4 == 0;

		if (i % (USES / 8) == 0)
			an_l1_renumber_times_if_due(&f);
		if (i % (USES / 8) == 1)
			f.clock = AN_MAX_TIME - AN_MAX_TICKS;
		n_different += an_l1_touch_is_miss(&f, line, write) !=
			       toy_lru_use(&lists, sets, assoc, line, write);
	}
	snprintf(what, sizeof(what),
		 "%u sets of %u ways, %u groups: what is missing", sets, assoc,
		 groups);
	is_u64(n_different, 0, what);
	is_u64(f.writebacks, lists.writebacks, "and what is written back");
	an_l1_release(&f);
}

/* Return whether a list has exactly the lines that @n_accesses, [n_lines] by
   line, counts, with these counts; then set the counts to 0. */
static bool lists_all_accesses(const struct an_used_lines *l,
			       uint64_t *n_accesses, unsigned n_lines)
{
	bool equal = !l->failed;

	for (size_t i = 0; i < l->n; i++)
		n_accesses[l->item[i].line] -= l->item[i].n_accesses;
	for (unsigned i = 0; i < n_lines; i++) {
		equal &= n_accesses[i] == 0;
		n_accesses[i] = 0;
	}
	return equal;
}

/* Use lines at random, and list those used in each of many intervals. */
static void test_used_lines(unsigned sets, unsigned assoc)
{
	enum { LINES = 1024, INTERVALS = 200 };
	struct an_level level = {.sets = sets, .assoc = assoc, .line = 64};
	uint64_t n_accesses[LINES] = {0}, state = sets + assoc, n_wrong = 0;
	struct an_used_lines used = {0};
	struct an_l1 f;

	if (!ok(an_l1_init_empty_level(&f, &level) == 0, "is made"))
		return;
	an_l1_begin_to_list_used_lines(&f, &used, true);
	for (unsigned i = 0; i < INTERVALS; i++) {
		uint64_t n_uses = toy_lru_random(&state) % 300;

		for (uint64_t k = 0; k < n_uses; k++) {
			uint64_t line = toy_lru_random(&state) % LINES;

			an_l1_touch_is_miss(&f, line, false);
			an_l1_add_to_access_counter_of_line(&f, line, 3);
			n_accesses[line] += 3;
			if (k == 7 && i % 8 == 0)
				f.clock = AN_MAX_TIME - AN_MAX_TICKS;
			if (k == 50)
				an_l1_renumber_times_if_due(&f);
		}
		an_l1_append_lines_used_since_last_list(&f);
		n_wrong += !lists_all_accesses(&used, n_accesses, LINES);
		used.n = 0;
	}
	is_u64(n_wrong, 0, "intervals whose used lines are not listed");
	an_l1_append_lines_used_since_last_list(&f);
	is_u64(used.n, 0, "lines that are listed twice");
	an_used_lines_release(&used);
	an_l1_release(&f);
}

/* Maps lines of the host's caches, by number, to the set group that uses
   them. */
struct owners {
	uintptr_t line[1 << 14];
	uint64_t group[1 << 14];
	size_t n, shared;
};

static void record_owner(struct owners *o, const void *p, uint64_t group)
{
	uintptr_t line = (uintptr_t)p / 64;
	size_t i = 0;

	while (i < o->n && o->line[i] != line)
		i++;
	if (i == o->n) {
		o->line[o->n] = line;
		o->group[o->n++] = group;
	}
	o->shared += o->group[i] != group;
}

/* Fill the level, and count the host's cache lines that two groups use. */
static void test_groups(unsigned sets, unsigned assoc, uint32_t groups)
{
	struct an_level level = {.sets = sets, .assoc = assoc, .line = 64};
	static struct owners owners;
	struct an_l1 f;
	char what[80];

	owners = (struct owners){.n = 0};
	if (!ok(an_l1_init_empty_level(&f, &level) == 0 &&
			an_l1_empty_and_lay_out_by_groups(&f, groups) == 0,
		"is made in groups"))
		return;
	for (uint64_t line = 0; line < (uint64_t)sets * assoc; line++) {
		uint32_t *hint = &f.hint[an_l1_hint_index(&f, line)];

		record_owner(&owners, &f.way[*hint], line % groups);
		an_l1_touch_is_miss(&f, line, true);
		record_owner(&owners, hint, line % groups);
		record_owner(&owners, &f.way[*hint], line % groups);
		record_owner(&owners, &f.tag[*hint], line % groups);
		record_owner(&owners, &f.used[*hint], line % groups);
		record_owner(&owners, &f.dirty[*hint], line % groups);
	}
	snprintf(what, sizeof(what),
		 "%u sets of %u ways: lines shared by any of %u groups", sets,
		 assoc, groups);
	is_u64(owners.shared, 0, what);
	an_l1_release(&f);
}

int main(void)
{
	compare(2, 1, 1);
	compare(64, 8, 1);
	compare(64, 12, 1);
	compare(64, 12, 64);
	compare(16, 16, 1);
	compare(16, 16, 16);
	compare(3, 5, 1);
	compare(48, 12, 16);
	compare(4, AN_MAX_ARRAY_WAYS, 4);
	test_used_lines(16, 8);
	test_used_lines(6, 5);
	test_groups(64, 8, 64);
	test_groups(64, 1, 64);
	test_groups(48, 12, 16);
	test_groups(512, 2, 256);
	return done_testing();
}
