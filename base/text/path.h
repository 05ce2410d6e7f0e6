/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.h - returns the base name of a path, recognises files of the system, and
   finds a file in another folder */
#ifndef BASE_TEXT_PATH_H
#define BASE_TEXT_PATH_H

#include <stdbool.h>
#include <string.h>

/* Return the part of @path after its last '/'; @path if it has none. */
static inline const char *al_path_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Call @read with @path, then with each path of the same file in @folder, with
   as many of the last folders of @path as possible first, until a call returns
   0 or -ENOMEM. @folder: NULL: none. Return: the result of the last call. */
int al_path_read_here_or_in_folder(const char *path, const char *folder,
				   int (*read)(void *arg, const char *path),
				   void *arg);

/* Whether a file lies where systems install programs and libraries; what a user
   installs in /usr/local is the user's own. */
bool al_path_is_in_system_folder(const char *path);

/* Whether a source file belongs to the system, to the standard library of Rust,
   or to a package that Cargo has downloaded. */
bool al_path_is_system_source(const char *path);

#endif
