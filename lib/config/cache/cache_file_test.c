/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_file_test.c - tests valid cache files, and every error
 */
#include "tests/tap.h"

#include "tests/fixtures/cache_text.h"

static void test_example(void)
{
	static const char text[] =
		"levels:                    # any number\n"
		"  - {name: I1, kind: instruction, size: 32K, assoc: 8, "
		"line: 64, next: L2}\n"
		"  - {name: D1, kind: data,        size: 48K, assoc: 12, "
		"line: 64, next: L2}\n"
		"  - {name: L2, kind: unified,     size: 2M,  assoc: 16, "
		"line: 128, next: LL}\n"
		"  - {name: LL, kind: unified,     size: 3M, assoc: full, "
		"line: 64, next: memory}\n";
	char message[AL_MESSAGE];
	struct an_geometry g;
	const struct an_level *l = g.level;

	if (!ok(!read_bytes(text, sizeof(text) - 1, &g, message), "is read")) {
		printf("# %s\n", message);
		return;
	}
	is_u64((uint64_t)g.n_levels, 4, "has four levels");
	is_str(l[1].name, "D1", "in the order of the file");
	ok(l[0].kind == AN_INSTRUCTION && l[1].kind == AN_DATA &&
		   l[3].kind == AN_UNIFIED,
	   "kinds");
	is_u64(l[1].size, 49152, "size with its unit");
	is_u64(l[1].assoc, 12, "associativity");
	is_u64(l[2].line, 128, "line sizes of their own");
	is_u64(l[1].sets, 64, "sets are derived");
	is_u64(l[3].assoc, 49152, "full is all lines");
	is_u64(l[3].sets, 1, "in one set");
	ok(l[0].next == 2 && l[1].next == 2 && l[2].next == 3 &&
		   l[3].next == AN_MEMORY,
	   "each leads to its next");
	ok(g.first_instruction == 0 && g.first_data == 1,
	   "accesses enter at I1 and D1");
}

static void test_shapes(void)
{
	char message[AL_MESSAGE];
	struct an_geometry g;
	static const char one[] = HEAD LEVEL("L1", "unified", "memory");
	static const char up[] = HEAD LEVEL("LL", "unified", "memory")
		LEVEL("D1", "data", "LL") LEVEL("I1", "instruction", "LL");
	static const char odd[] =
		HEAD "- {name: L1, kind: unified, size: 960, assoc: 5, "
		     "line: 64}";
	static const char quoted[] =
		HEAD "- {\"name\": 'yes', kind: unified, size: 0128, "
		     "assoc: '1', line: 32}";

	ok(!read_bytes(one, sizeof(one) - 1, &g, message) &&
		   !g.first_instruction && !g.first_data,
	   "one unified level takes both");
	ok(!read_bytes(up, sizeof(up) - 1, &g, message) &&
		   g.first_instruction == 2 && g.first_data == 1 &&
		   g.level[2].next == 0,
	   "levels may come in any order");
	ok(!read_bytes(odd, sizeof(odd) - 1, &g, message) &&
		   g.level[0].sets == 3,
	   "sets need be no power of two");
	ok(!read_bytes(quoted, sizeof(quoted) - 1, &g, message) &&
		   !strcmp(g.level[0].name, "yes") && g.level[0].size == 128,
	   "yes is a word and 0128 is 128, quoted or not");
	is_str(complaint(HEAD I1 D1), "", "two levels before memory");
	is_str(complaint(HEAD LEVEL("I1", "instruction", "I2")
				 LEVEL("I2", "instruction", "memory") D1),
	       "", "an instruction level below another");
	ok(!read_bytes(HEAD I1 D1 L2, strlen(HEAD I1 D1 L2), &g, message) &&
		   g.level[0].next == 2 && g.level[1].next == 2 &&
		   g.level[2].next == AN_MEMORY,
	   "without next it is the unified level that follows, or memory");
}

