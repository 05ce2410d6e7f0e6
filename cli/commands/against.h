/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * against.h - the options of alleria run that compare it with an older run
 */
#ifndef CLI_COMMANDS_AGAINST_H
#define CLI_COMMANDS_AGAINST_H

#include "cli/args/run_options.h"

enum { CL_AGAINST_OPTIONS = 32 };

/* Initialise with zeros. */
struct cl_against {
	const char *old;			/* NULL: nothing is compared */
	const char *option[CL_AGAINST_OPTIONS]; /* [n] for alleria diff */
	size_t n;
	char folder[40]; /* temporary, of the report; "" without one */
	char json[64];	 /* the option for it */
};

/* Parse --against, --fail-if or --limits. Return: 1; 0: another option; -1 with
   @message. */
int cl_against_parse_if_own_option(struct cl_against *, const char *arg,
				   char *message);

/* Have the run write a report if one is needed and none is asked for. Call it
   before the arguments are parsed. Return: 0; -1 with a message in @p. */
int cl_against_add_report_if_needed(struct cl_against *,
				    struct cl_run_options *p, int argc,
				    char **argv);

/* Compare the old report, that of --against=, with the report of this run.
   Return: the exit status; 0 if nothing is
   to be compared. */
int cl_against_diff_reports(const struct cl_against *,
			    const struct al_settings *);

/* Remove the temporary report. */
void cl_against_delete_temp_report(struct cl_against *);

#endif
