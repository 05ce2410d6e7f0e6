/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.c - parts and places of files; see path.h */

#include "base/text/path.h"

#include <stddef.h>

bool al_path_is_system(const char *path)
{
	static const char *const folder[] = {"/usr/", "/lib", "/bin/", "/sbin/",
					     "/opt/"};

	if (!strncmp(path, "/usr/local/", 11))
		return false;
	for (size_t i = 0; i < sizeof(folder) / sizeof(*folder); i++)
		if (!strncmp(path, folder[i], strlen(folder[i])))
			return true;
	return false;
}

bool al_path_is_system_source(const char *path)
{
	return al_path_is_system(path) || !strncmp(path, "/rustc/", 7) ||
	       !strncmp(path, "/rust/deps/", 11) ||
	       strstr(path, "/.cargo/registry/") != NULL;
}
