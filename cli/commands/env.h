/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cl_env.h - alleria env */
#ifndef CL_ENV_H
#define CL_ENV_H

/* Print the variables that a shell needs for this build or installation.
   @argc, @argv: behind the subcommand. Return: exit status. */
int cl_env(int argc, char **argv);

#endif
