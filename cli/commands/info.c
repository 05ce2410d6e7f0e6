/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * info.c - alleria info: prints the status, counts, processes and object files
 * of a profile
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <alleria/alleria.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/atomic_file.h"
#include "base/system/replaceable.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "cli/args/common_options.h"
#include "cli/print/profile_text.h"
#include "cli/print/partial_profile.h"

const char cl_info_help[] =
	"usage: alleria info PROFILE [options]\n"
	"\n"
	"Prints the contents of a profile of `alleria run --profile`: "
	"processes, threads,\n"
	"object files, counts, and whether it is complete.\n"
	"\n"
	"  --json=FILE       write the same as JSON; '-': standard output\n"
	"  --force           FILE may replace a profile or a program\n"
	"  --help\n";

struct request {
	const char *path;
	const char *json;
	char message[AL_MESSAGE];
};

static int parse_arguments(struct request *q, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "--json=", 7) && argv[i][7])
			q->json = argv[i] + 7;
		else if (!strcmp(argv[i], "--force"))
			al_replace_allow_profile_or_elf(true);
		else if (argv[i][0] == '-')
			return al_message_return_einval(
				q->message,
				"unknown option '%.100s'; there are "
				"--json=FILE, --force",
				argv[i]);
		else if (cl_set_protected_input_if_unset(&q->path, argv[i],
							 q->message))
			return -EINVAL;
	}
	if (!q->path)
		return al_message_return_einval(
			q->message, "no profile given: alleria info "
				    "PROFILE [options]");
	return 0;
}

static int write_profile_facts_json(void *profile, FILE *f)
{
	cl_facts_print_profile_json(profile, f);
	return fflush(f) ? -errno : 0;
}

static int save_facts_json_or_set_message(struct request *q,
					  struct alleria_profile *p)
{
	int err =
		al_file_write_atomically(q->json, write_profile_facts_json, p);

	if (err && !strcmp(q->json, "-"))
		return al_message_return_einval(
			q->message, "cannot write standard output: %s",
			strerror(-err));
	return err ? al_message_return_einval(
			     q->message, "cannot write '%.200s': %s", q->json,
			     al_replace_output_file_error_text(err))
		   : 0;
}

static int print_or_save_facts_get_status(struct request *q)
{
	struct alleria_profile *p;
	int status = CL_WRONG_USAGE;

	if (alleria_open(q->path, &p, q->message) ||
	    (q->json && save_facts_json_or_set_message(q, p))) {
		fprintf(stderr, "alleria: %s\n", q->message);
	} else {
		if (!q->json)
			cl_facts_print_profile(p, stdout);
		status = cl_exit_status_reporting_damage(p, q->path, 0);
	}
	alleria_close(p);
	return status;
}

int cl_info_print_profile_facts(int argc, char **argv)
{
	struct request q = {0};

	if (!parse_arguments(&q, argc, argv))
		return print_or_save_facts_get_status(&q);
	fprintf(stderr, "alleria: %s\n", q.message);
	return CL_WRONG_USAGE;
}
