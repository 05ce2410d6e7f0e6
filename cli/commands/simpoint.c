/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simpoint.c - alleria simpoint: chooses the intervals that represent a run
 *
 * Threads: main.
 */
#include <alleria/alleria.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "cli/args/common_options.h"
#include "cli/commands/commands.h"
#include "cli/print/status_line.h"
#include "lib/config/options.h"
#include "lib/replay/replay.h"
#include "lib/report/report.h"
#include "lib/simpoint/simpoint.h"

enum { TICK_MS = 250, DEFAULT_MAX_CLUSTERS = 30 };

const char cl_simpoint_help[] =
	"usage: alleria simpoint PROFILE --interval=N -o NAME [options]\n"
	"\n"
	"Chooses intervals of a run that represent it: divides the run into\n"
	"intervals, clusters them by the code that they execute, and writes\n"
	"one interval of each cluster to NAME.simpoints, NAME.weights,\n"
	"NAME.intervals and NAME.yaml, a window file that records these\n"
	"intervals alone. The vectors remain in NAME.bb.\n"
	"\n"
	"Record PROFILE with --vg=--vex-guest-chase=no. Otherwise Valgrind "
	"can\n"
	"evaluate both conditions of `a && b` always, which a run with "
	"windows\n"
	"does not, so that NAME.yaml selects other instructions than the\n"
	"intervals.\n"
	"\n"
	"  --interval=N            instructions of an interval\n"
	"  -o NAME                 names of the files without suffix\n"
	"  --max=K                 at most K clusters [30]; if there are no "
	"more\n"
	"                          than K intervals, each is a cluster\n"
	"  --seed=S                seed of the random numbers [1]\n"
	"  --memory=yes|no         cluster by the cache lines of data, too "
	"[no]\n"
	"  --force                 files may replace profiles and programs\n"
	"  --help\n";

struct request {
	const char *profile;
	const char *name;
	uint64_t interval;
	uint64_t max_clusters;
	uint64_t seed;
	bool has_memory;
	char *vectors; /* path of NAME.bb */
	bool has_written_vectors;
	bool may_differ_from_windows; /* a run with windows may execute other
					 numbers of instructions */
	char message[AL_MESSAGE];
};

/* ---- arguments ---- */

/* Parse "--key=N", with N not below @least, into @number_out. Return: 1; 0 if
   @arg is another option; -EINVAL with a message. */
static int try_parse_number(struct request *q, const char *arg, const char *key,
			    uint64_t least, uint64_t *number_out)
{
	size_t n = strlen(key);

	if (strncmp(arg, key, n) != 0 || arg[n] != '=')
		return 0;
	if (al_number_parse_digits_only(arg + n + 1, number_out) ||
	    *number_out < least)
		return al_message_return_einval(
			q->message,
			"%s: '%.60s' is not a number of at least "
			"%" PRIu64,
			key, arg + n + 1, least);
	return 1;
}

static int try_parse_memory_yes_or_no(struct request *q, const char *arg)
{
	if (strncmp(arg, "--memory=", 9) != 0)
		return 0;
	q->has_memory = !strcmp(arg + 9, "yes");
	if (q->has_memory || !strcmp(arg + 9, "no"))
		return 1;
	return al_message_return_einval(
		q->message, "--memory: '%.60s' is neither yes nor no", arg + 9);
}

static int report_unknown_option(struct request *q, const char *arg)
{
	static const char *const options[] = {"--interval", "--max",   "--seed",
					      "--memory",   "--force", "-o",
					      "--help",	    NULL};

	return al_suggest_and_report_bad_option(arg, options, q->message);
}

static int parse_option(struct request *q, const char *arg)
{
	int rc = try_parse_number(q, arg, "--interval", 1, &q->interval);

	if (rc == 0)
		rc = try_parse_number(q, arg, "--max", 1, &q->max_clusters);
	if (rc == 0)
		rc = try_parse_number(q, arg, "--seed", 0, &q->seed);
	if (rc == 0)
		rc = try_parse_memory_yes_or_no(q, arg);
	if (rc == 0)
		rc = report_unknown_option(q, arg);
	return rc == 1 ? 0 : rc;
}

