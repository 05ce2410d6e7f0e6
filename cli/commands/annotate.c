/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate.c - alleria annotate: prints source lines with their counts
 *
 * Threads: main.
 *
 * A replay writes the counts of every line in Cachegrind's format to an unnamed
 * file in memory, which cannot remain after the command ends.
 */
#include "cli/commands/commands.h"

#include <alleria/alleria.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text/message.h"
#include "base/text/suggest.h"
#include "cli/args/common_options.h"
#include "cli/commands/replay.h"
#include "cli/print/pager.h"
#include "cli/print/profile_text.h"
#include "lib/report/annotation.h"
#include "lib/report/results.h"
#include "lib/report/type_members.h"

const char cl_annotate_help[] =
	"usage: alleria annotate PROFILE [FILE:LINE | FUNCTION] [options]\n"
	"       alleria annotate PROFILE --type=TYPE [options]\n"
	"\n"
	"Prints the source of a function, or the lines around a line, with "
	"the\n"
	"instructions, reads, writes and misses of each line. Without FUNCTION "
	"or\n"
	"FILE:LINE, prints the functions that cost most, and the source of "
	"the\n"
	"first. FUNCTION may be a part of the name that no other function "
	"has.\n"
	"\n"
	"  --sort=EVENT            the event that is the cost [D1mr]\n"
	"  --source-root=DIR       look for source files below DIR [/]\n"
	"  --type=TYPE             print the members of a type such as 'struct "
	"node',\n"
	"                          with counts, holes and cache lines; for a "
	"profile\n"
	"                          with data objects\n"
	"  --I1=SIZE,ASSOC,LINE    caches that are simulated, as in `alleria "
	"replay`\n"
	"  --D1=SIZE,ASSOC,LINE\n"
	"  --L2=SIZE,ASSOC,LINE\n"
	"  --LL=SIZE,ASSOC,LINE\n"
	"  --cache=FILE.yaml\n"
	"  --workers=N             threads that analyse, 1 to 256 [the number "
	"of\n"
	"                          processors, at most 16]\n"
	"  --partitions=N          parts of a cache that are simulated in "
	"parallel\n"
	"  --help\n";

struct request {
	const char *profile;
	struct cl_source_request source;
	const char *type; /* print its members; NULL: print source lines */
	char **rest;	  /* [n_rest] arguments for the replay; room for all
			     arguments of the command and two more */
	int n_rest;
	char message[AL_MESSAGE];
};

static int store_word_as_profile_or_then_selection(struct request *q,
						   char *word)
{
	if (!q->profile)
		return cl_set_protected_input_if_unset(&q->profile, word,
						       q->message);
	if (!q->source.selection)
		q->source.selection = word;
	else
		return al_message_return_einval(
			q->message,
			"one place at a time: '%.100s' and '%.100s'",
			q->source.selection, word);
	return 0;
}

/* Store the value of an option of annotate itself in the request. Return: 0;
   -ENOENT: @arg is not such an option; -EINVAL with a message: it has no
   value. */
static int store_own_option_value_or_return_enoent(struct request *q,
						   const char *arg)
{
	const struct {
		const char *name, *example;
		const char **value;
	} options[] = {
		{"--sort", "D1mr", &q->source.sort},
		{"--source-root", "DIR", &q->source.root},
		{"--type", "'struct node'", &q->type},
	};
	size_t bytes = strcspn(arg, "=");

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strlen(options[i].name) != bytes ||
		    strncmp(arg, options[i].name, bytes))
			continue;
		if (!arg[bytes] || !arg[bytes + 1])
			return al_message_return_einval(
				q->message, "'%s' needs a value: %s=%s", arg,
				options[i].name, options[i].example);
		*options[i].value = arg + bytes + 1;
		return 0;
	}
	return -ENOENT;
}

/* Append @arg to the arguments for the replay, which checks its value, if it is
   an option for caches, workers or partitions. Return: 0; -EINVAL with a
   message. */
