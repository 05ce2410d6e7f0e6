/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_caches.h - the caches of this machine, as kernel and processor name them
 */
#ifndef LIB_CONFIG_CACHE_HOST_CACHES_H
#define LIB_CONFIG_CACHE_HOST_CACHES_H

#include <stdint.h>

#include "analyzers/geometry.h"

enum { AL_I1, AL_D1, AL_L2, AL_LL, AL_HOST_LEVELS };

/* The folder of the kernel's descriptions of processors. */
#define AL_SYSFS_CPUS "/sys/devices/system/cpu"

struct al_registers {
	uint32_t a, b, c, d;
};

/* A processor that can be asked; tests bring one of their own. */
struct al_cpu {
	void (*cpuid)(const struct al_cpu *, uint32_t leaf, uint32_t sub,
		      struct al_registers *out);
};

/* Return the processor that runs this; NULL where CPUID does not exist. */
const struct al_cpu *al_cpu_here(void);

/**
 * al_sysfs_caches() - Read the caches of the first processor that has some.
 * @dir: AL_SYSFS_CPUS, or a folder that looks like it.
 * @level: [AL_HOST_LEVELS] receives size, assoc and line, unchecked. The last
 *         level is the unified cache of the highest level; L2 has size 0 where
 *         the second level is the last, or does not exist. A third of four
 *         levels is left out. assoc is AL_FULL where the kernel names no ways.
 *
 * Return: 0; -ENOENT when I1, D1 or the last level is not described.
 */
int al_sysfs_caches(const char *dir, struct an_level *level);

/**
 * al_cpuid_caches() - Ask the processor for its caches.
 * @level: as for al_sysfs_caches().
 *
 * Asks what Valgrind asks: Intel's leaf 4 (when leaf 2 refers to it), AMD's
 * leaves 0x80000005 and 0x80000006. Where an AMD leaf does not tell the number
 * of ways, assoc is 1.
 *
 * Return: 0; -ENOENT when the processor does not say.
 */
int al_cpuid_caches(const struct al_cpu *, struct an_level *level);

/**
 * al_hostcaches_detect() - Find out this machine's caches.
 * @sysfs: asked first.
 * @cpu: asked where @sysfs has nothing usable; may be NULL.
 * @level: [AL_HOST_LEVELS] receives checked levels with a power of two of sets;
 *         L2 has size 0 where there is none. Cachegrind's defaults for an
 *         unknown processor where both sources fail.
 * @note: [AL_MESSAGE] receives one line when a source named a cache that no
 *        machine has, or when nothing was found; else "".
 */
void al_hostcaches_detect(const char *sysfs, const struct al_cpu *cpu,
			  struct an_level *level, char *note);

#endif
