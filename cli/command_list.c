/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_list.c - lists the commands of alleria; see command_list.h
 */
#include "cli/command_list.h"

#include <string.h>

#include "base/text/suggest.h"
#include "cli/commands/commands.h"
#include "cli/commands/config.h"
#include "cli/commands/replay.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "lib/config/options.h"

/* Print the options of options.h that @reader accepts, and the list of analyses
   with their keys. */
static void print_options_and_analyses(FILE *out, enum al_help_reader reader)
{
	fputc('\n', out);
	al_options_print_help(out, reader);
	fputs("\nAnalyses:\n", out);
	al_options_print_analysis_help(out);
}

static void print_run_options_and_analyses(FILE *out)
{
	print_options_and_analyses(out, AL_HELP_FOR_RUN);
}

static void print_replay_options_and_analyses(FILE *out)
{
	print_options_and_analyses(out, AL_HELP_FOR_REPLAY);
}

const struct cl_command cl_commands[] = {
	{.name = "run",
	 CL_GROUP_REPORTS,
	 cl_run_program_under_valgrind,
	 cl_run_help,
	 "run a program and report its memory accesses",
	 "alleria run ./sort words",
	 .print_help_lists = print_run_options_and_analyses,
	 .runs_program = true},
	{.name = "annotate",
	 CL_GROUP_REPORTS,
	 cl_annotate_print_source_or_type,
	 cl_annotate_help,
	 "print source lines beside their counts",
	 "alleria annotate sort.alp quicksort"},
	{.name = "diff",
	 CL_GROUP_REPORTS,
	 cl_diff_compare_runs,
	 cl_diff_help,
	 "compare two runs, by totals, functions and lines",
	 "alleria diff old.json new.json"},
	{.name = "report",
	 CL_GROUP_REPORTS,
	 cl_report_write_page,
	 cl_report_help,
	 "write a report or a profile as a web page",
	 "alleria report sort.json -o sort.html",
	 .options_of = "replay"},
	{.name = "calls",
	 CL_GROUP_REPORTS,
	 cl_calls_print_recorded,
	 cl_calls_help,
	 "print arguments and results of recorded calls",
	 "alleria calls sort.alp",
	 .formats = cl_calls_format_names},
	{.name = "top",
	 CL_GROUP_REPORTS,
	 cl_top_display_recorded_programs,
	 cl_top_help,
	 "show the programs that a running daemon records",
	 "alleria top"},
	{.name = "replay",
	 CL_GROUP_PROFILES,
	 cl_replay_profile_and_report,
	 cl_replay_help,
	 "run the same analyses over a profile",
	 "alleria replay sort.alp --D1=32K,8,64",
	 .print_help_lists = print_replay_options_and_analyses},
	{.name = "info",
	 CL_GROUP_PROFILES,
	 cl_info_print_profile_facts,
	 cl_info_help,
	 "print the processes, threads and counts of a profile",
	 "alleria info sort.alp"},
	{.name = "dump",
	 CL_GROUP_PROFILES,
	 cl_dump_print_accesses,
	 cl_dump_help,
	 "print the accesses of a profile",
	 "alleria dump sort.alp --from=1000 --count=20",
	 .formats = cl_dump_format_names},
	{.name = "sql",
	 CL_GROUP_PROFILES,
	 cl_sql_query_profile,
	 cl_sql_help,
	 "query a profile in SQL",
	 "alleria sql sort.alp 'SELECT count(*) FROM accesses'"},
	{.name = "simpoint",
	 CL_GROUP_PROFILES,
	 cl_simpoint_choose_intervals,
	 cl_simpoint_help,
	 "choose the intervals that represent a run",
	 "alleria simpoint sort.alp --interval=1000000 -o sort"},
	{.name = "export",
	 CL_GROUP_PROFILES,
	 cl_export_to_other_tool_format,
	 cl_export_help,
	 "write a profile in the format of another tool",
	 "alleria export sort.alp --format=callgrind -o sort.out",
	 .print_help_lists = cl_export_print_formats_without_replay,
	 .formats = cl_export_format_names,
	 .options_of = "replay"},
	{.name = "config",
	 CL_GROUP_CONTROL,
	 cl_config_check_file_or_print_schema,
	 cl_config_help,
	 "check and explain a window file",
	 "alleria config check window.yaml",
	 .words = "check schema"},
	{.name = "control",
	 CL_GROUP_CONTROL,
	 cl_control_send_daemon_command,
	 cl_control_help,
	 "send a command to a running daemon",
	 "alleria control status",
	 .words = "status programs windows open close mark flush report"},
	{.name = "tune",
	 CL_GROUP_CONTROL,
	 cl_tune_workers_and_buffers,
	 cl_tune_help,
	 "search the workers and buffers that suit a program best",
	 "alleria tune ./sort words",
	 .options_of = "run",
	 .runs_program = true},
	{.name = "plot-adaptive",
	 CL_GROUP_CONTROL,
	 cl_plot_adapted_workers_and_buffers,
	 cl_plot_adaptive_help,
	 "plot the workers and buffers that a run has used",
	 "alleria plot-adaptive report.json"},
	{.name = "verify",
	 CL_GROUP_REPAIR,
	 cl_verify_profile,
	 cl_verify_help,
	 "check that a profile is complete and consistent",
	 "alleria verify sort.alp"},
	{.name = "recover",
	 CL_GROUP_REPAIR,
	 cl_recover_copy_intact_blocks,
	 cl_recover_help,
	 "copy the intact parts of a damaged profile",
	 "alleria recover sort.alp -o sort2.alp"},
	{.name = "doctor",
	 CL_GROUP_REPAIR,
	 cl_doctor_check_machine,
	 cl_doctor_help,
	 "check this machine and the set-up",
	 "alleria doctor"},
	{.name = "completion",
	 CL_GROUP_REPAIR,
	 cl_completion_print_shell_script,
	 cl_completion_help,
	 "print a script that completes command lines in a shell",
	 "eval \"$(alleria completion bash)\"",
	 .words = "bash zsh fish"},
	{.name = "env",
	 CL_GROUP_REPAIR,
	 cl_env_print_shell_variables,
	 cl_env_help,
	 "print the shell variables that this build needs",
	 "eval \"$(alleria env)\""},
	{.name = "help",
	 CL_GROUP_REPAIR,
	 cl_help_print_commands_or_page,
	 cl_help_help,
	 "list the commands, or show the page of one",
	 "alleria help annotate"},
	{0},
};

