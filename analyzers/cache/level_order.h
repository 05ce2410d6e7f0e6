/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * level_order.h - orders the levels of a result by the cost of their misses
 */
#ifndef ANALYZERS_CACHE_LEVEL_ORDER_H
#define ANALYZERS_CACHE_LEVEL_ORDER_H

#include "analyzers/cache/cache_result.h"

/* Levels that miss equally often in each function and line. */
struct an_level_group {
	unsigned level[AN_MAX_LEVELS]; /* [n] ascending, in the geometry */
	unsigned n;		       /* >= 1 */
	bool is_extra; /* matters too little to be shown unasked */
};

/* Set @group to the levels that miss, the most costly first. Return: number of
   groups. */
unsigned
an_cacheresult_group_levels(const struct an_cacheresult *,
			    const struct an_geometry *,
			    struct an_level_group group[AN_MAX_LEVELS]);

#endif
