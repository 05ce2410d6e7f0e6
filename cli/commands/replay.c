/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - alleria replay: runs analyses over a profile
 *
 * Threads: main.
 */
#include "cli/args/open_page.h"
#include "cli/commands/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system/atomic_file.h"
#include "base/text/line_writer.h"
#include "cli/args/common_options.h"
#include "cli/args/display_options.h"
#include "cli/commands/commands.h"
#include "cli/commands/simpoint_option.h"
#include "cli/print/status_line.h"
#include "lib/config/options.h"
#include "lib/replay/replay.h"
#include "lib/report/report.h"

enum { TICK_MS = 250 };

const char cl_replay_help[] =
	"usage: alleria replay PROFILE [options]\n"
	"\n"
	"Runs analyses over the accesses in a profile that\n"
	"`alleria run --profile=PROFILE` has written, and prints the report "
	"that\n"
	"they would have given during the run.\n"
	"\n"
	"  --simpoint=NAME         estimate the totals from the intervals of "
	"NAME\n"
	"  --warmup=N              --simpoint: simulate each interval alone, "
	"after N\n"
	"                          instructions\n"
	"  --truth=yes|no          --simpoint: simulate the whole run as well "
	"[yes]\n"
	"  --open                  open the page of --html in a browser\n"
	"  --help\n";

struct request {
	struct al_options *options;
	const struct al_settings *settings;
	const char *profile;
	struct cl_simpoint_option simpoint;
	bool silent;
	bool opens_page;
	/* Called with @reader_arg and the run when the replay has ended; or
	   NULL */
	void (*reader)(void *arg, struct al_run *);
	void *reader_arg;
	char message[AL_MESSAGE];
};

static int check_option_not_run_only(const char *arg, char *message)
{
	const char *why = al_options_is_for_started_program(arg)
				  ? "a replay starts no program"
				  : al_options_replay_refusal_reason(arg);

	return why ? al_message_return_einval(
			     message, "'%.200s' is for 'alleria run': %s", arg,
			     why)
		   : 0;
}

static int parse_option_or_profile(struct request *q, char *arg)
{
	static const char *const own[] = {"--help",  "--simpoint", "--warmup",
					  "--truth", "--open",	   NULL};
	int rc;

	if (check_option_not_run_only(arg, q->message))
		return -1;
	if (arg[0] != '-')
		return cl_set_protected_input_if_unset(&q->profile, arg,
						       q->message);
	if (!strcmp(arg, "--open")) {
		q->opens_page = true;
		return 0;
	}
	rc = cl_simpoint_option_try_parse(&q->simpoint, arg, q->message);
	if (rc == 0)
		rc = al_options_try_parse_argument(q->options, arg, q->message);
	if (rc == 0)
		rc = al_options_report_unknown(arg, own, q->message);
	return rc == 1 ? 0 : -1;
}

static int parse_arguments(struct request *q, int argc, char **argv)
{
	int err = 0;

	for (int i = 0; !err && i < argc; i++)
		err = parse_option_or_profile(q, argv[i]);
	if (!err && !q->profile)
		err = al_message_return_einval(
			q->message, "no profile given: alleria replay "
				    "PROFILE [options]");
	if (!err)
		err = cl_simpoint_option_add_analysis(&q->simpoint, q->options,
						      q->message);
	if (!err) {
		q->settings = al_options_finish(q->options, q->message);
		err = q->settings ? 0 : -1;
	}
	if (!err)
		err = cl_open_page_check_options(q->opens_page,
						 q->settings->html, q->message);
	return err;
}

/* Remove the unfinished outputs, print how far the replay has come, and exit.
   The workers still run, so that nothing can be freed. */
static void remove_unfinished_outputs_and_exit(struct cl_progress *line)
{
	al_file_remove_all_temporary();
	cl_progress_end_and_restore_sigint(line);
	_exit(cl_progress_report_if_interrupted(
		line, "unfinished outputs were removed", CL_WRONG_USAGE));
}

