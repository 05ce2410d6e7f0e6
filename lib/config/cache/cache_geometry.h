/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_geometry.h - rules that every cache level keeps, whoever described it
 */
#ifndef LIB_CONFIG_CACHE_CACHE_GEOMETRY_H
#define LIB_CONFIG_CACHE_CACHE_GEOMETRY_H

#include "analyzers/geometry.h"

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

/**
 * al_level_check() - al_level_shape() and Cachegrind's own rules: a power of two
 * of sets, and more than one line.
 */
enum al_fault al_level_check(struct an_level *level, char *why);

/**
 * al_geometry_build() - Connect levels: I1 and D1 to L2, L2 to LL, LL to memory.
 * @level: [AL_HOST_LEVELS] checked ones; L2 is left out where its size is 0.
 */
void al_geometry_build(const struct an_level *level, struct an_geometry *out);

#endif
