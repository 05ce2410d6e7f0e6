/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * valgrind_checks.c - checks that Valgrind runs and has the tool
 */
#include "cli/doctor/checks.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/args/find_program.h"

/* Run "valgrind --version", without VALGRIND_LIB, which has a check of its own,
   and write its version to @version: "3.19.0". Return: whether it ran and
   printed a version. */
static bool run_valgrind_and_read_version(char *version, size_t version_size)
{
	FILE *f = popen("unset VALGRIND_LIB; valgrind --version 2>/dev/null",
			"r");
	char line[64] = "";
	bool found;

	if (!f)
		return false;
	found = fgets(line, sizeof(line), f) != NULL &&
		!strncmp(line, "valgrind-", 9);
	found = !pclose(f) && found;
	line[strcspn(line, "\n")] = '\0';
	snprintf(version, version_size, "%s", found ? line + 9 : "");
	return found;
}

void cl_check_valgrind_in_path_runs(struct cl_check_result *r)
{
	char path[PATH_MAX], version[64];
	int err = cl_find_program_in_path("valgrind", path);

	if (!err && run_valgrind_and_read_version(version, sizeof(version))) {
		cl_check_set_result(r, CL_OK, "%s, version %s", path, version);
		return;
	}
	cl_check_set_result(r, CL_BAD, err ? "not in PATH" : "it does not run");
	cl_check_set_remedy(r, "on Debian: apt-get install valgrind");
}

/* Whether the file at @path contains @string followed by a NUL. False if it
   cannot be read. */
static bool file_contains_string_with_nul(const char *path, const char *string)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool found = false;
	void *data;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_size > 0) {
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			    fd, 0);
		if (data != MAP_FAILED) {
			found = memmem(data, (size_t)st.st_size, string,
				       strlen(string) + 1) != NULL;
			munmap(data, (size_t)st.st_size);
		}
	}
	close(fd);
	return found;
}

/* Find the file of the Valgrind tool, "...-amd64-linux". @path_out: [PATH_MAX]
   receives its path, or where it was expected. Return: 0; -ENOENT. */
static int find_tool_file(char *path_out)
{
	int err = cl_find_tool_without_platform(path_out);
	size_t n = strlen(path_out);

	snprintf(path_out + n, PATH_MAX - n, "-amd64-linux");
	return err;
}

void cl_check_tool_matches_valgrind(struct cl_check_result *r)
{
	char path[PATH_MAX], version[64];

	if (find_tool_file(path)) {
		cl_check_set_result(r, CL_BAD, "no tool at %s", path);
		cl_check_set_remedy(r,
				    "make, then make install; see quickstart");
	} else if (!run_valgrind_and_read_version(version, sizeof(version))) {
		cl_check_set_result(r, CL_NOTE, "%s, of an unknown Valgrind",
				    path);
	} else if (!file_contains_string_with_nul(path, version)) {
		cl_check_set_result(r, CL_BAD,
				    "%s was built for another Valgrind than %s",
				    path, version);
		cl_check_set_remedy(r,
				    "configure and build with the headers of "
				    "Valgrind %s",
				    version);
	} else {
		cl_check_set_result(r, CL_OK, "%s, built for Valgrind %s", path,
				    version);
	}
}

void cl_check_tool_has_vexopt_passes(struct cl_check_result *r)
{
	char path[PATH_MAX];

	if (find_tool_file(path)) {
		cl_check_set_result(r, CL_NOTE, "no tool to look into");
	} else if (file_contains_string_with_nul(path, "__wrap_cprop_BB")) {
		cl_check_set_result(
			r, CL_OK,
			"the tool has the fast translation passes (vexopt)");
	} else {
		cl_check_set_result(
			r, CL_NOTE,
			"the tool translates with VEX's passes alone, "
			"or has no symbols");
		cl_check_set_remedy(r,
				    "build with Valgrind 3.19 to 3.24, without "
				    "--disable-vexopt");
	}
}

void cl_check_valgrind_lib_has_tool(struct cl_check_result *r)
{
	const char *dir = getenv("VALGRIND_LIB");
	char path[PATH_MAX];
	struct stat st;

	if (!dir) {
		cl_check_set_result(r, CL_OK, "not set");
		return;
	}
	snprintf(path, sizeof(path), "%s/alleria-amd64-linux", dir);
	if (!access(path, X_OK)) {
		cl_check_set_result(r, CL_OK, "%s has the tool", dir);
		return;
	}
	cl_check_set_remedy(r, "eval \"$(alleria env)\"");
	if (stat(dir, &st) || !S_ISDIR(st.st_mode)) {
		cl_check_set_result(r, CL_BAD,
				    "%s is no folder: valgrind does not start",
				    dir);
		return;
	}
	cl_check_set_result(
		r, CL_NOTE,
		"%s lacks alleria-amd64-linux: 'valgrind --tool=alleria' "
		"fails, 'alleria run' does not",
		dir);
}
