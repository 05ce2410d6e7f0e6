/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.c - alleria export: writes a profile in the format of another tool
 *
 * Threads: main.
 *
 * Formats that need a simulation are written by an analysis, in a replay; the
 * others are written directly from the profile.
 */
#include "cli/commands/commands.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "base/text/suggest.h"
#include "cli/args/common_options.h"
#include "cli/commands/replay.h"
#include "cli/print/partial_profile.h"
#include "cli/print/status_line.h"
#include "lib/config/options.h"
#include "liballeria/export/format.h"

const char cl_export_help[] =
	"usage: alleria export PROFILE --format=FORMAT -o OUT [options]\n"
	"\n"
	"Writes the contents of a profile in a format of another tool.\n"
	"\n"
	"  --format=FORMAT\n"
	"  -o OUT           file or folder to write; '-': standard output\n"
	"  --force          OUT may replace a profile or a program\n"
	"  --help\n"
	"\n"
	"Formats that an analysis writes, with the options of `alleria "
	"replay`:\n"
	"  cachegrind     for cg_annotate\n"
	"  callgrind      for callgrind_annotate and KCachegrind\n"
	"  folded         stacks, for flame graphs\n"
	"  ramulator      accesses that miss the last cache level\n"
	"  timeline       counts by time, as comma-separated values\n"
	"  perfetto       counts by time, as counter tracks\n"
	"\n"
	"Formats that are written from the profile itself:\n";

/* The formats that a replay writes, with the option that selects each. */
static const struct analysis {
	const char *name;
	const char *option;
	uint32_t needs; /* OR of enum alleria_has: what a profile must have */
} analyses[] = {
	{"cachegrind", "--analyze=cachegrind:file=",
	 ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES},
	{"callgrind", "--analyze=callgrind:file=",
	 ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES},
	{"folded", "--analyze=folded:file=", ALLERIA_HAS_INSTRUCTIONS},
	{"ramulator", "--analyze=ramulator:of=memory,file=",
	 ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES},
	{"timeline", "--analyze=timeline:format=csv,file=",
	 ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES},
	{"perfetto", "--analyze=timeline:format=perfetto,file=",
	 ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES},
};

enum {
	N_ANALYSES = sizeof(analyses) / sizeof(analyses[0]),
	MAX_FORMATS = 64,
};

struct request {
	const char *profile;
	const char *format;
	const char *out;
	char **rest; /* [n_rest] arguments for the replay; room for all
			arguments of the command and two more */
	int n_rest;
	char message[AL_MESSAGE];
};

void cl_export_print_formats_without_replay(FILE *out)
{
	for (int i = 0; ex_formats[i]; i++)
		fprintf(out, "  %-14s %s\n", ex_formats[i]->name,
			ex_formats[i]->summary);
}

static int parse_arguments(struct request *q, int argc, char **argv)
{
	static const char format[] = "--format=";

	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], format, sizeof(format) - 1))
			q->format = argv[i] + sizeof(format) - 1;
		else if (!strcmp(argv[i], "-o") && i + 1 < argc)
			q->out = argv[++i];
		else if (!strcmp(argv[i], "--force"))
			al_replace_allow_profile_or_elf(true);
		else if (argv[i][0] == '-')
			q->rest[q->n_rest++] = argv[i];
		else if (cl_set_protected_input_if_unset(&q->profile, argv[i],
							 q->message))
			return -EINVAL;
	}
	if (!q->profile || !q->format || !q->out)
		return al_message_return_einval(
			q->message,
			"no %s given: alleria export PROFILE "
			"--format=FORMAT -o OUT",
			!q->profile  ? "profile"
			: !q->format ? "--format"
				     : "-o");
	return 0;
}

static int print_error_return_wrong_usage(const char *message)
{
	fprintf(stderr, "alleria: %s\n", message);
	return CL_WRONG_USAGE;
}

/* Open the profile, and check that it has what the analysis @a needs. Return:
   0; CL_WRONG_USAGE after printing what is missing or why it cannot be
   opened. */
static int check_profile_has_analysis_fields(const struct request *q,
					     const struct analysis *a)
{
	char message[ALLERIA_MESSAGE];
	struct alleria_profile *p;
	int err = alleria_open(q->profile, &p, message);

	if (!err)
		err = ex_check_profile_has_fields(p, a->name, a->needs,
						  message);
	alleria_close(p);
	return err ? print_error_return_wrong_usage(message) : 0;
}

