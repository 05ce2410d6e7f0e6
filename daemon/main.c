/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - implements the program alleriad, which runs a daemon in the
 * foreground
 *
 * Threads: main, which waits for signals; see daemon.h for the others.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/system/replaceable.h"
#include "base/system/standard_output.h"
#include "base/system/stdfds.h"
#include "base/system/thread_stack.h"
#include "base/text/line_writer.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "daemon/core/blocked_outputs.h"
#include "daemon/core/received_signal.h"
#include "daemon/daemon.h"
#include "lib/config/options.h"

enum {
	WRONG_USAGE = 2,
	CHECK_MS = 100,
};

static const char help[] =
	"usage: alleriad [--socket=PATH] [options]\n"
	"\n"
	"Records and analyses the programs that run under\n"
	"'valgrind --tool=alleria', until SIGINT or SIGTERM; then prints one\n"
	"report about all of them.\n"
	"\n"
	"  --socket=PATH          listen on this socket [alleriad.sock in\n"
	"                         $XDG_RUNTIME_DIR/alleria or "
	"/tmp/alleria-UID]\n"
	"  --private[=FD]         serve one program and its children; print "
	"the\n"
	"                         report through them, or to descriptor FD if\n"
	"                         they were killed; then exit (the tool uses\n"
	"                         this)\n"
	"  --program=PATH         path of that program: no output may replace "
	"it\n"
	"  --help, --version\n";

struct arguments {
	const char *socket;
	bool private;
	uint64_t report; /* descriptor for a private daemon's report, or 0 */
	struct al_options *options;
	const struct al_settings *settings;
	char message[AL_MESSAGE]; /* the first error; "": none */
};

/* Parse one argument into @a. Return: true; false if it is invalid, with
   a->message, except for --private=FD, whose error has no message. */
static bool parse_argument_return_is_valid(struct arguments *a, const char *arg)
{
	static const char *const known[] = {"--socket",	 "--private",
					    "--program", "--help",
					    "--version", NULL};
	int rc;

	if (!strncmp(arg, "--socket=", 9)) {
		a->socket = arg + 9;
		return true;
	}
	if (!strcmp(arg, "--private") || !strncmp(arg, "--private=", 10)) {
		a->private = true;
		return !arg[9] ||
		       !al_number_parse_digits_only(arg + 10, &a->report);
	}
	if (!strncmp(arg, "--program=", 10)) {
		al_replace_protect_input(arg + 10);
		return true;
	}
	if (arg[0] != '-') {
		al_message_return_einval(
			a->message,
			"'%.100s' is no option; programs are started by "
			"'valgrind --tool=alleria'",
			arg);
		return false;
	}
	if (al_options_is_for_started_program(arg)) {
		al_message_return_einval(
			a->message,
			"'%.100s' is for 'alleria run': give options of "
			"Valgrind to Valgrind, which starts the programs",
			arg);
		return false;
	}
	rc = al_options_try_parse_argument(a->options, arg, a->message);
	if (rc == 0)
		al_options_report_unknown(arg, known, a->message);
	return rc == 1;
}

/* Parse all arguments, also those after an invalid one, so that --private is
   always found. a->settings stays NULL after an error that has a message. */
static void parse_arguments_to_settings_or_message(struct arguments *a,
						   int argc, char **argv)
{
	char first[AL_MESSAGE] = "";
	int i;

	for (i = 1; i < argc; i++)
		if (!parse_argument_return_is_valid(a, argv[i]) && !first[0])
			memcpy(first, a->message, sizeof(first));
	memcpy(a->message, first, sizeof(first));
	if (!first[0])
		a->settings = al_options_finish(a->options, a->message);
}

/* Wait at most @timeout_ms for a signal of @set. */
static struct dm_received_signal wait_for_signal(const sigset_t *set,
						 unsigned timeout_ms)
{
	struct timespec t = {timeout_ms / 1000,
			     (long)(timeout_ms % 1000) * 1000000};
	siginfo_t info;
	int number = sigtimedwait(set, &info, &t);

	return number > 0 ? dm_received_signal_make(number, &info)
			  : (struct dm_received_signal){0};
}

/* After the signal @first, stop all recordings and wait until everything is
   analysed and saved. A second signal of @signals_that_drop_unread during the
   wait drops the unread contents of rings and abandons outputs that block.
   After the wait such a signal abandons outputs that block this thread. */
