/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_geometry.h - checks cache levels, connects them to a hierarchy, and
 *                    changes one of a hierarchy
 */
#ifndef LIB_CONFIG_CACHE_CACHE_GEOMETRY_H
#define LIB_CONFIG_CACHE_CACHE_GEOMETRY_H

#include "analyzers/geometry.h"

enum {
	/* value of assoc of a fully associative level, before
	   al_level_check_and_derive_sets() */
	AL_ASSOC_FULL = 0,
	AL_MAX_LINES = 1 << 28, /* greatest number of lines of a level, which
				   limits the memory of its simulation */
};

/* Invalid property of a cache level: its size, associativity or line size;
   AL_FAULT_NONE: all three are valid. */
enum al_fault { AL_FAULT_NONE, AL_FAULT_SIZE, AL_FAULT_ASSOC, AL_FAULT_LINE };

/**
 * al_level_check_and_derive_sets() - Check size, assoc and line; derive sets.
 * @level: size, assoc and line are set; assoc may be AL_ASSOC_FULL. Receives
 *         sets, and assoc if it was AL_ASSOC_FULL.
 * @why: [AL_MESSAGE] receives the reason if a number is invalid.
 */
enum al_fault al_level_check_and_derive_sets(struct an_level *level, char *why);

/**
 * al_level_check_like_cachegrind() - Call al_level_check_and_derive_sets(),
 * which sets `sets`, and check that the level also obeys Cachegrind's rules.
 *
 * Cachegrind's rules are: the number of sets is a power of two, and there is
 * more than one line.
 */
enum al_fault al_level_check_like_cachegrind(struct an_level *level, char *why);

/**
 * al_geometry_make_from_host_levels() - Make a hierarchy of I1, D1, L2 (unless
 * omitted) and LL: the next level of I1 and D1 is L2, or LL if L2 is omitted;
 * the next level of L2 is LL, and LL is directly above memory.
 * @host_levels: [AL_HOST_LEVELS] checked levels; L2 is omitted if its size is
 *               0.
 */
void al_geometry_make_from_host_levels(const struct an_level *host_levels,
				       struct an_geometry *out);

/**
 * al_what_if_apply() - Change the size or the associativity of one level of a
 * hierarchy; defined in what_if.c.
 * @change: "L2*2" or "LL/2": another size with the same ways and lines, where a
 *          fully associative level stays so; "D1.size=48K", "D1.assoc=16" or
 *          "D1.assoc=full": the level's other numbers stay.
 * @g: changed; undefined after an error.
 * @message: [AL_MESSAGE] receives one line on error, with the offending word
 *           and the nearest valid one.
 *
 * The line size cannot be changed. The number of sets need not be a power of
 * two. Return: 0 or -EINVAL.
 */
int al_what_if_apply(const char *change, struct an_geometry *g, char *message);

#endif
