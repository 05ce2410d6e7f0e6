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
	const char *name; /* name of the command of alleria: "run", "tune" */
	struct al_options *options;
	const struct al_settings *settings;
	const char *trace_children; /* the argument --trace-children=..., or
				       NULL */
	char **valgrind_options;    /* [n_valgrind_options] the values of --vg:
				       options that Valgrind is started with */
	size_t n_valgrind_options;
	char **program; /* the program and its arguments, NULL-terminated */
	char message[AL_MESSAGE];
	char tool_argument[PATH_MAX + 256];
	char socket_argument[DM_PATH + 32];

	/* names of the options that only this command has, as "--runs";
	   NULL-terminated, or NULL */
	const char *const *own_options;

	/* Optional: parse an option of this command only; called before all
	   other parsers. Return: 1; 0: another option; -1 with a message. */
	int (*parse_own_option)(struct cl_run_options *, const char *arg);
};

/* Initialise the struct for the command @command_name, with room for @argc
   arguments. Return: 0; -1 with a message: out of memory. Call
   cl_run_options_release() in both cases. */
int cl_run_options_init(struct cl_run_options *, const char *command_name,
			int argc);
void cl_run_options_release(struct cl_run_options *);

/* Parse the options in @argv up to "--" or to the first word that does not
   begin with '-'; the words from there on are the program and its arguments.
   Then set `settings`, and protect the program's file from being replaced by an
   output. Return: 0; -1 with a message. */
int cl_run_options_parse_and_set_program(struct cl_run_options *, int argc,
					 char **argv);

/**
 * cl_run_find_programs() - Check that the program, Valgrind and the tool are
 * found, since Valgrind's own messages about a missing one are long. If $_ is
 * set, set it to the path of valgrind.
 * @tool_path_without_platform_out: [PATH_MAX] receives the tool's path without
 * "-amd64-linux" at its end.
 *
 * Return: 0; -1 with a message.
 */
int cl_run_find_programs(struct cl_run_options *,
			 char *tool_path_without_platform_out);

/* Return the command line that runs the program under Valgrind, recorded by the
   daemon that listens at @socket_path; NULL-terminated. The caller frees the
   array with free(), but not its strings, which belong to the struct and to
   main()'s arguments. NULL: out of memory. */
char **cl_run_options_build_valgrind_argv(struct cl_run_options *,
					  const char *tool_path,
					  const char *socket_path);

/* Whether one of the options before the program is --help or -h: before "--"
   and before the first word that does not begin with '-'. */
bool cl_run_options_has_help_before_program(int argc, char **argv);

#endif
