/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.h - parts of a path */
#ifndef BASE_TEXT_PATH_H
#define BASE_TEXT_PATH_H

#include <string.h>

/* Return the part of @path after its last '/'; @path if it has none. */
static inline const char *al_path_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