static void test_keys(void)
{
	static const struct bad bad[] = {
		{"- a\n", "1:1: the file is not 'key: value'", "a list"},
		{"level: []\n",
		 "1:1: unknown key 'level'; did you mean 'levels'?",
		 "a key that is almost right"},
		{"windows: []\n",
		 "1:1: unknown key 'windows'; valid: levels, sweep",
		 "a key of another file"},
		{"{}\n", "1:1: the file has no 'levels'", "no levels"},
		{"levels: 3\n", "1:9: 'levels' is not a list", "a number"},
		{"levels: []\n", "1:9: no levels", "an empty list"},
		{HEAD "- I1\n", "2:3: a level is not 'key: value'", "a word"},
		{HEAD "- {name: I1, kind: data, size: 1K, asoc: 2, line: 64}",
		 "2:36: unknown key 'asoc'; did you mean 'assoc'?",
		 "a level's key that is almost right"},
		{HEAD "- {kind: data, size: 1K, assoc: 2, line: 64}",
		 "2:3: a level has no 'name'", "no name"},
		{HEAD "- {name: D1, size: 1K, assoc: 2, line: 64}",
		 "2:3: a level has no 'kind'", "no kind"},
		{HEAD "- {name: D1, kind: data, assoc: 2, line: 64}",
		 "2:3: a level has no 'size'", "no size"},
		{HEAD "- {name: D1, kind: data, size: 1K, line: 64}",
		 "2:3: a level has no 'assoc'", "no associativity"},
		{HEAD "- {name: D1, kind: data, size: 1K, assoc: 2}",
		 "2:3: a level has no 'line'", "no line size"},
		{HEAD "- {name: [D1], kind: data}",
		 "2:10: 'name' is not a word", "a list for a name"},
		{HEAD "- {name: D1, kind: data, size: 1K, assoc: [2]}",
		 "2:43: 'assoc' is not a word", "a list for a number"},
	};

	check(bad, N_OF(bad));
}

#define BODY(size, assoc, line)                                                \
	HEAD "- {name: D1, kind: data, size: " size ", assoc: " assoc          \
	     ", line: " line "}\n"

static void test_values(void)
{
	static const struct bad bad[] = {
		{HEAD "- {name: D1, kind: date}",
		 "2:20: unknown kind 'date'; did you mean 'data'?", "a kind"},
		{HEAD "- {name: D1, kind: victim}",
		 "2:20: unknown kind 'victim'; valid: instruction, data, "
		 "unified",
		 "a kind like no other"},
		{HEAD "- {name: memory, kind: data}",
		 "2:10: no level can be named 'memory'", "memory"},
		{HEAD "- {name: a b}",
		 "2:10: name 'a b' is not 1 to 15 letters, digits, '_', '.' "
		 "or '-'",
		 "a space in a name"},
		{HEAD "- {name: \"a\\nb\"}",
		 "2:10: name 'a?b' is not 1 to 15 letters, digits, '_', '.' "
		 "or '-'",
		 "a line end in a name"},
		{HEAD "- {name: }",
		 "2:10: name '' is not 1 to 15 letters, digits, '_', '.' or "
		 "'-'",
		 "no name"},
		{HEAD "- {name: abcdefghijklmnop}",
		 "2:10: name 'abcdefghijklmnop' is not 1 to 15 letters, "
		 "digits, '_', '.' or '-'",
		 "16 letters"},
		{HEAD I1 I1, "3:10: two levels are named 'I1'", "a name twice"},
		{BODY("1T", "2", "64"),
		 "2:32: size '1T' is not a number above 0, with K, M or G or "
		 "without",
		 "an unknown unit"},
		{BODY("0", "2", "64"),
		 "2:32: size '0' is not a number above 0, with K, M or G or "
		 "without",
		 "no size at all"},
		{BODY("99999999999999999999", "2", "64"),
		 "2:32: size '99999999999999999999' is too large", "a size"},
		{BODY("1:30", "2", "64"),
		 "2:32: size '1:30' is not a number above 0, with K, M or G "
		 "or without",
		 "a number of base sixty"},
		{BODY("1K", "all", "64"),
		 "2:43: unknown assoc 'all'; did you mean 'full'?",
		 "a word like full"},
		{BODY("1K", "4294967296", "64"),
		 "2:43: assoc '4294967296' is too large", "associativity"},
		{BODY("1K", "2", "16"), "2:52: 'D1': line size 16 is below 32",
		 "short lines"},
		{BODY("1K", "2", "96"),
		 "2:52: 'D1': line size 96 is not a power of two", "odd lines"},
		{BODY("1000", "2", "64"),
		 "2:32: 'D1': size 1000 is not a multiple of line size 64",
		 "a size with half a line"},
		{BODY("1K", "32", "64"),
		 "2:43: 'D1': associativity 32 does not divide its 16 lines",
		 "more ways than lines"},
		{BODY("64G", "1", "32"),
		 "2:32: 'D1': size 68719476736 is more than 268435456 lines",
		 "more lines than we have memory for"},
	};

	check(bad, N_OF(bad));
}

