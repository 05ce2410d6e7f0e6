/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cachegrind.h - writes a cache simulation's result in Cachegrind's format */
#ifndef ANALYZERS_CACHE_CACHEGRIND_H
#define ANALYZERS_CACHE_CACHEGRIND_H

#include "analyzers/cache/cache_result.h"

/* Write a result that was collected with an_cacheresult.by_source_path set.
   Return: 0 or -errno. */
int an_cachegrind_write(const struct an_cacheresult *, const struct an_env *);

#endif
