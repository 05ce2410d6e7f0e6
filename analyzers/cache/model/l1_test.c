/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * l1_test.c - a first level, against lists in order of use
 */

#include "analyzers/cache/model/l1.h"

#include <stdlib.h>

#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum { USES = 200000 };

static void compare(unsigned sets, unsigned assoc, uint32_t groups)
{
	struct an_level level = {.sets = sets, .assoc = assoc, .line = 64};
	static struct an_lists lists;
	uint64_t state = sets * 1000 + assoc, other = 0;
	struct an_first f;
	char what[80];

	lists = (struct an_lists){0};
	if (!ok(an_first_init(&f, &level) == 0, "is made"))
		return;
	if (groups > 1 && !ok(an_first_group(&f, groups) == 0, "in groups"))
		return;
	for (unsigned i = 0; i < USES; i++) {
		/* Twins have the same tag. */
		uint64_t line = an_lists_line(&state, sets * assoc,
					      (uint64_t)sets << 32);
		bool write = an_lists_next(&state) % 4 == 0;

		if (i % (USES / 8) == 0)
			an_first_wind(&f);
		if (i % (USES / 8) == 1)
			f.clock = AN_LATE - AN_TICKS;
		other += an_first_touch(&f, line, write) !=
			 an_lists_use(&lists, sets, assoc, line, write);
	}
	snprintf(what, sizeof(what),
		 "%u sets of %u ways, %u groups: what is missing", sets, assoc,
		 groups);
	is_u64(other, 0, what);
	is_u64(f.writebacks, lists.writebacks, "and what is written back");
	an_first_release(&f);
}

/* Which group has a line of the machine's caches, by its number. */
struct owners {
	uintptr_t line[1 << 14];
	uint64_t group[1 << 14];
	size_t n, shared;
};

static void own(struct owners *o, const void *p, uint64_t group)
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

/* Uses each line that there is room for, and sees what that reads and changes. */
static void part(unsigned sets, unsigned assoc, uint32_t groups)
{
	struct an_level level = {.sets = sets, .assoc = assoc, .line = 64};
	static struct owners owners;
	struct an_first f;
	char what[80];

	owners = (struct owners){.n = 0};
	if (!ok(an_first_init(&f, &level) == 0 &&
			an_first_group(&f, groups) == 0,
		"is made in groups"))
		return;
	for (uint64_t line = 0; line < (uint64_t)sets * assoc; line++) {
		uint32_t *hint = &f.hint[an_first_hint(&f, line)];

		own(&owners, &f.way[*hint], line % groups);
		an_first_touch(&f, line, true);
		own(&owners, hint, line % groups);
		own(&owners, &f.way[*hint], line % groups);
		own(&owners, &f.tag[*hint], line % groups);
		own(&owners, &f.used[*hint], line % groups);
		own(&owners, &f.dirty[*hint], line % groups);
	}
	snprintf(what, sizeof(what),
		 "%u sets of %u ways: lines shared by any of %u groups", sets,
		 assoc, groups);
	is_u64(owners.shared, 0, what);
	an_first_release(&f);
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
	compare(4, AN_WIDE, 4);
	part(64, 8, 64);
	part(64, 1, 64);
	part(48, 12, 16);
	part(512, 2, 256);
	return done_testing();
}
