/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_paths.h - numbers the sites (call stacks of allocations) of a map so
 * that those with equal names have equal numbers
 *
 * A site is recorded for each image and each sequence of addresses, and again
 * after code at one of them was unmapped; the user sees functions, files,
 * lines, objects and the lines of own code that the code was inlined into. The
 * rows of --analyze=data, too, are by these.
 *
 * Threads: one at a time.
 */
#ifndef LIBALLERIA_DATA_SITE_PATHS_H
#define LIBALLERIA_DATA_SITE_PATHS_H

#include "base/tables/key_table.h"
#include "liballeria/data/data_map.h"

/* Number of the path of heap blocks whose site is unknown. */
enum { AP_UNKNOWN_SITE_PATH = UINT32_MAX };

/* Paths (the named frames) of sites, which are the call stacks of allocations.
   All zero: no paths. */
struct ap_site_paths {
	uint32_t *path_of_site; /* [n_sites] by number of the site - 1: number
				   of its path, the names of its callers */
	struct al_key_table functions; /* {function, file, object}: addresses of
					  interned names, of files and objects
					  without their folders */
	/* paths by {number of the path without its outermost frame, number in
	   `functions` of the outermost frame's function, line << 32 | line of
	   the inlined call or, if only the object is known, address in it with
	   bit 63 set}; the number of a path is its index in this table + 1;
	   path 0 has no frames */
	struct al_key_table paths;
};

/* Number the paths (the named frames) of all sites, call stacks of allocations,
   of the map. Return: 0; -ENOMEM, with paths to release. */
int ap_site_call_paths_build(struct ap_site_paths *,
			     const struct alleria_data_map *);
void ap_site_paths_release(struct ap_site_paths *);

#endif
