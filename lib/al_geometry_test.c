/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_geometry_test.c - --I1, --D1, --LL, and the caches of known processors
 *
 * Room:    lib.
 *
 * What Cachegrind 3.19 prints for its caches was the reference for the first
 * machine; tests/geometry.test compares the one that it runs on.
 */
#include "lib/al_geometry.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/al_cachefile.h"
#include "lib/al_message.h"
#include "tests/tap.h"

/* A processor as a list of answers; what it does not list is 0. */
struct answer {
	uint32_t leaf, sub;
	struct al_registers r;
};

struct machine {
	struct al_cpu cpu; /* first */
	const struct answer *answer;
	size_t n;
};

static void answer(const struct al_cpu *cpu, uint32_t leaf, uint32_t sub,
		   struct al_registers *out)
{
	const struct machine *m = (const struct machine *)cpu;

	*out = (struct al_registers){0, 0, 0, 0};
	for (size_t i = 0; i < m->n; i++)
		if (m->answer[i].leaf == leaf && m->answer[i].sub == sub)
			*out = m->answer[i].r;
}

static const char *words(const struct an_geometry *g)
{
	static char text[200];
	size_t n = 0;

	for (int i = 0; i < g->n_levels; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "%s%s=%" PRIu64 ",%u,%u", n ? " " : "",
				      g->level[i].name, g->level[i].size,
				      g->level[i].assoc, g->level[i].line);
	return text;
}

static const char *detect(const struct answer *list, size_t n)
{
	struct machine m = {{answer}, list, n};
	struct an_geometry g;

	al_geometry_detect(&m.cpu, &g);
	return words(&g);
}

#define DETECT(list) detect(list, sizeof(list) / sizeof(list[0]))
#define INTEL(highest)                                                         \
	{                                                                      \
		0, 0,                                                          \
		{                                                              \
			highest, 0x756e6547, 0x6c65746e, 0x49656e69            \
		}                                                              \
	}
#define AMD(highest)                                                           \
	{                                                                      \
		0, 0,                                                          \
		{                                                              \
			highest, 0x68747541, 0x444d4163, 0x69746e65            \
		}                                                              \
	}
#define LEAF2                                                                  \
	{                                                                      \
		2, 0,                                                          \
		{                                                              \
			0x00feff01, 0xf0, 0, 0                                 \
		}                                                              \
	}
#define CACHE(sub, kind, level, ways, sets)                                    \
	{                                                                      \
		4, sub,                                                        \
		{                                                              \
			kind | level << 5, (ways - 1u) << 22 | 63, sets - 1u,  \
				0                                              \
		}                                                              \
	}
#define UNKNOWN "I1=65536,2,64 D1=65536,2,64 LL=262144,8,64"

static void test_intel(void)
{
	static const struct answer sapphire[] = {
		INTEL(0x1f),
		LEAF2,
		CACHE(0, 1, 1, 12, 64),
		CACHE(1, 2, 1, 16, 64),
		CACHE(2, 3, 2, 16, 2048),
		CACHE(3, 3, 3, 16, 491520),
	};
	static const struct answer broadwell[] = {
		INTEL(0x14),
		LEAF2,
		CACHE(0, 1, 1, 8, 64),
		CACHE(1, 2, 1, 8, 64),
		CACHE(2, 3, 2, 8, 512),
		CACHE(3, 3, 3, 20, 45056),
	};
	static const struct answer atom[] = {
		INTEL(0xb),
		LEAF2,
		CACHE(0, 1, 1, 6, 64),
		CACHE(1, 2, 1, 8, 64),
		CACHE(2, 3, 2, 16, 1024),
		CACHE(3, 3, 2, 8, 512),
	};
	static const struct answer silent[] = {
		INTEL(0x1f),
		CACHE(0, 1, 1, 12, 64),
		CACHE(1, 2, 1, 16, 64),
		CACHE(2, 3, 2, 16, 2048),
	};
	static const struct answer old[] = {INTEL(2), LEAF2};
	static const struct answer lonely[] = {INTEL(4), LEAF2,
					       CACHE(0, 1, 1, 12, 64)};

	is_str(DETECT(sapphire),
	       "I1=65536,16,64 D1=49152,12,64 LL=503316480,30,64",
	       "480 MiB in 491520 sets of 16 become 262144 sets of 30");
	is_str(DETECT(broadwell),
	       "I1=32768,8,64 D1=32768,8,64 "
	       "LL=58720256,28,64",
	       "27.5 ways are rounded up and the size with them");
	is_str(DETECT(atom), "I1=32768,8,64 D1=24576,6,64 LL=1048576,16,64",
	       "without a third level the second is the last, the first of "
	       "two");
	is_str(DETECT(silent), UNKNOWN, "leaf 2 does not send to leaf 4");
	is_str(DETECT(old), UNKNOWN, "no leaf 4");
	is_str(DETECT(lonely), UNKNOWN, "a data cache and nothing else");
}

