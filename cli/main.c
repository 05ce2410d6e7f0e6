/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - runs the subcommand of alleria that the command line names
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/system/atomic_file.h"
#include "base/system/standard_output.h"
#include "base/system/stdfds.h"
#include "base/system/thread_stack.h"
#include "base/text/message.h"
#include "cli/args/common_options.h"
#include "cli/args/display_options.h"
#include "cli/args/exit_status.h"
#include "cli/args/run_options.h"
#include "cli/command_list.h"
#include "cli/print/pager.h"
#include "cli/help.h"
#include "lib/config/options.h"

static int print_error_return_wrong_usage(const char *message)
{
	fprintf(stderr, "alleria: %s\n", message);
	return CL_WRONG_USAGE;
}

static int parse_and_run_command_get_status(int argc, char **argv)
{
	const struct cl_command *c;
	char message[AL_MESSAGE];

	if (cl_display_options_extract(&argc, argv, true, message))
		return print_error_return_wrong_usage(message);
	if (argc < 2) {
		cl_help_print_command_list(stderr);
		return CL_WRONG_USAGE;
	}
	if (al_options_is_help_option(argv[1])) {
		cl_help_print_command_list(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("alleria-%s\n", PACKAGE_VERSION);
		return 0;
	}
	c = cl_command_find(argv[1]);
	if (!c)
		return cl_help_report_unknown_command(argv[1]);
	argc--;
	argv++;
	if (cl_display_options_extract(&argc, argv, c->runs_program, message))
		return print_error_return_wrong_usage(message);
	argc--;
	argv++;
	if (c->runs_program ? cl_run_options_has_help_before_program(argc, argv)
			    : cl_is_any_argument_help_option(argc, argv)) {
		cl_command_print_help(c, stdout);
		return 0;
	}
	return c->main(argc, argv);
}

/* Handle a signal that ends the process: delete the temporary files of outputs,
   wait for the pager to end, and raise the signal again. At SIGPIPE from a
   pager that the user has left, exit with 0 instead. */
static void delete_temp_wait_for_pager_and_reraise(int signal)
{
	bool is_paged = cl_pager_is_on();

	al_file_remove_all_temporary();
	cl_pager_close_stdout_and_wait();
	if (is_paged && signal == SIGPIPE)
		_exit(0);
	raise(signal); /* SA_RESETHAND has restored the default action */
}

/* Handle SIGXFSZ by doing nothing: the write beyond RLIMIT_FSIZE then fails
   and is reported. */
static void do_nothing_on_sigxfsz(int signal)
{
	(void)signal;
}

/* Install handlers for the signals that end the process and for SIGXFSZ, each
   only if it has its default action: ignored signals stay ignored. Programs
   that this process executes get the default actions. */
static void install_ending_signal_handlers(void)
{
	static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
	struct sigaction end = {.sa_handler =
					delete_temp_wait_for_pager_and_reraise,
				.sa_flags = SA_RESETHAND},
			 too_large = {.sa_handler = do_nothing_on_sigxfsz}, old;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!sigaction(ends[i], NULL, &old) &&
		    old.sa_handler == SIG_DFL)
			sigaction(ends[i], &end, NULL);
	if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &too_large, NULL);
}

int main(int argc, char **argv)
{
	int status;

	al_stdfds_open_missing();
	al_thread_stack_set_minimum();
	install_ending_signal_handlers();
	status = parse_and_run_command_get_status(argc, argv);
	if (!cl_pager_is_on())
		return al_stdout_flush_or_report_failure("alleria", status);
	/* If the user left the pager, the process ends here by SIGPIPE; if that
	   is ignored, fflush() fails without harm. */
	fflush(stdout);
	cl_pager_close_stdout_and_wait();
	return status;
}