static int export_by_replay_get_status(struct request *q,
				       const struct analysis *a)
{
	char *option;
	int status = check_profile_has_analysis_fields(q, a);

	if (status)
		return status;
	if (strchr(q->out, ','))
		return print_error_return_wrong_usage(
			"a ',' in the name of the output");
	if (asprintf(&option, "%s%s", a->option, q->out) < 0)
		return print_error_return_wrong_usage("out of memory");
	q->rest[q->n_rest++] = option;
	q->rest[q->n_rest++] = (char *)q->profile;
	status = cl_replay_without_report(q->n_rest, q->rest);
	free(option);
	return status;
}

/* Check, before the profile is read, that the output may be written. Return: 0;
   -EINVAL with @message. */
static int check_output_may_be_written(const struct request *q, char *message)
{
	int err = strcmp(q->out, "-") ? al_replace_check_output(q->out) : 0;

	if (!err)
		return 0;
	return al_message_return_einval(message, "cannot write '%.200s': %s",
					q->out,
					al_replace_output_file_error_text(err));
}

/* Return 0, or CL_DAMAGED after printing that the profile is damaged or that a
   part of it could not be read. */
static int
status_reporting_damage_or_unread_part(const struct ex_export_job *job,
				       const char *profile_path)
{
	int status =
		cl_exit_status_reporting_damage(job->profile, profile_path, 0);

	if (status || !job->is_damaged)
		return status;
	fprintf(stderr, "alleria: a part of '%s' is broken or missing\n",
		profile_path);
	return CL_DAMAGED;
}

static int export_without_replay_get_status(struct request *q,
					    const struct ex_format *f)
{
	struct ex_export_job job = {.path = q->out};
	struct cl_progress progress = {0};
	int err, status;

	if (check_output_may_be_written(q, q->message))
		return print_error_return_wrong_usage(q->message);
	err = alleria_open(q->profile, &job.profile, job.message);
	if (!err) {
		err = ex_check_profile_has_fields(job.profile, f->name,
						  f->needs, job.message);
	}
	if (!err) {
		cl_warn_if_profile_is_lossy_or_cut(job.profile, q->profile);
		cl_progress_start(&progress, "exported", true);
		cl_progress_install_stop_on_sigint(&progress, NULL);
		err = f->write(&job);
		cl_progress_end_and_restore_sigint(&progress);
	}
	if (*job.message && !progress.is_stopped)
		fprintf(stderr, "alleria: %s\n", job.message);
	status = err ? CL_WRONG_USAGE
		     : status_reporting_damage_or_unread_part(&job, q->profile);
	if (err)
		status = cl_progress_report_if_interrupted(
			&progress,
			strcmp(q->out, "-") ? "nothing is written"
					    : "the rest is missing",
			status);
	alleria_close(job.profile);
	return status;
}

const char *const *cl_export_format_names(void)
{
	static const char *names[MAX_FORMATS + 1];
	int n = 0;

	for (int i = 0; i < N_ANALYSES && n < MAX_FORMATS; i++)
		names[n++] = analyses[i].name;
	for (int i = 0; ex_formats[i] && n < MAX_FORMATS; i++)
		names[n++] = ex_formats[i]->name;
	return names;
}

static int print_unknown_format_return_usage(struct request *q)
{
	al_suggest_and_report_bad_word("unknown format", q->format,
				       cl_export_format_names(), q->message);
	return print_error_return_wrong_usage(q->message);
}

static int export_by_replay_or_directly(struct request *q)
{
	for (int i = 0; i < N_ANALYSES; i++)
		if (!strcmp(q->format, analyses[i].name))
			return export_by_replay_get_status(q, &analyses[i]);
	for (int i = 0; ex_formats[i]; i++) {
		if (strcmp(q->format, ex_formats[i]->name) != 0)
			continue;
		if (q->n_rest == 0)
			return export_without_replay_get_status(q,
								ex_formats[i]);
		al_message_return_einval(q->message,
					 "'%.100s' is no option of --format=%s",
					 q->rest[0], q->format);
		return print_error_return_wrong_usage(q->message);
	}
	return print_unknown_format_return_usage(q);
}

int cl_export_to_other_tool_format(int argc, char **argv)
{
	struct request q = {
		.rest = calloc((size_t)argc + 3, sizeof(*q.rest)),
	};
	int status;

	if (!q.rest) {
		status = print_error_return_wrong_usage("out of memory");
	} else if (parse_arguments(&q, argc, argv)) {
		status = print_error_return_wrong_usage(q.message);
	} else {
		status = export_by_replay_or_directly(&q);
	}
	free(q.rest);
	return status;
}
