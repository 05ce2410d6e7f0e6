/* SPDX-License-Identifier: GPL-2.0-or-later */
/* against.c - compares a run with an older one; see against.h */

#include "cli/commands/against.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "cli/args/exit_status.h"
#include "cli/commands/diff.h"

static const char against[] = "--against", json[] = "--json=";

/* Whether @arg is "NAME=VALUE" with @name as NAME and a VALUE that is not
   empty. */
static bool is_option_with_nonempty_value(const char *arg, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(arg, name, n) && arg[n] == '=' && arg[n + 1];
}

/* Store @path as the older report, and protect it from being replaced by an
   output. Return: 1; -1 with @message if it cannot be read. */
static int set_old_report(struct cl_against *a, const char *path, char *message)
{
	if (access(path, R_OK) != 0) {
		al_message_return_einval(message, "cannot read '%.300s': %s",
					 path, strerror(errno));
		return -1;
	}
	a->old = path;
	al_replace_protect_input(path);
	return 1;
}

int cl_against_try_parse_against_or_limit(struct cl_against *a, const char *arg,
					  char *message)
{
	if (is_option_with_nonempty_value(arg, against))
		return set_old_report(a, arg + sizeof(against), message);
	if (!is_option_with_nonempty_value(arg, "--fail-if") &&
	    !is_option_with_nonempty_value(arg, "--limits"))
		return 0;
	if (a->n == CL_AGAINST_OPTIONS) {
		al_message_return_einval(message, "more than %d limits",
					 CL_AGAINST_OPTIONS);
		return -1;
	}
	a->option[a->n++] = arg;
	return 1;
}

/* Create a temporary folder, and set the option --json=FOLDER/run.json, so that
   the run writes its report there. Return: 0; -1 with a message in @p. */
static int create_temp_folder_add_json_option(struct cl_against *a,
					      struct cl_run_options *p)
{
	strcpy(a->folder, "/tmp/alleria-against-XXXXXX");
	if (mkdtemp(a->folder) == NULL) {
		al_message_return_einval(p->message,
					 "cannot create a folder in /tmp: %s",
					 strerror(errno));
		*a->folder = '\0';
		return -1;
	}
	snprintf(a->json, sizeof(a->json), "%s%s/run.json", json, a->folder);
	return al_options_try_parse_argument(p->options, a->json, p->message) ==
			       1
		       ? 0
		       : -1;
}

int cl_against_add_temp_report_if_needed(struct cl_against *a,
					 struct cl_run_options *p, int argc,
					 char **argv)
{
	bool compares = false, has_report = false;
	const char *limit = NULL;

	for (int i = 0; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--");
	     i++) {
		compares |= is_option_with_nonempty_value(argv[i], against);
		if (is_option_with_nonempty_value(argv[i], "--fail-if") ||
		    is_option_with_nonempty_value(argv[i], "--limits"))
			limit = argv[i];
		if (strncmp(argv[i], json, sizeof(json) - 1) != 0)
			continue;
		has_report = true;
		if (!strcmp(argv[i] + sizeof(json) - 1, "-"))
			a->json[0] = '-';
	}
	if (limit && !compares) {
		al_message_return_einval(
			p->message,
			"'%.100s' compares with an older run: give "
			"'--against=OLD', too",
			limit);
		return -1;
	}
	if (compares && a->json[0] == '-') {
		al_message_return_einval(
			p->message,
			"--against reads the report, so --json=- cannot be "
			"standard output");
		return -1;
	}
	return compares && !has_report
		       ? create_temp_folder_add_json_option(a, p)
		       : 0;
}

int cl_against_print_diff_get_status(const struct cl_against *a,
				     const struct al_settings *s)
{
	char *argv[CL_AGAINST_OPTIONS + 3];
	int argc = 0;

	if (a->old == NULL || s == NULL || s->json == NULL)
		return 0;
	for (size_t i = 0; i < a->n; i++)
		argv[argc++] = (char *)a->option[i];
	argv[argc++] = (char *)a->old;
	argv[argc++] = (char *)s->json;
	argv[argc] = NULL;
	return cl_diff_compare_runs_to_stderr(argc, argv);
}

void cl_against_delete_temp_report(struct cl_against *a)
{
	if (*a->folder) {
		unlink(a->json + sizeof(json) - 1);
		rmdir(a->folder);
	}
	*a->folder = '\0';
}
