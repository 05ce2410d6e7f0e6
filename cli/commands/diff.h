/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - the command alleria diff, and what it reads
 */
#ifndef CLI_COMMANDS_DIFF_H
#define CLI_COMMANDS_DIFF_H

#include "lib/diff/input.h"

/* Exit statuses of alleria diff. */
enum {
	CL_DIFFERENT = 1,
	CL_LIMIT_EXCEEDED = 3,
	CL_NOT_COMPARABLE = 4,
};

/* Run the command, and write its text to standard error. */
int cl_diff_to_stderr(int argc, char **argv);

enum { CL_DIFF_MAX_OPTIONS = 16 /* for the replay of profiles */ };

struct cl_diff_inputs {
	struct al_diff_input input[2];
	struct al_intern strings;
};

/**
 * cl_diff_inputs_read() - Read two inputs at once.
 * @path: of JSON reports, profiles or cachegrind.out files; a profile is
 *        replayed with the caches of the other input, unless options say
 *        otherwise.
 * @option: [n] options for a replay.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0; -EINVAL. Release the inputs in both cases.
 */
int cl_diff_inputs_read(struct cl_diff_inputs *, const char *const path[2],
			char *const *option, size_t option_count,
			char *message);
void cl_diff_inputs_release(struct cl_diff_inputs *);

#endif
