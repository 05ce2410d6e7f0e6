/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env.h - alleria env */
#ifndef CLI_COMMANDS_ENV_H
#define CLI_COMMANDS_ENV_H

/* Print the variables that a shell needs for this build or installation.
   @argc, @argv: behind the subcommand. Return: exit status. */
int cl_env(int argc, char **argv);

#endif
