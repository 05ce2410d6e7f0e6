/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_file.h - cache geometries from text
 *
 * Uses libyaml.
 */
#ifndef LIB_CONFIG_CACHE_CACHE_FILE_H
#define LIB_CONFIG_CACHE_CACHE_FILE_H

#include "analyzers/geometry.h"
#include "lib/config/cache/host_caches.h"

/**
 * al_cachefile_read() - Read --cache=FILE.
 * @name: a path; a bare name may also be that of a file that comes with
 *        Alleria, where none here has it.
 * @message: [AL_MESSAGE] on error: FILE:LINE:COLUMN: what, the offending word
 *           in quotes, and the nearest valid one.
 *
 * Return: 0, and the caller frees the sweep; -EINVAL with @message.
 */
int al_cachefile_read(const char *name, struct an_geometry *out, char *message);

/**
 * al_geometry_classic() - Build a hierarchy from --I1, --D1, --L2 and --LL.
 * @spec: [AL_HOST_LEVELS] "size,assoc,line" for each, in that order, or NULL.
 * @note: [AL_MESSAGE] receives a line when a level is this machine's and could
 *        not be found out; else "".
 *
 * Levels that are not given are this machine's. L2 is there when it is given, or
 * when nothing is. Cachegrind's limits hold: sets a power of two, line a power of
 * two and at least AN_MIN_LINE, size > line * assoc or equal.
 *
 * Return: 0; -EINVAL with @message.
 */
int al_geometry_classic(const char *const *spec, struct an_geometry *out,
			char *note, char *message);

#endif
