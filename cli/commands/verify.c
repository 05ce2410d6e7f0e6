/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify.c - alleria verify: checks that a profile is complete and consistent
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <stdio.h>

#include "lib/config/options.h"
#include "lib/verify/verify.h"

static const char help[] =
	"usage: alleria verify PROFILE\n"
	"\n"
	"Checks that PROFILE is whole and that all it says fits together. "
	"Prints the\n"
	"first faults, one a line. One that says that it is truncated or lossy "
	"may be\n"
	"just that.\n"
	"\n"
	"  --help\n";

int cl_verify(int argc, char **argv)
{
	char message[AL_MESSAGE];
	int faults;

	for (int i = 0; i < argc; i++) {
		if (al_options_is_help(argv[i])) {
			fputs(help, stdout);
			return 0;
		}
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
	faults = al_verify(argv[0], stdout, message);
	if (faults >= 0)
		return faults ? 1 : 0;
	fprintf(stderr, "alleria: %s\n", message);
	return CL_WRONG_USAGE;
}
