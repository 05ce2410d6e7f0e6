/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * display_options.h - parses the options that all commands have: --quiet,
 * --color, --no-pager
 *
 * Threads: main.
 */
#ifndef CLI_ARGS_DISPLAY_OPTIONS_H
#define CLI_ARGS_DISPLAY_OPTIONS_H

#include <stdbool.h>

/**
 * cl_display_options_extract() - Apply --quiet, --color and --no-pager, and
 * remove them from the arguments.
 * @argc, @argv: the arguments; argv[0] is not parsed. The arguments that remain
 *         are moved together, and @argc receives their number.
 * @stop_at_first_non_option: stop before the first argument that does not begin
 *         with '-'.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * "--" ends the options; an argument after "-o" is the name of a file.
 *
 * Return: 0; -EINVAL with @message.
 */
int cl_display_options_extract(int *argc, char **argv,
			       bool stop_at_first_non_option, char *message);

/* Whether reports and progress are not printed: --quiet. */
bool cl_is_quiet(void);

/* Whether long output may go through a pager: no --no-pager. */
bool cl_is_pager_allowed_by_options(void);

/* Return the capabilities of standard error for a report, flags of
   enum al_display; with AL_STATUS_ONLY if --quiet. */
unsigned cl_stderr_colour_and_quiet_flags(void);

/* Help lines of --quiet, --color, --no-pager, --version and --help. */
extern const char cl_display_options_help[];

#endif
