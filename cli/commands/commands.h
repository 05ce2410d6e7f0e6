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

/* Return the values of --format, NULL-terminated. */
const char *const *cl_calls_formats(void);
const char *const *cl_dump_formats(void);
const char *const *cl_export_formats(void);

/* Print the help of a command. */
void cl_annotate_help(FILE *);
void cl_calls_help(FILE *);
void cl_control_help(FILE *);
void cl_diff_help(FILE *);
void cl_doctor_help(FILE *);
void cl_dump_help(FILE *);
void cl_env_help(FILE *);
void cl_export_help(FILE *);
void cl_info_help(FILE *);
void cl_plot_adaptive_help(FILE *);
void cl_recover_help(FILE *);
void cl_run_help(FILE *);
void cl_sql_help(FILE *);
void cl_top_help(FILE *);
void cl_tune_help(FILE *);
void cl_verify_help(FILE *);

#endif
