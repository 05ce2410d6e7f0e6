/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * level_links.h - resolves which level of a cache file is below which
 */
#ifndef LIB_CONFIG_CACHE_LEVEL_LINKS_H
#define LIB_CONFIG_CACHE_LEVEL_LINKS_H

#include "analyzers/geometry.h"
#include "base/text/yaml.h"

/* Value of `next` for the level above memory; no level may have this name. */
#define AL_MEMORY_WORD "memory"

/**
 * al_levels_link() - Resolve `next`, and find the first levels.
 * @list: YAML maps of the levels, in the order of @geometry's levels.
 * @geometry: its levels are complete except for next; receives next,
 *            first_instruction and first_data.
 *
 * Return: 0; -EINVAL with @message if the levels form no hierarchy.
 */
int al_levels_link(const struct al_node *list, struct an_geometry *geometry,
		   char *message);

#endif
