/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simpoint_option.h - parses --simpoint, --warmup and --truth of a replay
 *
 * They become an analysis, whose options have the chosen intervals.
 */
#ifndef CLI_COMMANDS_SIMPOINT_OPTION_H
#define CLI_COMMANDS_SIMPOINT_OPTION_H

#include <stdint.h>

#include "lib/config/options.h"

/* Initialise with zeros. */
struct cl_simpoint_option {
	const char *name;   /* of the files; NULL: not given */
	const char *warmup; /* digits; NULL: not given */
	const char *truth;  /* "yes" or "no"; NULL: not given */
	char *argument;	    /* --analyze=simpoint:..., which the options use */
};

/* Parse an argument. Return: 1; 0 if it is another one; -EINVAL with @message,
   [AL_MESSAGE]. */
int cl_simpoint_option_try_parse(struct cl_simpoint_option *, const char *arg,
				 char *message);

/* Read the files, and add the analysis to the options; do nothing if no name
   was given. Return: 0; -EINVAL with @message. */
int cl_simpoint_option_add_analysis(struct cl_simpoint_option *,
				    struct al_options *, char *message);

void cl_simpoint_option_release(struct cl_simpoint_option *);

#endif
