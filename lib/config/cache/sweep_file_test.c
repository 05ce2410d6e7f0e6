/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_file_test.c - tests valid sweeps, and every error
 */
#include "tests/tap.h"

#include "tests/fixtures/cache_text.h"

#define LEVELS HEAD I1 D1 L2
#define SWEEP(more) LEVELS "sweep: {level: D1, " more "}\n"

/* "1024/2/64 ...": size, associativity and line of each cache. */
static const char *format_caches(const char *text)
{
	static char out[4096];
	char message[AL_MESSAGE];
	struct an_geometry g;
	size_t used = 0;

	out[0] = 0;
	if (read_bytes(text, strlen(text), &g, message)) {
		snprintf(out, sizeof(out), "%s", message);
		return out;
	}
	for (unsigned i = 0; g.sweep && i < g.sweep->n; i++) {
		const struct an_shape *s = &g.sweep->shape[i];

		used += (size_t)snprintf(out + used, sizeof(out) - used,
					 "%s%" PRIu64 "/%u/%u", i ? " " : "",
					 s->size, s->assoc, s->line);
	}
	free(g.sweep);
	return out;
}

static void test_values(void)
{
	is_str(format_caches(SWEEP("size: 1K..4K")),
	       "1024/2/64 2048/2/64 4096/2/64",
	       "a range doubles; what is not given is the level's own");
	is_str(format_caches(SWEEP("assoc: [1, 4..16, full]")),
	       "1024/1/64 1024/4/64 1024/8/64 1024/16/64",
	       "a list of numbers, ranges and full, each cache once");
	is_str(format_caches(SWEEP("line: [64, 32], assoc: 16..32")),
	       "1024/16/64 1024/16/32 1024/32/32",
	       "lines too long for the associativity are left out");
	is_str(format_caches(SWEEP("size: [1K, 960], assoc: [2, 5]")),
	       "1024/2/64 960/5/64", "what does not divide is left out");
	is_str(format_caches(
		       SWEEP("line: [32, 128], size: 256..512, assoc: 1..2")),
	       "256/1/32 256/2/32 512/1/32 512/2/32 256/1/128 256/2/128 "
	       "512/1/128 512/2/128",
	       "by line, by size, by associativity");
	is_str(format_caches(SWEEP("policy: LRU")), "1024/2/64", "the policy");
	is_str(format_caches(SWEEP("policy: [lru]")), "1024/2/64",
	       "the policy in a list, in small letters");
	is_str(format_caches(
		       HEAD
		       "- {name: L1, kind: unified, size: 1K, assoc: full, "
		       "line: 64}\nsweep: {level: L1, size: 1K..2K}\n"),
	       "1024/16/64 2048/32/64", "a full level stays full");
	is_str(format_caches(LEVELS), "", "no sweep, no shapes");
}

static void test_bad(void)
{
	static const struct bad bad[] = {
		{LEVELS "sweep: 3\n", "5:8: the sweep is not 'key: value'",
		 "a number"},
		{LEVELS "sweeep: {}\n",
		 "5:1: unknown key 'sweeep'; did you mean 'sweep'?",
		 "the word itself"},
		{LEVELS "sweep: {size: 1K}\n", "5:8: the sweep has no 'level'",
		 "no level"},
		{LEVELS "sweep: {level: D2, size: 1K}\n",
		 "5:16: unknown level 'D2'; did you mean 'D1'?",
		 "another level"},
		{SWEEP("asoc: 2"),
		 "5:20: unknown key 'asoc'; did you mean 'assoc'?", "a key"},
		{SWEEP("policy: FIFO"),
		 "5:28: unknown policy 'FIFO'; valid: LRU", "another policy"},
		{SWEEP("policy: [LRU, PLRU]"), "5:28: 'policy' is not a word",
		 "two policies"},
		{SWEEP("policy: PLRU"),
		 "5:28: unknown policy 'PLRU'; did you mean 'LRU'?",
		 "a policy like ours"},
		{SWEEP("size: []"), "5:26: 'size' has no values", "no values"},
		{SWEEP("size: {a: b}"), "5:26: 'size' is not a word", "a map"},
		{SWEEP("size: [1K, [2K]]"), "5:31: 'size' is not a word",
		 "a list in a list"},
		{SWEEP("size: 4X"),
		 "5:26: size '4X' is neither a number above 0 nor a range such "
		 "as 4..64",
		 "a unit"},
		{SWEEP("size: 0..4K"),
		 "5:26: size '0..4K' is neither a number above 0 nor a range "
		 "such as 4..64",
		 "a range from nothing"},
		{SWEEP("size: 1K..2K..4K"),
		 "5:26: size '1K..2K..4K' is neither a number above 0 nor a "
		 "range such as 4..64",
		 "a range of three"},
		{SWEEP("size: 1K..3K"),
		 "5:26: size '1K..3K': doubling the first does not lead to the "
		 "last",
		 "a range that ends beside a power"},
		{SWEEP("size: 2K..1K"),
		 "5:26: size '2K..1K': doubling the first does not lead to the "
		 "last",
		 "a range backwards"},
		{SWEEP("size: full"),
		 "5:26: size 'full' is neither a number above 0 nor a range "
		 "such as 4..64",
		 "a size that is no number"},
		{SWEEP("assoc: ful"),
		 "5:27: unknown assoc 'ful'; did you mean "
		 "'full'?",
		 "a word like full"},
		{SWEEP("line: 48"), "5:26: line size 48 is not a power of two",
		 "a line"},
		{SWEEP("line: 16..64"), "5:26: line size 16 is below 32",
		 "a short line"},
		{SWEEP("assoc: [2, 3]"),
		 "5:27: no cache of the sweep can have assoc 3",
		 "a value that fits nowhere"},
		{SWEEP("size: 1000"),
		 "5:26: no cache of the sweep can have size 1000",
		 "a size that fits nowhere"},
		{SWEEP("size: 16G, assoc: 1..8"),
		 "5:8: the caches have more than 268435456 lines together",
		 "more lines than we have memory for"},
		{SWEEP("size: 1..1152921504606846976, assoc: 1..1048576"),
		 "5:8: the caches have more than 268435456 lines together",
		 "ranges without end"},
	};

	check(bad, N_OF(bad));
}

static void test_many(void)
{
	char text[4096] = LEVELS "sweep: {level: D1, size: [1";
	size_t used;

	for (int i = 0; i < 64; i++) {
		used = strlen(text);
		snprintf(text + used, sizeof(text) - used, ", %d", i + 2);
	}
	strcat(text, "]}\n");
	is_str(complaint(text), "5:274: more than 64 values of 'size'",
	       "more values than there can be");
	snprintf(text, sizeof(text), "%s",
		 SWEEP("size: 32K..64M, assoc: [1..512, 3, 6, 12, 24, 48, 96, "
		       "192, 384, 5, 10, 20, 40, 80, 160, 320], line: "
		       "[32..4096], size: 1K"));
	ok(strstr(complaint(text), "'size'") != NULL, "a key twice");
}

int main(void)
{
	test_values();
	test_bad();
	test_many();
	return done_testing();
}
