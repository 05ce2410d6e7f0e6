/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_output.h - redirects the standard output of the program
 *
 * Threads: main.
 */
#ifndef CLI_ARGS_PROGRAM_OUTPUT_H
#define CLI_ARGS_PROGRAM_OUTPUT_H

#include <sys/types.h>

#include "lib/config/settings.h"

struct cl_output {
	int fd; /* the program's standard output; -1: it inherits ours */
	off_t initial_offset; /* [bytes] offset of our standard output before the
			 program ran; -1: it is no regular file */
};

/**
 * cl_output_open_program_output() - Open the file that --program-output names,
 * as a shell does for ">".
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0, also without the option; -EINVAL with @message.
 */
int cl_output_open_program_output(struct cl_output *,
				  const struct al_settings *, char *message);

/* Print a warning if a JSON report is about to be written to a standard output
   that the program has also written to, or may have, as with a pipe. */
void cl_output_warn_if_mixed(const struct cl_output *,
			     const struct al_settings *);

void cl_output_close(struct cl_output *);

#endif
