/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_geometry_test.c - --I1, --D1, --L2, --LL, and the caches of known
 * machines
 *
 * The rounding of the first machine's last level is that of Cachegrind 3.19;
 * tests/geometry.test compares the machine that it runs on with its kernel.
 */
#include "lib/config/cache/cache_geometry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/text/message.h"
#include "lib/config/cache/cache_file.h"
#include "tests/tap.h"

/* A result of CPUID. A processor is a list of these; all other results are
   0. */
struct answer {
	uint32_t leaf, sub;
	struct al_cpuid_registers r;
};

struct machine {
	struct al_cpu cpu; /* as the first member: the functions get a pointer
			      to it */
	const struct answer *answer;
	size_t n;
};

static void answer(const struct al_cpu *cpu, uint32_t leaf, uint32_t sub,
		   struct al_cpuid_registers *out)
{
	const struct machine *m = (const struct machine *)cpu;

	*out = (struct al_cpuid_registers){0, 0, 0, 0};
	for (size_t i = 0; i < m->n; i++)
		if (m->answer[i].leaf == leaf && m->answer[i].sub == sub)
			*out = m->answer[i].r;
}

static const char *words(const struct an_geometry *g)
{
	static char text[300];
	size_t n = 0;

	for (int i = 0; i < g->n_levels; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "%s%s=%" PRIu64 ",%u,%u", n ? " " : "",
				      g->level[i].name, g->level[i].size,
				      g->level[i].assoc, g->level[i].line);
	return text;
}

static char note[AL_MESSAGE]; /* the note of the last call of host() */

static const char *host(const char *sysfs, const struct al_cpu *cpu)
{
	struct an_level level[AL_HOST_LEVELS];
	struct an_geometry g;

	al_hostcaches_detect_or_default(sysfs, cpu, level, note);
	al_geometry_make_from_host_levels(level, &g);
	return words(&g);
}

static const char *detect(const struct answer *list, size_t n)
{
	struct machine m = {{answer}, list, n};

	return host("/nonexistent", &m.cpu);
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
	       "I1=65536,16,64 D1=49152,12,64 L2=2097152,16,64 "
	       "LL=503316480,30,64",
	       "480 MiB in 491520 sets of 16 become 262144 sets of 30");
	is_str(DETECT(broadwell),
	       "I1=32768,8,64 D1=32768,8,64 L2=262144,8,64 "
	       "LL=58720256,28,64",
	       "27.5 ways are rounded up and the size with them");
	is_str(DETECT(atom), "I1=32768,8,64 D1=24576,6,64 LL=1048576,16,64",
	       "without a third level the second is the last, the first of "
	       "two");
	is_str(note, "", "nothing to note");
	is_str(DETECT(silent), UNKNOWN, "leaf 2 does not send to leaf 4");
	is_str(note, "neither kernel nor processor name the caches",
	       "which is noted");
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

	is_str(DETECT(zen), UNKNOWN, "no L3 of 32 MiB is direct mapped");
	is_str(note,
	       "the processor names a cache that no machine has: LL of 32768 "
	       "KiB, direct mapped",
	       "the refusal names the cache");
	is_str(DETECT(k10),
	       "I1=65536,2,64 D1=65536,2,64 L2=524288,16,64 LL=5242880,80,64",
	       "5 MiB in 1706 sets of 48 become 1024 sets of 80");
	is_str(DETECT(k8), "I1=65536,2,64 D1=65536,2,64 LL=1048576,16,64",
	       "without L3 the L2 is the last");
	is_str(DETECT(old), UNKNOWN, "no leaf 0x80000006");
	is_str(DETECT(other), UNKNOWN, "a vendor that Valgrind does not know");
}

/* Write one property of cache @index of a processor below @dir. */
static void property(const char *dir, int index, const char *name,
		     const char *value)
{
	char path[400];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cpu3/cache/index%d/%s", dir, index,
		 name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%s\n", value) < 0 || fclose(f))
		abort();
}