static void
stop_clients_and_wait_analysis(struct dm_daemon *d,
			       const sigset_t *signals_that_drop_unread,
			       const struct dm_received_signal *first)
{
	dm_daemon_request_recording_stop(d, false);
	while (!dm_daemon_wait_clients_end_saved(d, CHECK_MS)) {
		struct dm_received_signal second =
			wait_for_signal(signals_that_drop_unread, 0);

		if (second.number &&
		    !dm_received_signal_is_repeated(first, &second)) {
			dm_daemon_request_recording_stop(d, true);
			dm_request_interruption_of_outputs();
		}
	}
	dm_set_output_interrupt_signals(signals_that_drop_unread);
}

static int write_results_and_return_exit_status(struct dm_daemon *d)
{
	unsigned display = al_display_flags_of_fd(STDERR_FILENO);
	FILE *out = dm_open_interruptible_stderr();
	enum al_unwritten unwritten = dm_daemon_stop_clients_save_print_report(
		d, "alleriad", out ? out : stderr, display);

	if (out)
		fclose(out);
	return unwritten ? WRONG_USAGE : dm_daemon_incomplete_exit_code_or_0(d);
}

static int serve_until_signal_and_report(struct dm_daemon *d,
					 const sigset_t *ending_signals)
{
	struct dm_received_signal first;

	fprintf(stderr, "alleriad: listening on '%s'\n",
		dm_daemon_socket_path(d));
	do
		first = wait_for_signal(ending_signals, 1000);
	while (!first.number);
	stop_clients_and_wait_analysis(d, ending_signals, &first);
	return write_results_and_return_exit_status(d);
}

/* Redirect standard error to /dev/null. The tool that started this daemon reads
   standard error until it is closed, which shows that the daemon listens. */
static void redirect_stderr_to_null(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		dup2(fd, STDERR_FILENO);
		close(fd);
	}
}

static int serve_private_until_done(struct dm_daemon *d,
				    const sigset_t *stop_clients_signals)
{
	redirect_stderr_to_null();
	dm_set_output_interrupt_signals(stop_clients_signals);
	while (dm_private_daemon_send_reports_has_more(d, CHECK_MS)) {
		struct dm_received_signal first =
			wait_for_signal(stop_clients_signals, 0);

		if (first.number)
			stop_clients_and_wait_analysis(d, stop_clients_signals,
						       &first);
	}
	return 0;
}

static int run_daemon_return_exit_status(struct arguments *a)
{
	struct dm_options options = {
		.socket = a->socket,
		.private = a->private,
		.report = a->report ? fdopen((int)a->report, "w") : NULL,
		.refusal = a->message[0] ? a->message : NULL,
	};
	char message[AL_MESSAGE], path[DM_PATH];
	struct dm_daemon *d = NULL;
	sigset_t set;
	int status;

	dm_register_output_cancel_check();
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGALRM, SIG_IGN);
	if (!options.socket && !dm_runtime_build_socket_path_create_dir(
				       "alleriad.sock", path, message))
		options.socket = path;
	if (options.socket)
		d = dm_daemon_start(a->settings, &options, message);
	if (!d) {
		fprintf(stderr, "alleriad: %s\n", message);
		return WRONG_USAGE;
	}
	status = a->private ? serve_private_until_done(d, &set)
			    : serve_until_signal_and_report(d, &set);
	dm_daemon_stop_and_free(d);
	return status;
}

/* After an error in the arguments, make a private daemon start with default
   settings: it refuses every tool with a->message, because nobody sees its own
   output. Return: whether the daemon can start. */
static bool use_default_settings_if_private(struct arguments *a)
{
	char message[AL_MESSAGE];

	if (!a->private)
		return false;
	al_options_free(a->options);
	a->options = al_options_new();
	if (a->options)
		a->settings = al_options_finish(a->options, message);
	return a->settings;
}

int main(int argc, char **argv)
{
	struct arguments a = {.options = NULL};
	int i, status = WRONG_USAGE;

	al_stdfds_open_missing();
	al_thread_stack_set_minimum();
	for (i = 1; i < argc; i++) {
		if (al_options_is_help_option(argv[i])) {
			printf("%s\n", help);
			al_options_print_help(stdout, AL_HELP_FOR_RUN);
			puts("\nAnalyses:");
			al_options_print_analysis_help(stdout);
			return al_stdout_flush_or_report_failure("alleriad", 0);
		}
		if (!strcmp(argv[i], "--version")) {
			printf("alleria-%s\n", PACKAGE_VERSION);
			return al_stdout_flush_or_report_failure("alleriad", 0);
		}
	}
	a.options = al_options_new();
	if (a.options)
		parse_arguments_to_settings_or_message(&a, argc, argv);
	if (a.settings || use_default_settings_if_private(&a))
		status = run_daemon_return_exit_status(&a);
	else
		fprintf(stderr, "alleriad: %s\n", a.message);
	al_options_free(a.options);
	return status;
}
