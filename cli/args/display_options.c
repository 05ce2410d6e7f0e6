/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * display_options.c - parses the options that all commands have: --quiet,
 * --color, --no-pager; see display_options.h
 */
#include "cli/args/display_options.h"

#include <string.h>
#include <unistd.h>

#include "base/text/line_writer.h"
#include "base/text/message.h"
#include "base/text/suggest.h"

const char cl_display_options_help[] =
	"  --quiet                 no report and no progress: errors, and the\n"
	"                          status of a run that is not complete\n"
	"  --color=WHEN            auto (a terminal, and no NO_COLOR), "
	"always,\n"
	"                          never [auto]\n"
	"  --no-pager              no pager on a terminal for annotate, "
	"calls,\n"
	"                          dump [$ALLERIA_PAGER, $PAGER, less -FRX]\n"
	"  --version               print the version\n"
	"  --help\n";

static bool is_quiet;
static bool has_no_pager;

bool cl_is_quiet(void)
{
	return is_quiet;
}

unsigned cl_stderr_colour_and_quiet_flags(void)
{
	return al_display_flags_of_fd(STDERR_FILENO) |
	       (is_quiet ? (unsigned)AL_STATUS_ONLY : 0);
}

bool cl_is_pager_allowed_by_options(void)
{
	return !has_no_pager;
}

/* Set the use of colours to @when, the value of --color. Return: 1; -EINVAL
   with @message if @when is not auto, always or never. */
static int set_colour_return_1_if_valid(const char *when, char *message)
{
	static const char *const words[] = {"auto", "always", "never", NULL};
	const char *near = al_suggest_word(when, words);

	for (int i = 0; words[i]; i++) {
		if (strcmp(when, words[i]) != 0)
			continue;
		al_display_set_colour((enum al_colour_use)i);
		return 1;
	}
	return al_message_return_einval(
		message, "'--color=%.100s': %s%s%s", when,
		near ? "did you mean '" : "auto, always or never",
		near ? near : "", near ? "'?" : "");
}

/* Apply @arg if it is --quiet, --no-pager or --color=WHEN. Return: 1: applied;
   0: @arg is another option; -EINVAL with @message. */
static int parse_display_option_return_1_if_applied(const char *arg,
						    char *message)
{
	static const char color[] = "--color";
	const size_t n = sizeof(color) - 1;

	if (!strcmp(arg, "--quiet"))
		is_quiet = true;
	else if (!strcmp(arg, "--no-pager"))
		has_no_pager = true;
	else if (!strncmp(arg, color, n) && arg[n] == '=')
		return set_colour_return_1_if_valid(arg + n + 1, message);
	else if (!strcmp(arg, color))
		return al_message_return_einval(message,
						"'%s' needs a value: %s=auto, "
						"always or never",
						color, color);
	else
		return 0;
	return 1;
}

int cl_display_options_extract(int *argc, char **argv,
			       bool stop_at_first_non_option, char *message)
{
	bool is_open = true, is_file = false;
	int n = 1;

	for (int i = 1; i < *argc; i++) {
		int taken = 0;

		if ((stop_at_first_non_option && argv[i][0] != '-') ||
		    !strcmp(argv[i], "--"))
			is_open = false;
		if (is_open && !is_file)
			taken = parse_display_option_return_1_if_applied(
				argv[i], message);
		if (taken < 0)
			return taken;
		is_file = !is_file && !strcmp(argv[i], "-o");
		if (!taken)
			argv[n++] = argv[i];
	}
	if (*argc > 0) {
		argv[n] = NULL;
		*argc = n;
	}
	return 0;
}
