/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_if_test.c - tests changes of a hierarchy, and messages about wrong
   ones */
#include "lib/config/cache/cache_geometry.h"

#include <stdio.h>

#include "base/text/message.h"
#include "tests/tap.h"

static char message[AL_MESSAGE];

/* Return I1 and D1 of 32 KB, 8 ways; L2 of 256 KB, 4 ways; LL of 4 KB, full. */
static struct an_geometry make_geometry(void)
{
	struct an_level level[] = {
		{.size = 32 << 10, .assoc = 8, .line = 64, .sets = 64},
		{.size = 32 << 10, .assoc = 8, .line = 64, .sets = 64},
		{.size = 256 << 10, .assoc = 4, .line = 64, .sets = 1024},
		{.size = 4 << 10, .assoc = 64, .line = 64, .sets = 1},
	};
	struct an_geometry g;

	al_geometry_make_from_host_levels(level, &g);
	return g;
}

/* Check that @change makes level @i of a size, ways and sets. */
static void test_change(const char *change, int i, uint64_t size,
			uint32_t assoc, uint64_t sets)
{
	struct an_geometry g = make_geometry();
	int err = al_what_if_apply(change, &g, message);

	ok(!err && g.level[i].size == size && g.level[i].assoc == assoc &&
		   g.level[i].sets == sets && g.level[i].line == 64,
	   change);
}

static void test_error(const char *change, const char *want)
{
	struct an_geometry g = make_geometry();
	char line[AL_MESSAGE];

	snprintf(line, sizeof(line), "'--what-if=%s': %s", change, want);
	ok(al_what_if_apply(change, &g, message) != 0, "a wrong change");
	is_str(message, line, change);
}

int main(void)
{
	static const char form[] = "not a change of a level, such as L2*2, "
				   "LL/2, D1.size=48K or D1.assoc=16";

	test_change("L2*2", 2, 512 << 10, 4, 2048);
	test_change("L2*3", 2, 768 << 10, 4, 3072);
	test_change("L2/4", 2, 64 << 10, 4, 256);
	test_change("LL*2", 3, 8 << 10, 128, 1);
	test_change("D1.assoc=16", 1, 32 << 10, 16, 32);
	test_change("D1.assoc=full", 1, 32 << 10, 512, 1);
	test_change("D1.size=48K", 1, 48 << 10, 8, 96);
	test_change("LL.size=64", 3, 64, 1, 1);
	test_change("LL.size=6K", 3, 6 << 10, 96, 1);
	test_error("", form);
	test_error("L2", form);
	test_error("L2*", form);
	test_error("*2", form);
	test_error("L2=2", form);
	test_error("L2.assoc*2", form);
	test_error("L3*2", "no level 'L3'; did you mean 'L2'?");
	test_error("memory*2", "no level 'memory', only I1, D1, L2, LL");
	test_error("D1.asoc=16", "no property 'asoc'; did you mean 'assoc'?");
	test_error("D1.colour=16", "no property 'colour', only size and assoc");
	test_error("L2*0", "'0' is not a number from 1 to 1024");
	test_error("L2*two", "'two' is not a number from 1 to 1024");
	test_error("D1.assoc=0",
		   "'0' is not a number from 1 to 512, nor 'full'");
	test_error("D1.assoc=7", "associativity 7 does not divide its 512 "
				 "lines; nearest: D1.assoc=8");
	test_error("D1.assoc=6", "associativity 6 does not divide its 512 "
				 "lines; nearest: D1.assoc=4");
	test_error("L2/3", "size 87381 is not a multiple of line size 64; "
			   "nearest: L2.size=87296");
	test_error("D1/1024", "size 32 is not a multiple of line size 64; "
			      "nearest: D1.size=512");
	test_error("LL/1024", "size 4 is not a multiple of line size 64; "
			      "nearest: LL.size=64");
	test_error("D1.size=x", "'x' is not a size such as 48K");
	return done_testing();
}