static void folder(const char *dir, const char *name)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (mkdir(path, 0700))
		abort();
}

/* Describe cache @index: level, type, size and ways; lines of 64 bytes. */
static void describe(const char *dir, int index, const char *const word[4])
{
	static const char *const name[] = {"level", "type", "size",
					   "ways_of_associativity"};
	char path[32];

	snprintf(path, sizeof(path), "cpu3/cache/index%d", index);
	folder(dir, path);
	for (int i = 0; i < 4; i++)
		property(dir, index, name[i], word[i]);
	property(dir, index, "coherency_line_size", "64");
}

/* Check a machine whose kernel describes the caches of the third processor
   only. */
static void test_kernel(void)
{
	static const char *const list[][4] = {
		{"1", "Data", "48K", "12"},
		{"1", "Instruction", "32K", "8"},
		{"2", "Unified", "1M", "16"},
		{"3", "Unified", "33792K", "11"},
		{"4", "Unified", "128M", "16"},
	};
	static const struct answer zen[] = {
		AMD(0x10),
		{0x80000000, 0, {0x80000028, 0, 0, 0}},
		{0x80000005, 0, {0, 0, 0x20080140, 0x20080140}},
		{0x80000006, 0, {0, 0, 0x04006140, 64u << 18 | 0xb140}},
	};
	struct machine amd = {{answer}, zen, sizeof(zen) / sizeof(zen[0])};
	char dir[] = "/tmp/al_geometry_test.XXXXXX";
	char remove[100];

	if (!mkdtemp(dir))
		abort();
	is_str(host(dir, NULL), UNKNOWN, "a kernel without descriptions");
	folder(dir, "cpu3");
	folder(dir, "cpu3/cache");
	for (int i = 0; i < 2; i++)
		describe(dir, i, list[i]);
	is_str(host(dir, NULL), UNKNOWN, "no unified level");
	describe(dir, 2, list[2]);
	is_str(host(dir, &amd.cpu),
	       "I1=32768,8,64 D1=49152,12,64 LL=1048576,16,64",
	       "the second level is the last, and the kernel is asked first");
	describe(dir, 3, list[3]);
	is_str(host(dir, &amd.cpu),
	       "I1=32768,8,64 D1=49152,12,64 L2=1048576,16,64 "
	       "LL=35651584,17,64",
	       "49152 sets of 11 become 32768 sets of 16.5, rounded up to 17");
	is_str(note, "", "nothing to note");
	property(dir, 3, "size", "256M");
	property(dir, 3, "ways_of_associativity", "1");
	is_str(host(dir, &amd.cpu),
	       "I1=32768,8,64 D1=32768,8,64 L2=1048576,8,64 "
	       "LL=33554432,64,64",
	       "256 MiB, direct mapped: the processor is asked");
	is_str(note,
	       "the kernel names a cache that no machine has: LL of 262144 "
	       "KiB, direct mapped",
	       "and why is noted");
	describe(dir, 4, list[4]);
	is_str(host(dir, NULL),
	       "I1=32768,8,64 D1=49152,12,64 L2=1048576,16,64 "
	       "LL=134217728,16,64",
	       "of four levels the third is left out");
	snprintf(remove, sizeof(remove), "rm -r %s", dir);
	ok(!system(remove), "the folder is removed");
}

static const char *classic_l2(const char *i1, const char *d1, const char *l2,
			      const char *ll)
{
	const char *const spec[] = {i1, d1, l2, ll};
	static char message[AL_MESSAGE];
	struct an_geometry g;

	return al_geometry_from_options_or_host(spec, &g, note, message)
		       ? message
		       : words(&g);
}

static const char *classic(const char *i1, const char *d1, const char *ll)
{
	return classic_l2(i1, d1, NULL, ll);
}

