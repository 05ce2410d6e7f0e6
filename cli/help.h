/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help.h - declares the command alleria help
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

/* Run alleria help: list the commands, or show the page of one. @argv: [@argc]
   the arguments after its name. Return: exit status. */
int cl_help_print_commands_or_page(int argc, char **argv);

extern const char cl_help_help[];

/* Print the list of commands, the options that all commands have, and how to
   get more help. */
void cl_help_print_command_list(FILE *);

/* Print on standard error that there is no command @name, with the name of a
   similar command if there is one. Return: CL_WRONG_USAGE. */
int cl_help_report_unknown_command(const char *name);

#endif
