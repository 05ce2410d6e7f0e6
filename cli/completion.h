/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * completion.h - declares the command alleria completion
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdio.h>

/* Run the command. @argv: [@argc] the arguments after its name. Return: exit
   status. */
int cl_completion(int argc, char **argv);

/* Print the help of the command. */
void cl_completion_help(FILE *);

#endif