static void test_amd(void)
{
	static const struct answer zen[] = {
		AMD(0x10),
		{0x80000000, 0, {0x80000028, 0, 0, 0}},
		{0x80000005, 0, {0, 0, 0x20080140, 0x20080140}},
		{0x80000006, 0, {0, 0, 0x04006140, 64u << 18 | 0x9140}},
	};
	static const struct answer k10[] = {
		AMD(5),
		{0x80000000, 0, {0x8000001b, 0, 0, 0}},
		{0x80000005, 0, {0, 0, 0x40020140, 0x40020140}},
		{0x80000006, 0, {0, 0, 0x02008140, 10u << 18 | 0xb140}},
	};
	static const struct answer k8[] = {
		AMD(1),
		{0x80000000, 0, {0x80000018, 0, 0, 0}},
		{0x80000005, 0, {0, 0, 0x40020140, 0x40020140}},
		{0x80000006, 0, {0, 0, 0x04008140, 0}},
	};
	static const struct answer old[] = {
		AMD(1), {0x80000000, 0, {0x80000004, 0, 0, 0}}};
	static const struct answer other[] = {
		{0, 0, {7, 0x6f677948, 0x656e6975, 0x6e65476e}}};

	is_str(DETECT(zen), "I1=32768,8,64 D1=32768,8,64 LL=33554432,1,64",
	       "an L3 whose ways another leaf tells is direct mapped");
	is_str(DETECT(k10), "I1=65536,2,64 D1=65536,2,64 LL=5242880,80,64",
	       "5 MiB in 1706 sets of 48 become 1024 sets of 80");
	is_str(DETECT(k8), "I1=65536,2,64 D1=65536,2,64 LL=1048576,16,64",
	       "without L3 the L2 is the last");
	is_str(DETECT(old), UNKNOWN, "no leaf 0x80000006");
	is_str(DETECT(other), UNKNOWN, "a vendor that Valgrind does not know");
}

static const char *classic(const char *i1, const char *d1, const char *ll)
{
	const char *const spec[] = {i1, d1, ll};
	static char message[AL_MESSAGE];
	struct an_geometry g;

	return al_geometry_classic(spec, &g, message) ? message : words(&g);
}