static int append_replay_option_or_reject(struct request *q, char *arg)
{
	static const char *const options[] = {
		"--I1",	   "--D1",	    "--L2",	    "--LL",
		"--cache", "--workers",	    "--partitions", "--sort",
		"--type",  "--source-root", "--help",	    NULL};
	enum { N_FOR_REPLAY = 7 };
	size_t length = strcspn(arg, "=");

	for (int i = 0; i < N_FOR_REPLAY; i++) {
		if (strlen(options[i]) != length ||
		    strncmp(arg, options[i], length) != 0)
			continue;
		q->rest[q->n_rest++] = arg;
		return 0;
	}
	return al_suggest_and_report_bad_option(arg, options, q->message);
}

static int parse_annotate_arguments(struct request *q, int argc, char **argv)
{
	int err = 0;

	for (int i = 0; i < argc && !err; i++) {
		err = store_own_option_value_or_return_enoent(q, argv[i]);
		if (err != -ENOENT)
			continue;
		if (argv[i][0] == '-')
			err = append_replay_option_or_reject(q, argv[i]);
		else
			err = store_word_as_profile_or_then_selection(q,
								      argv[i]);
	}
	if (!err && !q->profile)
		err = al_message_return_einval(
			q->message,
			"no profile given: alleria annotate PROFILE "
			"[FILE:LINE | FUNCTION]");
	if (!err && q->type && q->source.selection)
		err = al_message_return_einval(
			q->message, "either --type or a place: '%.100s'",
			q->source.selection);
	return err;
}

/* The file that a replay writes the counts of source lines to, and the counts
   that are read from it. */
struct replayed_counts {
	FILE *file;
	struct al_annotation *counts;
	int error; /* -errno of reading; -ENODATA: nothing was read */
};

static void read_line_counts_and_source_hashes(void *counts, struct al_run *run)
{
	struct replayed_counts *r = counts;

	rewind(r->file); /* the analysis shares and moved its offset */
	r->error = al_annotation_read_cachegrind_file(r->counts, r->file);
	if (!r->error)
		r->error = al_annotation_read_source_hashes(r->counts, run);
}

/* Replay the profile, which writes the counts of each source line in
   Cachegrind's format to @scratch_file, and read them into @counts_out, with
   the hashes of the source files. Return the exit status: 0; CL_DAMAGED: the
   counts cover only the intact parts of the profile; another one: there are no
   counts. */
static int
replay_and_read_line_counts_get_status(struct request *q, FILE *scratch_file,
				       struct al_annotation *counts_out)
{
	struct replayed_counts r = {scratch_file, counts_out, -ENODATA};
	char option[64];
	int status;

	snprintf(option, sizeof(option),
		 "--analyze=cachegrind:file=/proc/self/fd/%d",
		 fileno(scratch_file));
	q->rest[q->n_rest++] = option;
	q->rest[q->n_rest++] = (char *)q->profile;
	status = cl_replay_and_read_run(q->n_rest, q->rest,
					read_line_counts_and_source_hashes, &r);
	if (status && status != CL_DAMAGED)
		return status;
	if (r.error)
		fprintf(stderr, "alleria: cannot count lines: %s\n",
			strerror(-r.error));
	return r.error ? CL_WRONG_USAGE : status;
}

