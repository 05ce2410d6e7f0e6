/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug_folders.c - folders in which debug files of stripped objects are found
 */
#include "lib/symbols/debug_folders.h"

#include <stdio.h>
#include <stdlib.h>

bool al_debuginfod_format_cache_path_if_used(char dir[PATH_MAX])
{
	static const struct {
		const char *variable, *suffix;
	} root[] = {{"DEBUGINFOD_CACHE_PATH", ""},
		    {"XDG_CACHE_HOME", "/debuginfod_client"},
		    {"HOME", "/.cache/debuginfod_client"}};
	const char *urls = getenv("DEBUGINFOD_URLS"), *value;

	for (size_t i = 0; urls && *urls && i < sizeof(root) / sizeof(*root);
	     i++) {
		value = getenv(root[i].variable);
		if (value && *value)
			return snprintf(dir, PATH_MAX, "%s%s", value,
					root[i].suffix) < PATH_MAX;
	}
	return false;
}
