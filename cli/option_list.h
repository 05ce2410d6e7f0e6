/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option_list.h - lists the options of a command, from what --help prints
 */
#ifndef CLI_OPTION_LIST_H
#define CLI_OPTION_LIST_H

#include <stdbool.h>

#include "cli/command_list.h"

enum {
	CL_MAX_OPTIONS = 96,
	CL_NAME = 40, /* [bytes] of the name of an option, with its NUL */
	CL_TEXT = 80, /* [bytes] of an option's value or text, with its NUL */
};

struct cl_option {
	char name[CL_NAME];  /* "--json", "-o" */
	char value[CL_TEXT]; /* "FILE"; "": the option has no value */
	char text[CL_TEXT];  /* first line of its help, cut to fit */
};

struct cl_option_list {
	struct cl_option option[CL_MAX_OPTIONS];
	unsigned n;
};

/* Add the options in the command's help, those of the command that it names in
   options_of, and those that all commands have, each name once. Return: 0;
   -ENOMEM. */
int cl_options_add_all_of_command(struct cl_option_list *,
				  const struct cl_command *);

/* Call @visit with each word that --analyze may begin with: the analyses, and
   each with one of its keys: "cache", "cachegrind:file=". Return: 0; -ENOMEM.
   */
int cl_options_visit_analyses_and_keys(void (*visit)(const char *word));

/**
 * cl_option_join_values_or_file_marker() - Write the values that an option
 * accepts.
 * @words: [@words_size] receives the values, separated by spaces; "@files" or
 *         "@directories" if the value is the name of a file or of a directory;
 *         "" if the option has no value or the values are not known.
 */
void cl_option_join_values_or_file_marker(const struct cl_command *,
					  const struct cl_option *, char *words,
					  unsigned words_size);

#endif
