/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * against.h - the options of alleria run that compare it with an older run
 */
#ifndef CLI_COMMANDS_AGAINST_H
#define CLI_COMMANDS_AGAINST_H

#include "cli/args/run_options.h"

enum { CL_AGAINST_OPTIONS = 32 };

/* Options that compare a run with an older one. Initialise with zeros. */
struct cl_against {
	const char *old;			/* path of the older report or
						   profile; NULL: compare
						   nothing */
	const char *option[CL_AGAINST_OPTIONS]; /* [n] arguments --fail-if=...
						   and --limits=... */
	size_t n;
	char folder[40]; /* temporary folder of this run's report; "": none */
	char json[64];	 /* "--json=FOLDER/run.json" if there is a folder;
			    "-": --json=- is given; else "" */
};

/* Store @arg if it is --against=OLD, --fail-if=LIMIT or --limits=FILE; protect
   OLD from being replaced by an output. Return: 1: stored; 0: @arg is another
   option; -1 with @message. */
int cl_against_try_parse_against_or_limit(struct cl_against *, const char *arg,
					  char *message);

/* If @argv has --against=OLD but no --json=FILE, set --json to a file in a new
   temporary folder, so that there is a report to compare. Refuse limits without
   --against, and --against with --json=-. Call this before the arguments are
   parsed. Return: 0; -1 with a message in @p. */
int cl_against_add_temp_report_if_needed(struct cl_against *,
					 struct cl_run_options *p, int argc,
					 char **argv);

/* Compare the older report, of --against=OLD, with the report of this run, and
   print the differences on standard error. Return: the exit status of alleria
   diff; 0 without --against. */
int cl_against_print_diff_get_status(const struct cl_against *,
				     const struct al_settings *);

/* Delete the temporary report and its folder, if there are any. */
void cl_against_delete_temp_report(struct cl_against *);

#endif
