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
struct cl_run_options {
	const char *name; /* name of the command: "run" */
	struct al_options *options;
	const struct al_settings *settings;
	const char *trace_children; /* the argument --trace-children=..., or
				       NULL */
	char **valgrind_options;    /* [n_vg] options for Valgrind */
	size_t n_valgrind_options;
	char **program; /* NULL-terminated */
	char message[AL_MESSAGE];
	char tool_argument[PATH_MAX + 256];
	char socket_argument[DM_PATH + 32];

	/* options of this command only, as "--runs"; NULL-terminated, or NULL
	   */
	const char *const *own_options;

	/* Optional: parse an option of this command only; called before all
	   other parsers. Return: 1; 0: another option; -1 with a message. */
	int (*parse_own_option)(struct cl_run_options *, const char *arg);
};

/* Initialise a plan for at most @argc arguments. Return: 0; -1 with a message.
   Call cl_run_options_release() in any case. */
int cl_run_options_init(struct cl_run_options *, const char *command_name,
			int argc);
void cl_run_options_release(struct cl_run_options *);

/* Parse the options and the program. Return: 0; -1 with a message. */
int cl_run_options_parse(struct cl_run_options *, int argc, char **argv);

/**
 * cl_run_find_programs_set_env() - Check that the program, Valgrind and the
 * tool can be run, since Valgrind's own messages about it are long. Sets $_ to
 * valgrind's path.
 * @tool_path_out: [PATH_MAX] receives the tool's path.
 *
 * Return: 0; -1 with a message.
 */
int cl_run_find_programs_set_env(struct cl_run_options *, char *tool_path_out);

/* Return the command line of Valgrind for a daemon at @socket, for free(). Its
   strings belong to the plan and to main()'s arguments. NULL: out of memory. */
char **cl_run_options_build_argv(struct cl_run_options *, const char *tool_path,
				 const char *socket);

/* Whether --help or -h precedes the program. */
bool cl_run_options_has_help(int argc, char **argv);

#endif