/* Show the progress until the replay ends; exit if SIGINT stops it. */
static void draw_progress_line_until_replay_ends(struct al_replay *r)
{
	struct al_replay_progress p;
	struct cl_progress line;
	bool is_ended = false;

	cl_progress_start(&line, "replayed", false);
	cl_progress_install_stop_on_sigint(&line, NULL);
	while (!is_ended && !line.is_stopped) {
		is_ended =
			al_replay_wait_until_ended_or_timeout(r, TICK_MS, &p);
		cl_progress_store_and_redraw_if_due(&line, p.fed_bytes,
						    p.bytes);
	}
	if (!is_ended)
		remove_unfinished_outputs_and_exit(&line);
	cl_progress_end_and_restore_sigint(&line);
}

/* Save the outputs of the analyses, the JSON report and the page. Print on
   standard error the report, unless the request is silent, and what is damaged,
   missing or could not be written. Return: exit status: CL_WRONG_USAGE if an
   output could not be written; else, without a reader, that for an incomplete
   run if it is not 0; else CL_DAMAGED if @is_profile_damaged, or 0. */
static int save_outputs_print_report_get_status(const struct request *q,
						struct al_run *run,
						bool is_profile_damaged)
{
	const struct al_settings *s = q->settings;
	int status;
	unsigned display = cl_stderr_colour_and_quiet_flags();

	al_run_save_outputs_and_profiles(run);
	if (s->json)
		(void)!al_report_save_json(run);
	if (s->html)
		(void)!al_report_save_page_to_html_option_path(run);
	if (!q->silent)
		al_report_print(run, stderr, display);
	if (is_profile_damaged)
		fprintf(stderr,
			"alleria: '%s' is damaged; run 'alleria verify' for "
			"details\n",
			q->profile);
	else if (q->silent && !al_run_has_complete_status(run))
		fprintf(stderr,
			"alleria: '%s' is not the whole run; run 'alleria "
			"info' for details\n",
			q->profile);
	if (al_report_print_unwritten_outputs(run, "alleria", stderr))
		return CL_WRONG_USAGE;
	if (q->opens_page)
		cl_open_page(s->html);
	if (q->silent && al_run_has_complete_status(run) &&
	    !al_run_is_fully_recorded_and_analysed(run))
		fprintf(stderr, "alleria: an analysis of '%s' was stopped\n",
			q->profile);
	status = q->reader ? 0 : al_run_incomplete_exit_code_or_0(run);
	return is_profile_damaged && !status ? CL_DAMAGED : status;
}

static int replay_profile_and_report_get_status(struct request *q)
{
	struct al_replay *r =
		al_replay_open(q->profile, q->settings, q->message);
	int status = CL_WRONG_USAGE;
	struct al_run *run;

	if (!r) {
		fprintf(stderr, "alleria: %s\n", q->message);
	} else if (al_replay_start_workers(r)) {
		fprintf(stderr, "alleria: cannot start threads\n");
	} else {
		draw_progress_line_until_replay_ends(r);
		run = al_replay_finish_and_borrow_run(r);
		status = save_outputs_print_report_get_status(
			q, run, al_replay_has_damaged_bytes(r));
		if (q->reader)
			q->reader(q->reader_arg, run);
	}
	al_replay_free(r);
	return status;
}

/* Parse the arguments, replay the profile, and print the report unless
   @q->silent is set. All other members of @q, except reader and reader_arg, are
   zero. Return: the exit status of the command. */
static int parse_and_replay_get_exit_status(struct request *q, int argc,
					    char **argv)
{
	int status = CL_WRONG_USAGE;

	q->options = al_options_new();
	if (q->options && q->silent)
		al_options_disable_per_window_analyses(q->options);
	if (!q->options)
		fprintf(stderr, "alleria: out of memory\n");
	else if (parse_arguments(q, argc, argv))
		fprintf(stderr, "alleria: %s\n", q->message);
	else
		status = replay_profile_and_report_get_status(q);
	al_options_free(q->options);
	cl_simpoint_option_release(&q->simpoint);
	return status;
}

int cl_replay_without_report(int argc, char **argv)
{
	struct request q = {.silent = true};

	return parse_and_replay_get_exit_status(&q, argc, argv);
}

int cl_replay_and_read_run(int argc, char **argv,
			   void (*reader)(void *arg, struct al_run *),
			   void *arg)
{
	struct request q = {
		.silent = true, .reader = reader, .reader_arg = arg};

	return parse_and_replay_get_exit_status(&q, argc, argv);
}

int cl_replay_profile_and_report(int argc, char **argv)
{
	struct request q = {.silent = false};

	return parse_and_replay_get_exit_status(&q, argc, argv);
}
