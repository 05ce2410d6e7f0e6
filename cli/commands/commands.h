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
int cl_annotate_print_source_or_type(int argc, char **argv);
int cl_calls_print_recorded(int argc, char **argv);
int cl_control_send_daemon_command(int argc, char **argv);
int cl_diff_compare_runs(int argc, char **argv);
int cl_doctor_check_machine(int argc, char **argv);
int cl_dump_print_accesses(int argc, char **argv);
int cl_env_print_shell_variables(int argc, char **argv);
int cl_export_to_other_tool_format(int argc, char **argv);
int cl_info_print_profile_facts(int argc, char **argv);
int cl_plot_adapted_workers_and_buffers(int argc, char **argv);
int cl_recover_copy_intact_blocks(int argc, char **argv);
int cl_report_write_page(int argc, char **argv);
int cl_run_program_under_valgrind(int argc, char **argv);
int cl_simpoint_choose_intervals(int argc, char **argv);
int cl_sql_query_profile(int argc, char **argv);
int cl_top_display_recorded_programs(int argc, char **argv);
int cl_tune_workers_and_buffers(int argc, char **argv);
int cl_verify_profile(int argc, char **argv);

/* Return the names that the command's option --format accepts,
   NULL-terminated. */
const char *const *cl_calls_format_names(void);
const char *const *cl_dump_format_names(void);
const char *const *cl_export_format_names(void);

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
extern const char cl_report_help[];
extern const char cl_run_help[];
extern const char cl_simpoint_help[];
extern const char cl_sql_help[];
extern const char cl_top_help[];
extern const char cl_tune_help[];
extern const char cl_verify_help[];

/* Print a line for each format of alleria export that is written directly from
   the profile, without a replay; the help of alleria export ends with these
   lines. */
void cl_export_print_formats_without_replay(FILE *);

#endif
