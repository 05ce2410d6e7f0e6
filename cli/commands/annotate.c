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

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text/message.h"
#include "cli/args/common_options.h"
#include "cli/commands/replay.h"
#include "cli/print/pager.h"
#include "cli/print/profile_text.h"
#include "lib/report/annotation.h"

const char cl_annotate_help[] =
	"usage: alleria annotate PROFILE [FILE:LINE | FUNCTION] [options]\n"
	"\n"
	"Prints the source of a function, or around a line, beside what each\n"
	"line has executed, read, written and missed; without either, the\n"
	"functions that cost most, and the source of the first. FUNCTION may "
	"be\n"
	"a part of its name that no other function has.\n"
	"\n"
	"  --sort=EVENT            what costs [D1mr]\n"
	"  --source-root=DIR       look for source files below DIR [/]\n"
	"  --help\n"
	"\n"
	"Caches and threads are those of `alleria replay`, with its options.\n";

struct request {
	const char *profile;
	struct cl_source_request source;
	char **rest; /* [n_rest] arguments for the replay; room for all and
			two more */
	int n_rest;
	char message[AL_MESSAGE];
};

static int store_first_as_profile_then_selection(struct request *q, char *word)
{
	if (!q->profile)
		return cl_set_and_protect_profile_once(&q->profile, word,
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

static int parse_arguments(struct request *q, int argc, char **argv)
{
	static const char sort[] = "--sort=", root[] = "--source-root=";
	int err = 0;

	for (int i = 0; i < argc && !err; i++) {
		if (!strncmp(argv[i], sort, sizeof(sort) - 1))
			q->source.sort = argv[i] + sizeof(sort) - 1;
		else if (!strncmp(argv[i], root, sizeof(root) - 1))
			q->source.root = argv[i] + sizeof(root) - 1;
		else if (argv[i][0] == '-')
			q->rest[q->n_rest++] = argv[i];
		else
			err = store_first_as_profile_then_selection(q, argv[i]);
	}
	if (!err && !q->profile)
		err = al_message_return_einval(
			q->message,
			"no profile given: alleria annotate PROFILE "
			"[FILE:LINE | FUNCTION]");
	return err;
}

/* Replay the profile, which writes the counts of each source line in
   Cachegrind's format to @scratch_file, and read them into @counts_out. Return
   the exit status: 0; CL_DAMAGED: the counts cover only the intact parts of the
   profile; another one: there are no counts. */
static int
replay_and_read_line_counts_get_status(struct request *q, FILE *scratch_file,
				       struct al_annotation *counts_out)
{
	char option[64];
	int status, err;

	snprintf(option, sizeof(option),
		 "--analyze=cachegrind:file=/proc/self/fd/%d",
		 fileno(scratch_file));
	q->rest[q->n_rest++] = option;
	q->rest[q->n_rest++] = (char *)q->profile;
	status = cl_replay_without_report(q->n_rest, q->rest);
	if (status && status != CL_DAMAGED)
		return status;
	rewind(scratch_file); /* the analysis shares and moved its offset */
	err = al_annotation_read_cachegrind_file(counts_out, scratch_file);
	if (err)
		fprintf(stderr, "alleria: cannot count lines: %s\n",
			strerror(-err));
	return err ? CL_WRONG_USAGE : status;
}

static FILE *create_memory_file_for_reading(void)
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
	FILE *file = create_memory_file_for_reading();

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

int cl_annotate_print_source_counts(int argc, char **argv)
{
	struct request q = {
		.source.root = "/",
		.rest = calloc((size_t)argc + 3, sizeof(*q.rest)),
	};
	int status = CL_WRONG_USAGE;

	if (!q.rest) {
		fprintf(stderr, "alleria: out of memory\n");
	} else if (parse_arguments(&q, argc, argv)) {
		fprintf(stderr, "alleria: %s\n", q.message);
	} else {
		status = replay_and_print_source_get_status(&q);
	}
	free(q.rest);
	return status;
}