static int parse_arguments(struct request *q, int argc, char **argv)
{
	int err = 0;

	for (int i = 0; i < argc && !err; i++) {
		if (!strcmp(argv[i], "-o") && i + 1 < argc)
			q->name = argv[++i];
		else if (!strcmp(argv[i], "--force"))
			al_replace_allow_profile_or_elf(true);
		else if (argv[i][0] != '-')
			err = cl_set_protected_input_if_unset(
				&q->profile, argv[i], q->message);
		else if (strcmp(argv[i], "-o") != 0)
			err = parse_option(q, argv[i]);
	}
	if (!err && (!q->profile || !q->name || q->interval == 0))
		err = al_message_return_einval(
			q->message,
			"give a profile, the length of an interval and a name: "
			"alleria simpoint PROFILE --interval=N -o NAME");
	return err;
}

/* ---- vectors ---- */

static void draw_progress_until_replay_ends(struct al_replay *r)
{
	struct al_replay_progress p;
	struct cl_progress line;

	cl_progress_start(&line, "replayed", false);
	while (!al_replay_wait_until_ended_or_timeout(r, TICK_MS, &p))
		cl_progress_store_and_redraw_if_due(&line, p.fed_bytes,
						    p.bytes);
	cl_progress_end_and_restore_sigint(&line);
}

/* Store the number of instructions of the run in @instrs_out. Return: 0;
   -EINVAL with a message if the profile does not hold the whole run, or not all
   vectors (the code that each interval executed) were written. */
static int check_run_is_whole_get_instr_count(struct request *q,
					      struct al_replay *r,
					      uint64_t *instrs_out)
{
	struct al_run *run = al_replay_finish_and_borrow_run(r);

	al_run_save_outputs_and_profiles(run);
	q->has_written_vectors =
		!al_report_print_unwritten_outputs(run, "alleria", stderr);
	*instrs_out = al_run_counts(run).instructions;
	if (al_replay_has_damaged_bytes(r) || !al_run_has_complete_status(run))
		return al_message_return_einval(
			q->message,
			"'%.200s' is not the whole run; run 'alleria info' for "
			"details",
			q->profile);
	if (!q->has_written_vectors ||
	    !al_run_is_fully_recorded_and_analysed(run))
		return al_message_return_einval(
			q->message, "the vectors '%.200s' are incomplete",
			q->vectors);
	return 0;
}

static int
replay_profile_and_get_instr_count(struct request *q,
				   const struct al_settings *settings,
				   uint64_t *instrs_out)
{
	struct al_replay *r = al_replay_open(q->profile, settings, q->message);
	int err = -1;

	if (r && al_replay_start_workers(r)) {
		al_message_return_einval(q->message, "cannot start threads");
	} else if (r) {
		draw_progress_until_replay_ends(r);
		err = check_run_is_whole_get_instr_count(q, r, instrs_out);
	}
	al_replay_free(r);
	return err;
}

/* Have the analysis bbv write q->vectors, and store the number of instructions
   of the run. @analyze_option: its option --analyze. */
static int write_vector_file_get_instr_count(struct request *q,
					     const char *analyze_option,
					     uint64_t *instrs_out)
{
	struct al_options *o = al_options_new();
	const struct al_settings *settings = NULL;
	int err = -1;

	if (!o)
		return al_message_return_einval(q->message, "out of memory");
	al_options_disable_per_window_analyses(o);
	if (al_options_try_parse_argument(o, analyze_option, q->message) == 1)
		settings = al_options_finish(o, q->message);
	if (settings)
		err = replay_profile_and_get_instr_count(q, settings,
							 instrs_out);
	al_options_free(o);
	return err;
}

/* ---- choice ---- */

/* Choose the intervals that represent the run, write their files, and print the
   names of the files. Return: 0; -errno with q->message. */
static int choose_write_representative_intervals(struct request *q,
						 const struct al_intervals *s)
{
	struct al_choice c = {.interval = q->interval};
	int err = al_choice_make(&c, s, q->max_clusters, q->seed);

	if (err)
		al_message_return_einval(q->message, "out of memory");
	else
		err = al_choice_write_files(&c, q->name, q->message);
	if (!err)
		fprintf(stderr,
			"alleria: %zu of %zu intervals represent the run: "
			"%s.simpoints, .weights, .intervals, .yaml\n",
			c.n, c.n_intervals, q->name);
	al_choice_release(&c);
	return err;
}

/* ---- the profile ---- */

