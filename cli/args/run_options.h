/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_options.h - a program, how to run it, and the options for that
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

struct cl_plan {
	const char *name; /* of the command: "run" */
	struct al_options *options;
	const struct al_settings *settings;
	const char *trace_children; /* the argument, or NULL */
	char **vg;		    /* [n_vg] Valgrind's own options */
	size_t n_vg;
	char **program; /* NULL-terminated */
	char message[AL_MESSAGE];
	char tool_argument[PATH_MAX + 256];
	char socket_argument[DM_PATH + 32];

	const char *option; /* of this command alone: "--runs"; or NULL */

	/* Optional: options of this command alone, before all others. 1
	   taken, 0 not one of them, -1 with a message. */
	int (*take)(struct cl_plan *, const char *arg);
};

/* Return: 0; -1 with a message. It may be released either way. */
int cl_plan_init(struct cl_plan *, const char *name, int argc);
void cl_plan_release(struct cl_plan *);

/* Options and program. Return: 0; -1 with a message. */
int cl_plan_parse(struct cl_plan *, int argc, char **argv);

/**
 * cl_plan_check() - Everything that Valgrind would complain about in more than
 * one line.
 * @tool: [PATH_MAX] receives the tool's path.
 *
 * Return: 0; -1 with a message.
 */
int cl_plan_check(struct cl_plan *, char *tool);

/* Valgrind's command line, for a daemon at @socket; the strings belong to the
   plan and to others. The caller frees it. NULL: out of memory. */
char **cl_plan_command(struct cl_plan *, const char *tool, const char *socket);

/* Whether --help or -h is among the options, not the program's. */
bool cl_plan_asks_help(int argc, char **argv);

#endif
