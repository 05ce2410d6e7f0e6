/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.c - recognises files of the system, and finds a file in another folder;
   see path.h */

#include "base/text/path.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

bool al_path_is_in_system_folder(const char *path)
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
	return al_path_is_in_system_folder(path) ||
	       !strncmp(path, "/rustc/", 7) ||
	       !strncmp(path, "/rust/deps/", 11) ||
	       strstr(path, "/.cargo/registry/") != NULL;
}

int al_path_read_here_or_in_folder(const char *path, const char *folder,
				   int (*read)(void *arg, const char *path),
				   void *arg)
{
	int err = read(arg, path);
	size_t length = strlen(path);
	const char *rest = length < PATH_MAX
				   ? path
				   : strchr(path + length - PATH_MAX, '/');
	char other[PATH_MAX];

	while (err && err != -ENOMEM && folder && rest) {
		rest += strspn(rest, "/");
		if (snprintf(other, sizeof(other), "%s/%s", folder, rest) <
		    PATH_MAX)
			err = read(arg, other);
		rest = strchr(rest, '/');
	}
	return err;
}
