/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover.c - alleria recover: copies the intact blocks of a damaged profile
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/system/replaceable.h"
#include "cli/args/common_options.h"
#include "cli/print/status_line.h"
#include "lib/verify/verify.h"

const char cl_recover_help[] =
	"usage: alleria recover PROFILE -o FILE\n"
	"\n"
	"Copies every intact block of PROFILE into FILE, a new profile that "
	"states what\n"
	"is missing.\n"
	"\n"
	"  -o FILE                 the new profile; must not exist\n"
	"  --force                 replace FILE if it exists\n"
	"  --help\n";

struct request {
	const char *profile;
	const char *out;
};

static int parse_recover_arguments(struct request *q, int argc, char **argv,
				   char *message)
{
	for (int i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "-o") && i + 1 < argc)
			q->out = argv[++i];
		else if (!strcmp(argv[i], "--force"))
			al_replace_allow_profile_or_elf(true);
		else if (argv[i][0] == '-' && strcmp(argv[i], "-o") != 0)
			return al_message_return_einval(
				message,
				"unknown option '%.100s'; there are "
				"-o FILE, --force",
				argv[i]);
		else if (argv[i][0] != '-' &&
			 cl_set_protected_input_if_unset(&q->profile, argv[i],
							 message))
			return -EINVAL;
	}
	if (!q->profile || !q->out)
		return al_message_return_einval(
			message, "give a profile and a new one: "
				 "alleria recover PROFILE -o FILE");
	return strcmp(q->out, "-")
		       ? 0
		       : al_message_return_einval(message,
						  "a profile is a file: "
						  "not '-o -'");
}

int cl_recover_copy_intact_blocks(int argc, char **argv)
{
	struct request q = {0};
	struct cl_progress progress = {0};
	char message[AL_MESSAGE];
	int err;

	err = parse_recover_arguments(&q, argc, argv, message);
	if (!err) {
		cl_progress_start(&progress, "copied", true);
		cl_progress_install_stop_on_sigint(&progress, NULL);
		err = al_salvage_profile(q.profile, q.out, message);
		cl_progress_end_and_restore_sigint(&progress);
	}
	if (err && progress.is_stopped)
		return cl_progress_report_if_interrupted(
			&progress, "nothing is written", CL_WRONG_USAGE);
	fprintf(stderr, "alleria: %s\n", message);
	return err ? CL_WRONG_USAGE : 0;
}