static void test_classic(void)
{
	const char *const only[] = {NULL, "1024,2,32", NULL};
	struct an_geometry g, host;
	char message[AL_MESSAGE];

	is_str(classic("32768,8,64", "48K,12,64", "32M,16,128"),
	       "I1=32768,8,64 D1=49152,12,64 LL=33554432,16,128",
	       "the three, with and without units");
	is_str(classic("1K,full,32", "2K,1,1K", "8G,full,32"),
	       "I1=1024,32,32 D1=2048,1,1024 LL=8589934592,268435456,32",
	       "full is as many ways as there are lines");
	al_geometry_host(&host);
	is_u64((uint64_t)al_geometry_classic(only, &g, message), 0,
	       "one alone is enough");
	ok(g.level[1].size == 1024 && g.level[1].sets == 16, "it counts");
	ok(!memcmp(&g.level[0], &host.level[0], sizeof(host.level[0])) &&
		   !memcmp(&g.level[2], &host.level[2], sizeof(host.level[2])),
	   "the others are the host's");
	ok(g.first_instruction == 0 && g.first_data == 1 && g.n_levels == 3 &&
		   g.level[0].next == 2 && g.level[1].next == 2 &&
		   g.level[2].next == AN_MEMORY,
	   "I1 and D1 lead to LL, LL to memory");
	ok(g.level[0].kind == AN_INSTRUCTION && g.level[1].kind == AN_DATA &&
		   g.level[2].kind == AN_UNIFIED,
	   "of their kinds");
}

static void test_classic_errors(void)
{
	static const char *const bad[][2] = {
		{"32768,8", "'--D1=32768,8' is not SIZE,ASSOCIATIVITY,LINE"},
		{"32768,8,64,1",
		 "'--D1=32768,8,64,1' is not SIZE,ASSOCIATIVITY,LINE"},
		{"32768,x,64", "bad number 'x' in '--D1=32768,x,64'"},
		{"full,8,64", "bad number 'full' in '--D1=full,8,64'"},
		{"0,8,64", "bad number '0' in '--D1=0,8,64'"},
		{"32768,0,64", "bad number '0' in '--D1=32768,0,64'"},
		{"-1,8,64", "bad number '-1' in '--D1=-1,8,64'"},
		{"32768,8,64 ", "bad number '64 ' in '--D1=32768,8,64 '"},
		{"1,8,4294967360", "bad number '4294967360' in "
				   "'--D1=1,8,4294967360'"},
		{"32768,8,16", "'--D1=32768,8,16': line size 16 is below 32"},
		{"32768,8,48",
		 "'--D1=32768,8,48': line size 48 is no power of two"},
		{"32769,8,64", "'--D1=32769,8,64': size 32769 is no "
			       "multiple of line size 64"},
		{"32,1,64", "'--D1=32,1,64': size 32 is no multiple of "
			    "line size 64"},
		{"32G,1,64", "'--D1=32G,1,64': size 34359738368 is more "
			     "than 268435456 lines"},
		{"64,1,64", "'--D1=64,1,64': size 64 is a single line"},
		{"1024,32,64", "'--D1=1024,32,64': associativity 32 does not "
			       "divide its 16 lines"},
		{"1024,3,64", "'--D1=1024,3,64': associativity 3 does not "
			      "divide its 16 lines"},
		{"49152,8,64", "'--D1=49152,8,64': set count 96 is no power "
			       "of two; only --cache takes that"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_str(classic(NULL, bad[i][0], NULL), bad[i][1], bad[i][0]);
}

/* Whatever is accepted is consistent. */
static void test_shapes(void)
{
	unsigned seed = 20240531, accepted = 0, wrong = 0;
	char why[AL_MESSAGE];

	srand(seed);
	for (int i = 0; i < 200000; i++) {
		uint64_t size = (uint64_t)(rand() % 65536) * 32;
		struct an_level l = {
			.size = size,
			.assoc = (uint32_t)(rand() % 33),
			.line = (uint32_t)(32 << rand() % 3),
		};

		if (al_level_shape(&l, why))
			continue;
		accepted++;
		if (l.size != size || !l.assoc || !l.sets ||
		    l.sets * l.assoc * l.line != l.size)
			wrong++;
	}
	ok(accepted > 1000, "many random shapes are accepted");
	is_u64(wrong, 0, "in each sets * associativity * line is the size");
}

int main(void)
{
	test_intel();
	test_amd();
	test_classic();
	test_classic_errors();
	test_shapes();
	return done_testing();
}
