/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.c - parts of a path; see path.h */
#include "base/text/path.h"

bool al_path_is_of_system(const char *path)
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
