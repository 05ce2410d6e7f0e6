/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - runs the subcommand of alleria that the command line names
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/system/atomic_file.h"
#include "base/system/standard_output.h"
#include "base/system/stdfds.h"
#include "base/text/suggest.h"
#include "cli/commands/commands.h"
#include "cli/commands/config.h"
#include "cli/commands/replay.h"
#include "lib/config/options.h"

struct command {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *summary;
};

static const struct command commands[] = {
	{"run", cl_run, "run a program and report about its memory accesses"},
	{"replay", cl_replay, "the same analyses over a profile of a run"},
	{"annotate", cl_annotate, "source lines beside their counts"},
	{"diff", cl_diff, "compare two runs, by totals, functions and lines"},
	{"info", cl_info, "tell what a profile holds"},
	{"dump", cl_dump, "print the accesses of a profile"},
	{"calls", cl_calls, "print arguments and results of a profile's calls"},
	{"export", cl_export, "a profile in the format of another tool"},
	{"sql", cl_sql, "ask a profile in SQL"},
	{"env", cl_env, "print what a shell needs to use this build"},
	{"config", cl_config, "explain and check a window file"},
	{"control", cl_control, "say something to a running daemon"},
	{"verify", cl_verify, "check that a profile is what it must be"},
	{"recover", cl_recover, "save what is whole in a damaged profile"},
	{"tune", cl_tune,
	 "find the workers and buffers that suit a program best"},
	{"plot-adaptive", cl_plot_adaptive, "show what a run has adapted"},
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(FILE *out)
{
	int i;

	fputs("usage: alleria COMMAND ...\n\n", out);
	for (i = 0; i < N_COMMANDS; i++)
		fprintf(out, "  %-14s %s\n", commands[i].name,
			commands[i].summary);
	fputs("\n  --help, --version\n"
	      "\n'alleria COMMAND --help' tells more; so does alleria(1).\n",
	      out);
}

static int report_unknown(const char *name)
{
	const char *words[N_COMMANDS + 1] = {NULL}, *near;
	int i;

	for (i = 0; i < N_COMMANDS; i++)
		words[i] = commands[i].name;
	near = al_suggest_word(name, words);
	fprintf(stderr, "alleria: unknown command '%s'; ", name);
	if (near)
		fprintf(stderr, "did you mean '%s'?\n", near);
	else
		fputs("see 'alleria --help'\n", stderr);
	return CL_WRONG_USAGE;
}

static int dispatch(int argc, char **argv)
{
	int i;

	if (argc < 2) {
		print_help(stderr);
		return CL_WRONG_USAGE;
	}
	if (al_options_is_help(argv[1])) {
		print_help(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("alleria-%s\n", PACKAGE_VERSION);
		return 0;
	}
	for (i = 0; i < N_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].main(argc - 2, argv + 2);
	return report_unknown(argv[1]);
}

/* Remove temporary files, then end by the signal. */
static void discard_and_end(int signal)
{
	al_file_discard_all();
	raise(signal); /* SA_RESETHAND has restored the default action */
}

/* Do nothing: a write beyond RLIMIT_FSIZE then fails and is reported. */
static void ignore_signal(int signal)
{
	(void)signal;
}

/* Install handlers. Signals that were ignored at the start stay ignored;
   programs that are executed get the defaults, as handlers do not survive
   exec. */
static void handle_signals(void)
{
	static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
	struct sigaction end = {.sa_handler = discard_and_end,
				.sa_flags = SA_RESETHAND},
			 too_large = {.sa_handler = ignore_signal}, old;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!sigaction(ends[i], NULL, &old) &&
		    old.sa_handler == SIG_DFL)
			sigaction(ends[i], &end, NULL);
	if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &too_large, NULL);
}

int main(int argc, char **argv)
{
	al_stdfds_open();
	handle_signals();
	return al_stdout_finish("alleria", dispatch(argc, argv));
}