static const struct {
	const char *title;
	const char *example;
} groups[CL_GROUPS] = {
	[CL_GROUP_REPORTS] = {"Reports: where a program misses the caches",
			      "alleria run --profile=sort.alp ./sort words"},
	[CL_GROUP_PROFILES] = {"Profiles: analysis and export of stored runs",
			       "alleria replay sort.alp --L2=1M,16,64"},
	[CL_GROUP_CONTROL] = {"Control: when and how to record",
			      "alleria control open requests"},
	[CL_GROUP_REPAIR] = {"Repair and set-up", "alleria verify sort.alp"},
};

const struct cl_command *cl_command_find(const char *name)
{
	for (const struct cl_command *c = cl_commands; c->name; c++)
		if (!strcmp(name, c->name))
			return c;
	return NULL;
}

void cl_command_print_help(const struct cl_command *c, FILE *out)
{
	fputs(c->help, out);
	if (c->print_help_lists)
		c->print_help_lists(out);
}

const char *cl_command_nearest_name_or_null(const char *name)
{
	const char *words[CL_MAX_COMMANDS + 1] = {NULL};

	for (int i = 0; cl_commands[i].name && i < CL_MAX_COMMANDS; i++)
		words[i] = cl_commands[i].name;
	return al_suggest_word(name, words);
}

void cl_commands_print_list_by_group(FILE *out, bool example_per_command)
{
	int group = -1;

	fputs("example: alleria run ./program ARGS...\n", out);
	for (const struct cl_command *c = cl_commands; c->name; c++) {
		if ((int)c->group != group) {
			group = (int)c->group;
			fprintf(out, "\n%s\n", groups[group].title);
			if (!example_per_command)
				fprintf(out, "    $ %s\n",
					groups[group].example);
		}
		fprintf(out, "  %-14s %s\n", c->name, c->summary);
		if (example_per_command)
			fprintf(out, "    $ %s\n", c->example);
	}
}
