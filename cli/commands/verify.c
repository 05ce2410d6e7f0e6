/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify.c - alleria verify: checks that a profile is complete and consistent
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <stdio.h>

#include "cli/print/status_line.h"
#include "lib/verify/verify.h"

const char cl_verify_help[] = "usage: alleria verify PROFILE\n"
			      "\n"
			      "Checks that PROFILE is complete and consistent. "
			      "Prints a line for each of the\n"
			      "first faults. A profile whose state is "
			      "truncated or lossy may lack what that\n"
			      "state allows.\n"
			      "\n"
			      "  --help\n";

int cl_verify_profile(int argc, char **argv)
{
	char message[AL_MESSAGE];
	struct cl_progress progress;
	int faults;

	for (int i = 0; i < argc; i++) {
		if (argv[i][0] == '-') {
			fprintf(stderr, "alleria: unknown option '%s'\n",
				argv[i]);
			return CL_WRONG_USAGE;
		}
	}
	if (argc != 1) {
		fprintf(stderr, "alleria: give one profile: alleria verify "
				"PROFILE\n");
		return CL_WRONG_USAGE;
	}
	cl_progress_start(&progress, "verified", true);
	cl_progress_install_stop_on_sigint(&progress, NULL);
	faults = al_verify_print_and_count_faults(argv[0], stdout, message);
	cl_progress_end_and_restore_sigint(&progress);
	if (faults < 0 && progress.is_stopped)
		return cl_progress_report_if_interrupted(
			&progress, "any faults of that part are printed above",
			CL_WRONG_USAGE);
	if (faults >= 0)
		return faults ? 1 : 0;
	fprintf(stderr, "alleria: %s\n", message);
	return CL_WRONG_USAGE;
}
