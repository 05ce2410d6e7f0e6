/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_geometry.h - checks cache levels, and connects them to a hierarchy
 */
#ifndef LIB_CONFIG_CACHE_CACHE_GEOMETRY_H
#define LIB_CONFIG_CACHE_CACHE_GEOMETRY_H

#include "analyzers/geometry.h"

enum {
	/* value of assoc of a fully associative level, before
	   al_level_check_and_derive_sets() */
	AL_ASSOC_FULL = 0,
	AL_MAX_LINES = 1 << 28, /* lines of a level, at most; bounds its
				   memory */
};

/* The invalid number of a level. */
enum al_fault { AL_FAULT_NONE, AL_FAULT_SIZE, AL_FAULT_ASSOC, AL_FAULT_LINE };

/**
 * al_level_check_and_derive_sets() - Check size, assoc and line; derive sets.
 * @level: size, assoc and line are set; assoc may be AL_ASSOC_FULL. Receives
 *         sets, and assoc if it was AL_ASSOC_FULL.
 * @why: [AL_MESSAGE] receives the reason if a number is invalid.
 */
enum al_fault al_level_check_and_derive_sets(struct an_level *level, char *why);

/**
 * al_level_check_like_cachegrind() - Check a level by the rules of
 * al_level_check_and_derive_sets() and of Cachegrind.
 *
 * Cachegrind's rules are: the number of sets is a power of two, and there is
 * more than one line.
 */
enum al_fault al_level_check_like_cachegrind(struct an_level *level, char *why);

/**
 * al_geometry_from_host_levels() - Connect levels: I1 and D1 to L2, L2 to LL,
 * LL to
 *                       memory.
 * @level: [AL_HOST_LEVELS] checked levels; L2 is omitted if its size is 0.
 */
void al_geometry_from_host_levels(const struct an_level *level,
				  struct an_geometry *out);

#endif
