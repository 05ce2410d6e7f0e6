/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands.h - declares the commands of alleria
 */
#ifndef CLI_COMMANDS_COMMANDS_H
#define CLI_COMMANDS_COMMANDS_H

#include <stdio.h>

#include "cli/args/exit_status.h"

/* Run a command. @argv: [@argc] the arguments after its name. Return: exit
   status. */
int cl_annotate(int argc, char **argv);
int cl_calls(int argc, char **argv);
int cl_control(int argc, char **argv);
int cl_diff(int argc, char **argv);
int cl_doctor(int argc, char **argv);
int cl_dump(int argc, char **argv);
int cl_env(int argc, char **argv);
int cl_export(int argc, char **argv);
int cl_info(int argc, char **argv);
int cl_plot_adaptive_decisions(int argc, char **argv);
int cl_recover(int argc, char **argv);
int cl_run(int argc, char **argv);
int cl_sql(int argc, char **argv);
int cl_top(int argc, char **argv);
int cl_tune(int argc, char **argv);
int cl_verify(int argc, char **argv);

/* Return the names that the command's option --format accepts,
   NULL-terminated. */
const char *const *cl_calls_formats(void);
const char *const *cl_dump_formats(void);
const char *const *cl_export_formats(void);

/* Help texts of the commands. */
extern const char cl_annotate_help[];
extern const char cl_calls_help[];
extern const char cl_control_help[];
extern const char cl_diff_help[];
extern const char cl_doctor_help[];
extern const char cl_dump_help[];
extern const char cl_env_help[];
extern const char cl_export_help[];
extern const char cl_info_help[];
extern const char cl_plot_adaptive_help[];
extern const char cl_recover_help[];
extern const char cl_run_help[];
extern const char cl_sql_help[];
extern const char cl_top_help[];
extern const char cl_tune_help[];
extern const char cl_verify_help[];

/* Print a line for each format of alleria export that is written directly from
   the profile, without a replay; its help ends with them. */
void cl_export_print_formats(FILE *);

#endif