static void test_classic(void)
{
	const char *const none[AL_HOST_LEVELS] = {NULL};
	const char *const only[] = {NULL, "1024,2,32", NULL, NULL};
	const char *const second[] = {NULL, NULL, "8M,4,64", NULL};
	struct an_geometry g, this;
	char message[AL_MESSAGE];
	int last;

	is_str(classic("32768,8,64", "48K,12,64", "32M,16,128"),
	       "I1=32768,8,64 D1=49152,12,64 LL=33554432,16,128",
	       "the three, with and without units");
	is_str(classic("1K,full,32", "2K,1,1K", "8G,full,32"),
	       "I1=1024,32,32 D1=2048,1,1024 LL=8589934592,268435456,32",
	       "full is as many ways as there are lines");
	is_str(classic_l2("1K,2,64", "1K,2,64", "4K,4,64", "8K,4,64"),
	       "I1=1024,2,64 D1=1024,2,64 L2=4096,4,64 LL=8192,4,64",
	       "four levels");
	is_str(classic_l2("1K,2,64", "1K,2,64", "x", "8K,4,64"),
	       "bad number 'x' in '--L2=x'", "an L2 that is wrong");
	al_geometry_from_options_or_host(none, &this, note, message);
	last = this.n_levels - 1;
	is_u64((uint64_t)al_geometry_from_options_or_host(second, &g, note,
							  message),
	       0, "an L2 alone");
	ok(g.n_levels == 4 && g.level[2].size == 8 << 20 &&
		   g.level[0].next == 2 && g.level[1].next == 2 &&
		   g.level[2].next == 3 && g.level[3].next == AN_MEMORY &&
		   g.level[2].kind == AN_UNIFIED &&
		   g.level[3].size == this.level[last].size,
	   "I1 and D1 lead to L2, L2 to this machine's LL");
	is_u64((uint64_t)al_geometry_from_options_or_host(only, &g, note,
							  message),
	       0, "one alone is enough");
	ok(g.level[1].size == 1024 && g.level[1].sets == 16, "it counts");
	ok(g.n_levels == 3 && g.level[0].size == this.level[0].size &&
		   g.level[2].size == this.level[last].size &&
		   g.level[2].assoc == this.level[last].assoc,
	   "the others are the host's, without L2");
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
		{"32K,fulll,64", "bad number 'fulll' in '--D1=32K,fulll,64'; "
				 "did you mean 'full'?"},
		{"0,8,64", "bad number '0' in '--D1=0,8,64'"},
		{"32768,0,64", "bad number '0' in '--D1=32768,0,64'"},
		{"-1,8,64", "bad number '-1' in '--D1=-1,8,64'"},
		{"32768,8,64 ", "bad number '64 ' in '--D1=32768,8,64 '"},
		{"1,8,4294967360", "bad number '4294967360' in "
				   "'--D1=1,8,4294967360'"},
		{"32768,8,16", "'--D1=32768,8,16': line size 16 is below 32"},
		{"32768,8,48",
		 "'--D1=32768,8,48': line size 48 is not a power of two"},
		{"32769,8,64", "'--D1=32769,8,64': size 32769 is not a "
			       "multiple of line size 64"},
		{"32,1,64", "'--D1=32,1,64': size 32 is not a multiple of "
			    "line size 64"},
		{"32G,1,64", "'--D1=32G,1,64': size 34359738368 is more "
			     "than 268435456 lines"},
		{"64,1,64", "'--D1=64,1,64': size 64 is a single line"},
		{"1024,32,64", "'--D1=1024,32,64': associativity 32 does not "
			       "divide its 16 lines"},
		{"1024,3,64", "'--D1=1024,3,64': associativity 3 does not "
			      "divide its 16 lines"},
		{"49152,8,64", "'--D1=49152,8,64': set count 96 is not a "
			       "power of two; only --cache permits this"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_str(classic(NULL, bad[i][0], NULL), bad[i][1], bad[i][0]);
}

/* Check that every accepted level is consistent. */
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

		if (al_level_check_and_derive_sets(&l, why))
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
	test_kernel();
	test_classic();
	test_classic_errors();
	test_shapes();
	return done_testing();
}
