/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_options.h - parses the options for running a program under Valgrind
 *
 * Threads: main.
 */
#ifndef CLI_ARGS_RUN_OPTIONS_H
#define CLI_ARGS_RUN_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/core/runtime_dir.h"
#include "lib/config/options.h"

/* A program, and the options to run it with. */
struct cl_plan {
	const char *name; /* name of the command: "run" */
	struct al_options *options;
	const struct al_settings *settings;
	const char *trace_children; /* the argument --trace-children=..., or
				       NULL */
	char **vg;		    /* [n_vg] options for Valgrind */
	size_t n_vg;
	char **program; /* NULL-terminated */
	char message[AL_MESSAGE];
	char tool_argument[PATH_MAX + 256];
	char socket_argument[DM_PATH + 32];

	const char *option; /* an option of this command only: "--runs"; or
			       NULL */

	/* Optional: parse an option of this command only; called before all
	   other parsers. Return: 1; 0: another option; -1 with a message. */
	int (*take)(struct cl_plan *, const char *arg);
};

/* Initialise a plan for at most @argc arguments. Return: 0; -1 with a message.
   Call cl_plan_release() in any case. */
int cl_plan_init(struct cl_plan *, const char *name, int argc);
void cl_plan_release(struct cl_plan *);

/* Parse the options and the program. Return: 0; -1 with a message. */
int cl_plan_parse(struct cl_plan *, int argc, char **argv);

/**
 * cl_plan_check() - Check that the program, Valgrind and the tool can be run,
 * since Valgrind's own messages about it are long. Sets $_ to valgrind's path.
 * @tool: [PATH_MAX] receives the tool's path.
 *
 * Return: 0; -1 with a message.
 */
int cl_plan_check(struct cl_plan *, char *tool);

/* Return the command line of Valgrind for a daemon at @socket, for free(). Its
   strings belong to the plan and to main()'s arguments. NULL: out of memory. */
char **cl_plan_command(struct cl_plan *, const char *tool, const char *socket);

/* Whether --help or -h precedes the program. */
bool cl_plan_asks_help(int argc, char **argv);

#endif