static unsigned count_images_with_instructions(const struct alleria_profile *p)
{
	unsigned n = 0;

	for (uint32_t i = 1; i <= alleria_run(p)->processes; i++)
		for (uint32_t k = 0; k < alleria_process(p, i)->images; k++)
			n += alleria_image(p, i, k)->counts.instructions > 0;
	return n;
}

/* Check, before any file is written, that a complete profile has one program
   and at least one interval. Return: 0; -EINVAL with a message. */
static int check_program_and_interval_counts(struct request *q,
					     const struct alleria_profile *p)
{
	uint64_t instrs = alleria_run(p)->counts.instructions;

	if (alleria_state(p)->status != ALLERIA_COMPLETE)
		return 0;
	if (count_images_with_instructions(p) > 1)
		return al_message_return_einval(
			q->message,
			"'%.200s' has several programs: intervals "
			"are chosen of one",
			q->profile);
	if (instrs < q->interval)
		return al_message_return_einval(
			q->message,
			"the run has %" PRIu64
			" instructions, less than an interval of "
			"%" PRIu64,
			instrs, q->interval);
	return 0;
}

/* Whether the command that recorded the profile kept Valgrind from continuing a
   block across jumps. False also if that is not known, such as of a program
   that was started by the command valgrind. */
static bool is_recorded_without_vex_guest_chase(const struct alleria_profile *p)
{
	static const char option[] = "--vg=--vex-guest-chase=";
	const char *const *word = alleria_run(p)->options;
	bool is_without = false;

	for (; word && *word; word++)
		if (!strncmp(*word, option, strlen(option)))
			is_without = !strcmp(*word + strlen(option), "no");
	return is_without;
}

static int check_profile_fits_interval_choice(struct request *q)
{
	struct alleria_profile *p;
	int err = 0;

	if (alleria_open(q->profile, &p, q->message) != 0)
		return -EINVAL;
	q->may_differ_from_windows = !is_recorded_without_vex_guest_chase(p);
	err = check_program_and_interval_counts(q, p);
	alleria_close(p);
	return err;
}

/* ---- all steps ---- */

static int write_vectors_and_choose_intervals(struct request *q,
					      const char *analyze_option)
{
	struct al_intervals s = {0};
	uint64_t run_instrs = 0;
	int err = write_vector_file_get_instr_count(q, analyze_option,
						    &run_instrs);

	if (!err)
		err = al_intervals_read_and_project_file(&s, q->vectors,
							 q->seed, q->message);
	if (!err && s.instrs != run_instrs)
		err = al_message_return_einval(
			q->message, "the vectors '%.200s' are incomplete",
			q->vectors);
	if (!err)
		err = choose_write_representative_intervals(q, &s);
	if (err && q->has_written_vectors)
		(void)unlink(q->vectors);
	al_intervals_release(&s);
	return err;
}

static int run_bbv_analysis_choose_sample_intervals(struct request *q)
{
	char *argument = NULL;
	int err;

	if (strpbrk(q->name, ",%"))
		return al_message_return_einval(
			q->message, "the name '%.200s' has a ',' or '%%'",
			q->name);
	if (asprintf(&q->vectors, "%s.bb", q->name) < 0)
		q->vectors = NULL;
	if (!q->vectors ||
	    asprintf(&argument,
		     "--analyze=bbv:interval=%" PRIu64 ",memory=%s,file=%s",
		     q->interval, q->has_memory ? "yes" : "no", q->vectors) < 0)
		return al_message_return_einval(q->message, "out of memory");
	err = check_profile_fits_interval_choice(q);
	if (!err)
		err = write_vectors_and_choose_intervals(q, argument);
	free(argument);
	return err;
}

int cl_simpoint_choose_intervals(int argc, char **argv)
{
	struct request q = {.max_clusters = DEFAULT_MAX_CLUSTERS, .seed = 1};
	int err = parse_arguments(&q, argc, argv);

	if (!err)
		err = run_bbv_analysis_choose_sample_intervals(&q);
	if (err)
		fprintf(stderr, "alleria: %s\n", q.message);
	else if (q.may_differ_from_windows)
		fprintf(stderr,
			"alleria: %s.yaml can select other instructions than "
			"the intervals: record '%s' with "
			"--vg=--vex-guest-chase=no\n",
			q.name, q.profile);
	free(q.vectors);
	return err ? CL_WRONG_USAGE : 0;
}
