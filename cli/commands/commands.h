/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands.h - declares the commands of alleria
 */
#ifndef CLI_COMMANDS_COMMANDS_H
#define CLI_COMMANDS_COMMANDS_H

#include "cli/args/exit_status.h"

/* Run a command. @argv: [@argc] the arguments after its name. Return: exit
   status. */
int cl_annotate(int argc, char **argv);
int cl_calls(int argc, char **argv);
int cl_control(int argc, char **argv);
int cl_diff(int argc, char **argv);
int cl_dump(int argc, char **argv);
int cl_env(int argc, char **argv);
int cl_export(int argc, char **argv);
int cl_info(int argc, char **argv);
int cl_plot_adaptive(int argc, char **argv);
int cl_recover(int argc, char **argv);
int cl_run(int argc, char **argv);
int cl_sql(int argc, char **argv);
int cl_tune(int argc, char **argv);
int cl_verify(int argc, char **argv);

#endif
