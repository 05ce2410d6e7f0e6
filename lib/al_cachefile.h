/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_cachefile.h - cache geometries from text
 *
 * Room:    lib. Uses libyaml.
 * Used by: al_options.c.
 */
#ifndef AL_CACHEFILE_H
#define AL_CACHEFILE_H

#include "analyzers/an_geometry.h"

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
 * al_geometry_classic() - Cachegrind's three options together.
 * @spec: "size,assoc,line" for I1, D1 and LL.
 *
 * Cachegrind's limits: sets a power of two, line a power of two and at least
 * AN_MIN_LINE, size > line * assoc or equal.
 */
int al_geometry_classic(const char *const spec[3], struct an_geometry *out,
			char *message);

/* The caches of this machine in Cachegrind's shape (I1, D1, LL), as Cachegrind
   would choose them; sane defaults where nothing can be read. */
void al_geometry_host(struct an_geometry *out);

#endif
