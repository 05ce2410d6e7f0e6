/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_caches.h - detects the caches of this machine
 */
#ifndef LIB_CONFIG_CACHE_HOST_CACHES_H
#define LIB_CONFIG_CACHE_HOST_CACHES_H

#include <stdint.h>

#include "analyzers/geometry.h"

enum { AL_I1, AL_D1, AL_L2, AL_LL, AL_HOST_LEVELS };

/* Directory of the kernel's descriptions of processors. */
#define AL_SYSFS_CPUS "/sys/devices/system/cpu"

/* Results of CPUID: eax, ebx, ecx, edx. */
struct al_cpuid_registers {
	uint32_t a, b, c, d;
};

/* A processor that executes CPUID. Tests pass a simulated one. */
struct al_cpu {
	void (*cpuid)(const struct al_cpu *, uint32_t leaf, uint32_t sub,
		      struct al_cpuid_registers *out);
};

/* Return the processor that runs this code; NULL if it has no CPUID. */
const struct al_cpu *al_cpu_current_or_null_if_no_cpuid(void);

/**
 * al_sysfs_read_i1_d1_l2_ll_of_first_cpu() - Read the caches of the first
 * processor that is described.
 * @cpus_directory: AL_SYSFS_CPUS, or a directory with the same structure.
 * @levels: [AL_HOST_LEVELS] receives size, assoc and line, unchecked. The last
 *         level is the unified cache of the highest level; L2 has size 0 if the
 *         second level is the last, or does not exist. The third of four levels
 *         is omitted. assoc is AL_ASSOC_FULL if the kernel gives no number of
 *         ways.
 *
 * Return: 0; -ENOENT if no processor has I1, D1 and a last level.
 */
int al_sysfs_read_i1_d1_l2_ll_of_first_cpu(const char *cpus_directory,
					   struct an_level *levels);

/**
 * al_cpuid_read_caches_0_or_enoent() - Read the caches that the processor
 * describes.
 * @levels: as for al_sysfs_read_i1_d1_l2_ll_of_first_cpu().
 *
 * Reads the leaves that Valgrind reads: Intel's leaf 4 (if the lowest byte of
 * leaf 2 is 1), AMD's leaves 0x80000005 and 0x80000006. If leaf 0x80000006 has
 * no number of ways, assoc is 1.
 *
 * Return: 0; -ENOENT if the processor is unknown or has no such leaves, or if
 *         Intel's leaf 4 lacks I1, D1 or LL.
 */
int al_cpuid_read_caches_0_or_enoent(const struct al_cpu *,
				     struct an_level *levels);

/**
 * al_hostcaches_detect_or_default() - Detect this machine's caches.
 * @sysfs_dir: directory to read first.
 * @cpu_for_cpuid: used if @sysfs_dir has no plausible caches; may be NULL.
 * @levels: [AL_HOST_LEVELS] receives checked levels, whose numbers of sets are
 *         powers of two; L2 has size 0 if there is none. If both sources fail,
 *         these are Cachegrind's defaults for an unknown processor.
 * @problem_note: [AL_MESSAGE] receives one line if a source described an
 *        implausible cache, or if both sources failed; else "".
 */
void al_hostcaches_detect_or_default(const char *sysfs_dir,
				     const struct al_cpu *cpu_for_cpuid,
				     struct an_level *levels,
				     char *problem_note);

#endif
