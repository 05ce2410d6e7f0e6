/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cachegrind.h - a cache simulation's result as Cachegrind writes it
 */
#ifndef ANALYZERS_CACHE_CACHEGRIND_H
#define ANALYZERS_CACHE_CACHEGRIND_H

#include "analyzers/cache/cache_result.h"

/* Of a result by place. 0 or -errno. */
int an_cachegrind_write(const struct an_cacheresult *, const struct an_env *);

#endif
