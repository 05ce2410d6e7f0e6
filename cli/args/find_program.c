/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find_program.c - finds the files of the Valgrind tool, of Valgrind and of a
 * program in $PATH
 */
#include "cli/args/find_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char platform[] = "-amd64-linux";

static int check_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return access(path, X_OK) < 0 ? -EACCES : 0;
}

int cl_find_program_in_path(const char *name, char *path_out)
{
	const char *dirs = getenv("PATH"), *end;
	int err, result = -ENOENT;

	snprintf(path_out, PATH_MAX, "%s", name);
	if (strchr(name, '/'))
		return check_executable(name);
	for (; dirs && *name; dirs = *end ? end + 1 : NULL) {
		end = strchrnul(dirs, ':');
		snprintf(path_out, PATH_MAX, "%.*s%s%s", (int)(end - dirs),
			 dirs, end == dirs ? "./" : "/", name);
		err = check_executable(path_out);
		if (!err)
			return 0;
		if (err == -EACCES)
			result = err;
	}
	return result;
}

/* Check that the file @path_without_platform with the platform's name appended
   is executable. Return: 0; -ENOENT. */
static int check_platform_tool_executable(const char *path_without_platform)
{
	char file[PATH_MAX + sizeof(platform)];

	snprintf(file, sizeof(file), "%s%s", path_without_platform, platform);
	return access(file, X_OK) < 0 ? -ENOENT : 0;
}

bool cl_find_install_root(char *root_out)
{
	ssize_t n = readlink("/proc/self/exe", root_out, PATH_MAX - 1);
	char *slash;

	if (n <= 0)
		return false;
	root_out[n] = '\0';
	for (int i = 0; i < 2; i++) { /* remove "/bin/alleria" */
		slash = strrchr(root_out, '/');
		if (slash)
			*slash = '\0';
	}
	return true;
}

int cl_find_tool_without_platform(char *path_without_platform_out)
{
	char root[PATH_MAX];

	if (cl_find_install_root(root) &&
	    snprintf(path_without_platform_out, PATH_MAX, "%s/libexec/alleria",
		     root) < PATH_MAX &&
	    check_platform_tool_executable(path_without_platform_out) == 0)
		return 0;
	snprintf(path_without_platform_out, PATH_MAX, "%s/alleria",
		 ALLERIA_TOOLDIR);
	return check_platform_tool_executable(path_without_platform_out);
}