static FILE *create_memfd_open_for_reading(void)
{
	int fd = memfd_create("alleria-annotate", MFD_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (!file && fd >= 0)
		close(fd);
	return file;
}

static int replay_and_print_source_get_status(struct request *q)
{
	struct al_annotation a = {0};
	int status = CL_WRONG_USAGE;
	FILE *file = create_memfd_open_for_reading();

	if (!file) {
		fprintf(stderr, "alleria: cannot make a file in memory: %s\n",
			strerror(errno));
		return status;
	}
	status = replay_and_read_line_counts_get_status(q, file, &a);
	fclose(file);
	if (!status || status == CL_DAMAGED)
		cl_pager_start_if_stdout_is_terminal();
	if ((!status || status == CL_DAMAGED) &&
	    cl_source_print_selected_or_top(&a, &q->source, q->message)) {
		if (*q->message)
			fprintf(stderr, "alleria: %s\n", q->message);
		status = CL_WRONG_USAGE;
	}
	al_annotation_release(&a);
	return status;
}

/* ---- members of a type ---- */

/* Set the message to the reason why the requested type has no members to print:
   no data object has the type, no access to one was recorded, or those that
   have the type are not divided into its members. */
static void set_message_why_no_members_are_printed(struct request *q,
						   const struct al_model *m)
{
	const char *row = al_data_first_accessed_row_label_of_type(m, q->type);
	const char *near = al_types_suggest_name_or_null(m, q->type);

	if (row)
		al_message_return_einval(
			q->message,
			"'%.60s' is not divided into the members of '%.60s': "
			"its blocks have different sizes, no multiple of the "
			"type's size, or hold other types; --allocators can "
			"name the functions that allocate in them",
			row, q->type);
	else if (near && !strcmp(near, q->type))
		al_message_return_einval(
			q->message, "no access to data of type '%.100s'", near);
	else if (near)
		al_message_return_einval(
			q->message,
			"no data object has the type '%.100s'; did you mean "
			"'%.100s'?",
			q->type, near);
	else
		al_message_return_einval(q->message,
					 "no data object has the type '%.100s'",
					 q->type);
}

/* Print the members of the requested type, from the results of a run; or set a
   message. */
static void print_type_members_or_set_message(void *request, struct al_run *run)
{
	struct request *q = request;
	struct al_types_of_name t = {0};
	const struct al_model *m = al_result_of_class_or_null(run, "data");
	int err;

	if (m == NULL) {
		al_message_return_einval(q->message,
					 "there are no data objects");
		return;
	}
	err = al_types_of_name_read(&t, m, q->type);
	if (err == -ENOENT) {
		set_message_why_no_members_are_printed(q, m);
	} else if (err) {
		al_message_return_einval(q->message, "out of memory");
	} else {
		cl_pager_start_if_stdout_is_terminal();
		cl_types_print_members(&t, stdout);
	}
	al_types_of_name_release(&t);
}

/* Check that the profile has data objects, and addresses of the accesses to
   them. Return: 0; -EINVAL with a message. */
static int check_has_data_objects_and_addresses(struct request *q)
{
	static const char remedy[] = "record it with --record=data,address";
	struct alleria_profile *p;
	uint32_t has;

	if (alleria_open(q->profile, &p, q->message))
		return -EINVAL;
	has = alleria_run(p)->has;
	alleria_close(p);
	if (!(has & ALLERIA_HAS_DATA))
		return al_message_return_einval(
			q->message, "'%.100s' has no data objects; %s",
			q->profile, remedy);
	if (!(has & ALLERIA_HAS_ADDRESSES))
		return al_message_return_einval(
			q->message,
			"'%.100s' has no addresses of accesses, which show the "
			"member that is accessed; %s",
			q->profile, remedy);
	return 0;
}

static int replay_print_members_of_type_get_status(struct request *q)
{
	static char analysis[] = "--analyze=data:accesses=yes,fields=yes";
	int status = CL_WRONG_USAGE;

	q->rest[q->n_rest++] = analysis;
	q->rest[q->n_rest++] = (char *)q->profile;
	if (!check_has_data_objects_and_addresses(q))
		status = cl_replay_and_read_run(
			q->n_rest, q->rest, print_type_members_or_set_message,
			q);
	if (*q->message) {
		fprintf(stderr, "alleria: %s\n", q->message);
		status = CL_WRONG_USAGE;
	}
	return status;
}

int cl_annotate_print_source_or_type(int argc, char **argv)
{
	struct request q = {
		.source.root = "/",
		.rest = calloc((size_t)argc + 3, sizeof(*q.rest)),
	};
	int status = CL_WRONG_USAGE;

	if (!q.rest) {
		fprintf(stderr, "alleria: out of memory\n");
	} else if (parse_annotate_arguments(&q, argc, argv)) {
		fprintf(stderr, "alleria: %s\n", q.message);
	} else {
		status = q.type ? replay_print_members_of_type_get_status(&q)
				: replay_and_print_source_get_status(&q);
	}
	free(q.rest);
	return status;
}
