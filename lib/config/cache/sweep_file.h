/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_file.h - reads the sweep of a cache file, a list of caches that are all
 *                simulated in place of one level
 */
#ifndef LIB_CONFIG_CACHE_SWEEP_FILE_H
#define LIB_CONFIG_CACHE_SWEEP_FILE_H

#include "analyzers/geometry.h"
#include "base/text/yaml.h"

enum {
	AL_MAX_SWEEP = 1024, /* greatest number of caches of a sweep */
	AL_MAX_VALUES = 64,  /* greatest number of values of one key of a
				sweep */
};

/**
 * al_sweep_read() - Read the map that is the value of key `sweep` of a cache
 * file, into geometry->sweep.
 * @geometry: its levels are complete; receives the sweep, to be freed with
 *            free().
 *
 * Return: 0; -EINVAL with @message.
 */
int al_sweep_read(const struct al_node *, struct an_geometry *geometry,
		  char *message);

#endif
