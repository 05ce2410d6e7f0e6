/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuid.c - reads the caches that the processor describes by CPUID
 *
 * Supports Intel's and AMD's processors, and reads the leaves that Valgrind
 * reads: Intel's leaf 4 (if the lowest byte of leaf 2 is 1), AMD's leaves
 * 0x80000005 and 0x80000006. The number of ways of a shared L3 is only in newer
 * AMD leaves, which are not read here, but by the kernel (sysfs.c).
 */
#include "lib/config/cache/host_caches.h"

#include <errno.h>
#include <string.h>

enum {
	INTEL_CODES = 2,
	INTEL_CACHES = 4,
	AMD_LEAVES = (int)0x80000000,
	AMD_L1 = (int)0x80000005,
	AMD_L2_L3 = (int)0x80000006,
};

static struct al_cpuid_registers read_cpuid_leaf(const struct al_cpu *cpu,
						 int leaf, uint32_t sub_leaf)
{
	struct al_cpuid_registers r;

	cpu->cpuid(cpu, (uint32_t)leaf, sub_leaf, &r);
	return r;
}

static struct an_level make_level_without_sets(uint64_t size, uint32_t assoc,
					       uint32_t line)
{
	return (struct an_level){.size = size, .assoc = assoc, .line = line};
}

static struct an_level
decode_intel_leaf_4_size_assoc_line(struct al_cpuid_registers r)
{
	uint32_t assoc = (r.b >> 22) + 1;
	uint32_t parts = (r.b >> 12 & 0x3ff) + 1;
	uint32_t line = (r.b & 0x7ff) + 1;
	uint64_t size = (uint64_t)assoc * parts * line * (r.c + 1ull);

	return make_level_without_sets(size & ~1023ull, assoc, line);
}

/* Read Intel's leaf 4 into @levels [AL_HOST_LEVELS]. LL is the unified cache of
   the highest level, up to 3, that has any cache; of several caches of one
   level and kind the first is used. Return: 0; -ENOENT if leaf 4 is missing,
   if the lowest byte of leaf 2 is not 1, or if I1, D1 or LL is missing in
   leaf 4. */
static int read_intel_leaf_4_caches_0_or_enoent(const struct al_cpu *cpu,
						struct an_level *levels)
{
	enum { DATA = 1, CODE, BOTH };
	struct an_level found[4][4] = {{{{0}, 0, 0, 0, 0, 0, 0}}};
	uint32_t highest = 0;
	struct al_cpuid_registers r;

	if (read_cpuid_leaf(cpu, 0, 0).a < INTEL_CACHES ||
	    (read_cpuid_leaf(cpu, INTEL_CODES, 0).a & 0xff) != 1)
		return -ENOENT;
	for (uint32_t i = 0; i < 64; i++) {
		uint32_t kind, cache_level;

		r = read_cpuid_leaf(cpu, INTEL_CACHES, i);
		kind = r.a & 0x1f;
		cache_level = r.a >> 5 & 7;
		if (!kind)
			break;
		if (kind > BOTH || cache_level < 1 || cache_level > 3)
			continue;
		if (!found[cache_level][kind].size)
			found[cache_level][kind] =
				decode_intel_leaf_4_size_assoc_line(r);
		if (cache_level > highest)
			highest = cache_level;
	}
	levels[AL_I1] = found[1][CODE];
	levels[AL_D1] = found[1][DATA];
	levels[AL_L2] = found[highest > 2 ? 2 : 0][BOTH];
	levels[AL_LL] = found[highest][BOTH];
	return levels[AL_I1].size && levels[AL_D1].size && levels[AL_LL].size
		       ? 0
		       : -ENOENT;
}

/* Return the size, associativity and line size of an L1 cache that
   @register_value of leaf 0x80000005 describes. */
static struct an_level decode_amd_l1(uint32_t register_value)
{
	return make_level_without_sets((uint64_t)(register_value >> 24) << 10,
				       register_value >> 16 & 0xff,
				       register_value & 0xff);
}

/* Return the number of ways that leaf 0x80000006 encodes in @register_value; 1
   for codes that are not in `ways` (disabled, full, "see another leaf", ...),
   as Valgrind does. */
static uint32_t decode_amd_l2_l3_assoc_or_1(uint32_t register_value)
{
	static const uint8_t ways[16] = {
		[2] = 2,   [4] = 4,   [6] = 8,	 [8] = 16,   [10] = 32,
		[11] = 48, [12] = 64, [13] = 96, [14] = 128,
	};
	uint8_t n = ways[register_value >> 12 & 15];

	return n ? n : 1;
}

/* Read the caches that leaves 0x80000005 and 0x80000006 describe. Return: 0;
   -ENOENT if the processor lacks these leaves. */
static int read_amd_leaf_80000005_6_caches(const struct al_cpu *cpu,
					   struct an_level *levels)
{
	uint32_t last = read_cpuid_leaf(cpu, AMD_LEAVES, 0).a;
	struct al_cpuid_registers r;

	if (last < (uint32_t)AMD_L2_L3)
		return -ENOENT;
	r = read_cpuid_leaf(cpu, AMD_L1, 0);
	levels[AL_I1] = decode_amd_l1(r.d);
	levels[AL_D1] = decode_amd_l1(r.c);
	r = read_cpuid_leaf(cpu, AMD_L2_L3, 0);
	levels[AL_L2] = make_level_without_sets(
		(uint64_t)(r.c >> 16) << 10, decode_amd_l2_l3_assoc_or_1(r.c),
		r.c & 0xff);
	levels[AL_LL] = make_level_without_sets(
		(uint64_t)(r.d >> 18) << 19, decode_amd_l2_l3_assoc_or_1(r.d),
		r.d & 0xff);
	if (!levels[AL_LL].size) {
		levels[AL_LL] = levels[AL_L2];
		levels[AL_L2].size = 0;
	}
	return 0;
}

int al_cpuid_read_caches_0_or_enoent(const struct al_cpu *cpu,
				     struct an_level *levels)
{
	struct al_cpuid_registers r = read_cpuid_leaf(cpu, 0, 0);
	char vendor[12];

	memcpy(vendor, &r.b, 4);
	memcpy(vendor + 4, &r.d, 4);
	memcpy(vendor + 8, &r.c, 4);
	if (!memcmp(vendor, "GenuineIntel", 12))
		return read_intel_leaf_4_caches_0_or_enoent(cpu, levels);
	if (!memcmp(vendor, "AuthenticAMD", 12))
		return read_amd_leaf_80000005_6_caches(cpu, levels);
	return -ENOENT;
}

#if defined(__x86_64__)
#include <cpuid.h>

static void execute_cpuid(const struct al_cpu *unused_cpu, uint32_t leaf,
			  uint32_t sub_leaf, struct al_cpuid_registers *out)
{
	(void)unused_cpu;
	__cpuid_count(leaf, sub_leaf, out->a, out->b, out->c, out->d);
}

const struct al_cpu *al_cpu_current_or_null_if_no_cpuid(void)
{
	static const struct al_cpu here = {execute_cpuid};

	return &here;
}
#else
const struct al_cpu *al_cpu_current_or_null_if_no_cpuid(void)
{
	return NULL;
}
#endif