static void test_links(void)
{
	static const struct bad bad[] = {
		{HEAD I1 LEVEL("D1", "data", "L3") L2,
		 "3:62: unknown next 'L3'; did you mean 'L2'?", "next"},
		{HEAD LEVEL("D1", "data", "somewhere") L2,
		 "2:62: unknown next 'somewhere'; valid: D1, L2, memory",
		 "a next like no other"},
		{HEAD LEVEL("D1", "data", "[L2]") L2,
		 "2:62: 'next' is not a word", "a list of next levels"},
		{HEAD LEVEL("D1", "data", "D1"),
		 "2:3: the levels below 'D1' form a loop", "its own next"},
		{HEAD LEVEL("D1", "data", "A") LEVEL("A", "unified", "B")
			 LEVEL("B", "unified", "A") I1,
		 "2:3: the levels below 'D1' form a loop", "a loop below"},
		{HEAD LEVEL("D1", "data", "I1") I1,
		 "2:62: 'next' of 'D1' must be unified or of its own kind, not "
		 "'I1'",
		 "a next of the other kind"},
		{HEAD LEVEL("L1", "unified", "D2")
			 LEVEL("D2", "data", "memory"),
		 "2:65: 'next' of 'L1' must be unified or of its own kind, not "
		 "'D2'",
		 "a data level below a unified one"},
		{HEAD D1 L2, "2:1: no level receives instruction fetches",
		 "no instruction level"},
		{HEAD I1 L2, "2:1: no level receives data accesses",
		 "no data level"},
		{HEAD I1 D1 LEVEL("D2", "data", "L2") L2,
		 "4:3: 'D2' receives no accesses: it is no level's 'next', and "
		 "another level is the first of its kind",
		 "a second first data level"},
		{HEAD L2 I1 D1,
		 "3:3: 'I1' receives no accesses: it is no level's 'next', and "
		 "another level is the first of its kind",
		 "levels in wrong order without next"},
		{HEAD L2 L2 L2, "3:10: two levels are named 'L2'", "names"},
		{HEAD LEVEL("a", "unified", "b") LEVEL("b", "unified", "c")
			 LEVEL("c", "unified", "d") LEVEL("d", "unified", "e")
				 LEVEL("e", "unified", "memory") I1 D1,
		 "8:3: more than 6 levels", "seven levels"},
	};

	check(bad, N_OF(bad));
}

/* Read truncated and damaged copies of a valid file: none may crash the
   reader. */
static void test_damage(void)
{
	static const char good[] = HEAD I1 D1 L2;
	char text[sizeof(good)], message[AL_MESSAGE];
	struct an_geometry g;
	unsigned refused = 0;

	srand(20240531);
	for (int i = 0; i < 3000; i++) {
		size_t all = sizeof(good) - 1;
		size_t n = (size_t)i < all ? (size_t)i : all;

		memcpy(text, good, sizeof(good));
		if (n == all)
			text[(size_t)rand() % n] = (char)rand();
		refused += read_bytes(text, n, &g, message) != 0;
	}
	ok(refused > 1000, "most damaged files are refused");
}

int main(void)
{
	test_example();
	test_shapes();
	test_keys();
	test_values();
	test_links();
	test_damage();
	return done_testing();
}
