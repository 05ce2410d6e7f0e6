/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_geometry.h - rules that every cache level keeps, whoever described it
 *
 * Room:    lib, not for others; al_cachefile.h is the door.
 * Used by: al_geometry.c, al_cpuid.c, al_cachefile.c, al_sweepfile.c.
 */
#ifndef AL_GEOMETRY_H
#define AL_GEOMETRY_H

#include "analyzers/an_geometry.h"

enum {
	AL_FULL = 0, /* assoc before al_level_shape(): as many as fit */
	AL_MAX_LINES = 1 << 28, /* per level; bounds what a level costs */
};

/* The number that is wrong. */
enum al_fault { AL_FINE, AL_FAULT_SIZE, AL_FAULT_ASSOC, AL_FAULT_LINE };

/**
 * al_level_shape() - Check size, assoc and line; derive sets.
 * @level: in: the three, assoc AL_FULL for full. out: assoc and sets.
 * @why: [AL_MESSAGE] when a number is wrong.
 */
enum al_fault al_level_shape(struct an_level *level, char *why);

struct al_registers {
	uint32_t a, b, c, d;
};

/* How to ask for a leaf; tests bring a machine of their own. */
struct al_cpu {
	void (*cpuid)(const struct al_cpu *, uint32_t leaf, uint32_t sub,
		      struct al_registers *out);
};

/* NULL where there is no such instruction. */
const struct al_cpu *al_cpu_here(void);

/**
 * al_cpuid_caches() - Ask the processor for size, assoc and line of its first
 * level and its last one.
 * @level: [3] I1, D1, LL; unchecked.
 *
 * Return: 0; -ENOENT when it does not say.
 */
int al_cpuid_caches(const struct al_cpu *, struct an_level *level);

/* al_geometry_host() for the machine that @cpu stands for; NULL for none. */
void al_geometry_detect(const struct al_cpu *cpu, struct an_geometry *out);

#endif
