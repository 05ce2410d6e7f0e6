/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug_file_checks.c - checks the folders of debug files
 *
 * A folder that exists and cannot be read is noted: functions of libraries then
 * have no names, although their debug files are there.
 */
#include "cli/doctor/checks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbols/debug_folders.h"

void cl_check_debug_folder_or_debuginfod_set(struct cl_check_result *r)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	bool has_files = !access(AL_DEBUG_FOLDER "/.build-id", R_OK);

	if (has_files || (urls && *urls)) {
		cl_check_set_result(
			r, CL_OK, "%s%s%s",
			has_files ? AL_DEBUG_FOLDER "/.build-id" : "",
			has_files && urls && *urls ? ", " : "",
			urls && *urls ? "DEBUGINFOD_URLS is set" : "");
		return;
	}
	cl_check_set_result(
		r, CL_NOTE,
		"none of libraries: their functions without symbols are "
		"???");
	cl_check_set_remedy(r,
			    "install -dbgsym packages, or set DEBUGINFOD_URLS");
}

/* Set the result to a note if @folder exists and cannot be read, else to ok. */
static void check_folder_is_readable_if_exists(struct cl_check_result *r,
					       const char *folder)
{
	if (!access(folder, R_OK | X_OK)) {
		cl_check_set_result(r, CL_OK, "%.300s", folder);
	} else if (errno == ENOENT) {
		cl_check_set_result(r, CL_OK, "no %.300s", folder);
	} else {
		cl_check_set_result(r, CL_NOTE,
				    "%.300s cannot be read (%s): its debug "
				    "files are not used",
				    folder, strerror(errno));
		cl_check_set_remedy(r, "chmod -R a+rX %.300s", folder);
	}
}

void cl_check_debug_folder_is_readable(struct cl_check_result *r)
{
	check_folder_is_readable_if_exists(r, AL_DEBUG_FOLDER);
	if (r->result == CL_OK && !access(AL_DEBUG_FOLDER, F_OK))
		check_folder_is_readable_if_exists(r, AL_DEBUG_FOLDER
						   "/.build-id");
}

void cl_check_debuginfod_cache_is_readable(struct cl_check_result *r)
{
	char folder[PATH_MAX];

	if (al_debuginfod_format_cache_path_if_used(folder))
		check_folder_is_readable_if_exists(r, folder);
	else
		cl_check_set_result(r, CL_OK,
				    "not used: DEBUGINFOD_URLS is not set");
}
