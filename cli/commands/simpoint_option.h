/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simpoint_option.h - parses --simpoint, --warmup and --truth of a replay
 *
 * The three options become one analysis, simpoint:..., which has the chosen
 * intervals among its options.
 */
#ifndef CLI_COMMANDS_SIMPOINT_OPTION_H
#define CLI_COMMANDS_SIMPOINT_OPTION_H

#include <stdint.h>

#include "lib/config/options.h"

/* Values of the options --simpoint, --warmup and --truth. Initialise with
   zeros. */
struct cl_simpoint_option {
	const char *name;   /* value of --simpoint, the name of the files
			       without suffix; NULL: not given */
	const char *warmup; /* value of --warmup, digits; NULL: not given */
	const char *truth;  /* value of --truth, "yes" or "no": whether the
			       whole run is simulated as well; NULL: not
			       given */
	char *analysis;	    /* simpoint:..., which the options use */
};

/* Store the value of @arg if it is --simpoint, --warmup or --truth. Return: 1;
   0 if @arg is another argument; -EINVAL with @message, [AL_MESSAGE]. */
int cl_simpoint_option_try_parse(struct cl_simpoint_option *, const char *arg,
				 char *message);

/* Read the files that --simpoint names, and add the analysis simpoint with
   their intervals to the options; do nothing if --simpoint was not given, but
   refuse --warmup and --truth then. Return: 0; -errno with @message. */
int cl_simpoint_option_add_analysis(struct cl_simpoint_option *,
				    struct al_options *, char *message);

void cl_simpoint_option_release(struct cl_simpoint_option *);

#endif
