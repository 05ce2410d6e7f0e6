/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_file.h - reads cache hierarchies from files and options
 */
#ifndef LIB_CONFIG_CACHE_CACHE_FILE_H
#define LIB_CONFIG_CACHE_CACHE_FILE_H

#include "analyzers/geometry.h"
#include "lib/config/cache/host_caches.h"

/**
 * al_cachefile_read() - Read --cache=FILE.
 * @path_or_installed_name: path; a name without '/' that is no file in the
 *                          current directory is searched among the cache files
 *                          installed with Alleria.
 * @message: [AL_MESSAGE] on error: FILE:LINE:COLUMN, the fault, the offending
 *           word in quotes, and the nearest valid one.
 *
 * Return: 0, and the caller frees out->sweep; -EINVAL with @message.
 */
int al_cachefile_read(const char *path_or_installed_name,
		      struct an_geometry *out, char *message);

/**
 * al_geometry_from_options_or_host() - Build a hierarchy from --I1, --D1, --L2
 * and --LL.
 * @option_values: [AL_HOST_LEVELS] for each of these options, in that order,
 *        its value "size,assoc,line"; NULL: the option is not given.
 * @host_problem_note: [AL_MESSAGE] receives a line if a level was not given and
 *                     a description of this machine's caches was implausible or
 *                     all were missing; else "".
 *
 * Levels that are not given are this machine's. L2 exists if it is given, or if
 * no level is given and this machine has one. Cachegrind's limits apply: the
 * number of sets is a power of two, the line size is a power of two and at
 * least AN_MIN_LINE, and the cache has at least two lines.
 *
 * Return: 0; -EINVAL with @message.
 */
int al_geometry_from_options_or_host(const char *const *option_values,
				     struct an_geometry *out,
				     char *host_problem_note, char *message);

#endif
