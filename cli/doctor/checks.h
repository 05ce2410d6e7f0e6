/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checks.h - the checks of alleria doctor
 */
#ifndef CLI_DOCTOR_CHECKS_H
#define CLI_DOCTOR_CHECKS_H

#include "base/text/message.h"

/* Grades of a check, from good to bad. A note does not prevent recording. */
enum cl_check_grade { CL_OK, CL_NOTE, CL_BAD };

struct cl_check_result {
	enum cl_check_grade result;
	char text[AL_MESSAGE];
	char remedy[AL_MESSAGE]; /* "": none */
};

/* Set the grade and the text of a check. The text is cut to AL_MESSAGE
   bytes. */
__attribute__((format(printf, 3, 4))) void
cl_check_set_result(struct cl_check_result *, enum cl_check_grade,
		    const char *format, ...);

/* Set the remedy of a check, which is text that advises the user; it is cut to
   AL_MESSAGE bytes. */
__attribute__((format(printf, 2, 3))) void
cl_check_set_remedy(struct cl_check_result *, const char *format, ...);

/* Each check sets grade and text, and the remedy if there is one. */

/* ---- Valgrind and the tool ---- */

void cl_check_valgrind_in_path_runs(struct cl_check_result *);
void cl_check_tool_matches_valgrind(struct cl_check_result *);
void cl_check_tool_has_vexopt_passes(struct cl_check_result *);
void cl_check_valgrind_lib_has_tool(struct cl_check_result *);

/* ---- the daemon ---- */

/* Create the runtime directory if it is missing, and check its owner and
   mode. */
void cl_check_runtime_dir_creating_if_missing(struct cl_check_result *);
void cl_check_daemon_can_listen(struct cl_check_result *);
void cl_check_memfd_for_rings(struct cl_check_result *);
void cl_check_open_file_limit(struct cl_check_result *);

/* ---- debug files ---- */

void cl_check_debug_folder_or_debuginfod_set(struct cl_check_result *);
void cl_check_debug_folder_is_readable(struct cl_check_result *);
void cl_check_debuginfod_cache_is_readable(struct cl_check_result *);

/* ---- the machine ---- */

void cl_check_detected_caches_are_plausible(struct cl_check_result *);
void cl_check_allowed_processor_count(struct cl_check_result *);
void cl_check_cgroup_memory_limit(struct cl_check_result *);
void cl_check_processor_quota(struct cl_check_result *);

#endif
