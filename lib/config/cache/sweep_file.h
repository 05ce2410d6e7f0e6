/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_file.h - reads the sweep of a cache file
 */
#ifndef LIB_CONFIG_CACHE_SWEEP_FILE_H
#define LIB_CONFIG_CACHE_SWEEP_FILE_H

#include "analyzers/geometry.h"
#include "base/text/yaml.h"

enum {
	AL_MAX_SWEEP = 1024, /* caches of a sweep, at most */
	AL_MAX_VALUES = 64,  /* values of a key of a sweep, at most */
};

/**
 * al_sweep_read() - Read the value of `sweep`.
 * @geometry: its levels are complete; receives the sweep, to be freed with
 *            free().
 *
 * Return: 0; -EINVAL with @message.
 */
int al_sweep_read(const struct al_node *, struct an_geometry *geometry,
		  char *message);

#endif
