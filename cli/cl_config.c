/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_config.c - alleria config: window files in words, and their schema
 *
 * Room:    cli.
 * Threads: main.
 */
#include "cli/cl_config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cl_run.h"
#include "cli/cl_words.h"
#include "lib/al_explain.h"
#include "lib/al_message.h"
#include "lib/al_options.h"
#include "lib/al_windows.h"

static const char help[] =
	"usage: alleria config check FILE\n"
	"       alleria config schema\n"
	"\n"
	"check tells in words what the window file FILE records, and when, or "
	"what is\n"
	"wrong with it. schema prints a JSON schema of window files, for "
	"editors.\n"
	"\n"
	"  --help\n";

static int check(int argc, char **argv, char *message)
{
	struct al_windows *w;

	if (argc != 1)
		return al_message(message, "give one file: alleria config "
					   "check FILE");
	if (al_windows_read(argv[0], &w, message))
		return -EINVAL;
	al_windows_explain(w, argv[0], stdout);
	al_windows_free(w);
	return 0;
}

static int schema(int argc, char *message)
{
	if (argc)
		return al_message(message,
				  "'alleria config schema' takes nothing");
	for (const char *c = cl_schema; *c; c++)
		putchar(*c == '\'' ? '"' : *c);
	return 0;
}

static int dispatch(int argc, char **argv, char *message)
{
	static const char *const words[] = {"check", "schema", NULL};
	const char *near;

	if (!argc)
		return al_message(message, "'alleria config' check or schema?");
	for (int i = 0; i < argc; i++)
		if (argv[i][0] == '-')
			return al_message(message, "unknown option '%.100s'",
					  argv[i]);
	if (!strcmp(argv[0], words[0]))
		return check(argc - 1, argv + 1, message);
	if (!strcmp(argv[0], words[1]))
		return schema(argc - 1, message);
	near = al_nearest(argv[0], words);
	return al_message(message,
			  near ? "unknown word '%.100s'; did you mean '%s'?"
			       : "unknown word '%.100s'; there are check and "
				 "schema",
			  argv[0], near);
}

int cl_config(int argc, char **argv)
{
	char message[AL_MESSAGE];
	int err;

	if (cl_wants_help(argc, argv)) {
		fputs(help, stdout);
		return 0;
	}
	err = dispatch(argc, argv, message);
	if (!err)
		return 0;
	fprintf(stderr, "alleria: %s\n", message);
	return CL_WRONG_USAGE;
}
