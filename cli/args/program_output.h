/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_output.h - opens the file that becomes the standard output of the
 * recorded program
 *
 * Threads: main.
 */
#ifndef CLI_ARGS_PROGRAM_OUTPUT_H
#define CLI_ARGS_PROGRAM_OUTPUT_H

#include <sys/types.h>

#include "lib/config/settings.h"

struct cl_program_output {
	int fd; /* the program's standard output; -1: it inherits ours */
	off_t initial_offset; /* [bytes] offset of our standard output when the
			 program began; -1: it is no regular file */
};

/**
 * cl_program_output_open_if_named() - Initialise the struct. If
 * --program-output names a file, create it, or cut it to 0 bytes, and open it
 * for writing.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Stores the current offset of our own standard output.
 *
 * Return: 0, with fd -1 if the option is "-" or not given; -EINVAL with
 * @message.
 */
int cl_program_output_open_if_named(struct cl_program_output *,
				    const struct al_settings *, char *message);

/* Print a warning on standard error if --json=- writes the report to our
   standard output and the program has written there too, or may have: the
   program inherited it, and it is a pipe or a socket. */
void cl_program_output_warn_if_report_follows(const struct cl_program_output *,
					      const struct al_settings *);

void cl_program_output_close(struct cl_program_output *);

#endif
