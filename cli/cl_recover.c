/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_recover.c - alleria recover: what is whole in a damaged profile
 *
 * Room:    cli.
 * Threads: main.
 */
#include "cli/cl_recover.h"

#include <stdio.h>
#include <string.h>

#include "cli/cl_run.h"
#include "lib/al_options.h"
#include "lib/al_rescue.h"

static const char help[] =
	"usage: alleria recover PROFILE -o FILE\n"
	"\n"
	"Copies every block of PROFILE that is intact into FILE, a new profile "
	"that\n"
	"says what is missing.\n"
	"\n"
	"  -o FILE                 the new profile; must not be there yet\n"
	"  --help\n";

struct request {
	const char *profile;
	const char *out;
};

/* False when they are not as they should be. */
static bool parse(struct request *q, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		const char **to = &q->profile;

		if (!strcmp(argv[i], "-o") && i + 1 < argc) {
			to = &q->out;
			i++;
		} else if (argv[i][0] == '-') {
			return false;
		}
		if (*to)
			return false;
		*to = argv[i];
	}
	return q->profile && q->out;
}

int cl_recover(int argc, char **argv)
{
	struct request q = {0};
	char message[AL_MESSAGE];
	int err;

	for (int i = 0; i < argc; i++)
		if (al_options_is_help(argv[i])) {
			fputs(help, stdout);
			return 0;
		}
	if (!parse(&q, argc, argv)) {
		fprintf(stderr, "alleria: give a profile and a new one: "
				"alleria recover PROFILE -o FILE\n");
		return CL_WRONG_USAGE;
	}
	err = al_rescue(q.profile, q.out, message);
	fprintf(stderr, "alleria: %s\n", message);
	return err ? CL_WRONG_USAGE : 0;
}
