/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_list.h - lists the commands of alleria
 */
#ifndef CLI_COMMAND_LIST_H
#define CLI_COMMAND_LIST_H

#include <stdbool.h>
#include <stdio.h>

enum cl_group {
	CL_GROUP_REPORTS,
	CL_GROUP_PROFILES,
	CL_GROUP_CONTROL,
	CL_GROUP_REPAIR,
	CL_GROUPS
};

struct cl_command {
	const char *name;
	enum cl_group group;
	/* Run the command. @argv: [@argc] the arguments after its name. Return:
	   exit status. */
	int (*main)(int argc, char **argv);
	const char *help; /* text that --help prints */
	const char *summary;
	const char *example;
	void (*print_help_lists)(FILE *); /* print the lists that the help ends
					     with; or NULL */
	const char *options_of; /* name of another command, whose options this
				   one accepts too; or NULL */
	const char *words; /* the possible first arguments, separated by spaces;
			      NULL: names of files (help: commands) */
	const char *const *(*formats)(void); /* return the values of --format,
						NULL-terminated; or NULL */
	bool runs_program; /* the first word that is no option is a program, and
			      the arguments after it are the program's */
};

enum { CL_MAX_COMMANDS = 32 };

/* All commands, ordered by group. The last entry has the name NULL. */
extern const struct cl_command cl_commands[];

/* Return the command named @name; NULL if there is none. */
const struct cl_command *cl_command_find(const char *name);

void cl_command_print_help(const struct cl_command *, FILE *);

/* Return the name of a command that resembles @name; NULL if none does. */
const char *cl_command_nearest_name_or_null(const char *name);

/* Print the names and summaries of all commands, by group, with an example of
   each command if @example_per_command, else of each group. */
void cl_commands_print_list_by_group(FILE *, bool example_per_command);

#endif
