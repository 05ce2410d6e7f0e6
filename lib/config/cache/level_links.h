/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * level_links.h - which level of a cache file is below which
 */
#ifndef LIB_CONFIG_CACHE_LEVEL_LINKS_H
#define LIB_CONFIG_CACHE_LEVEL_LINKS_H

#include "analyzers/geometry.h"
#include "base/text/yaml.h"

/* Value of `next` where nothing is below; no level may have that name. */
#define AL_MEMORY_WORD "memory"

/**
 * al_link_levels() - Follow `next`, and find where accesses enter.
 * @list: the levels' maps, in the order of @geometry's levels.
 * @geometry: has every level but for next; gets next and first_*.
 *
 * Return: 0; -EINVAL with @message when they form no hierarchy.
 */
int al_link_levels(const struct al_node *list, struct an_geometry *geometry,
		   char *message);

#endif
