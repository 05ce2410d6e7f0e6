/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_options.c - parses the options for running a program under Valgrind
 */
#include "cli/args/run_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "cli/args/find_program.h"

enum {
	OUR_ARGUMENTS = 6,
	MAX_OWN_OPTIONS = 8,
	MIN_LEVELS = 5 /* fewest ".." that are written to reach "/" */
};

int cl_run_options_init(struct cl_run_options *p, const char *command_name,
			int argc)
{
	*p = (struct cl_run_options){
		.name = command_name,
		.options = al_options_new(),
		.valgrind_options = calloc((size_t)argc + 1, sizeof(char *)),
	};
	if (p->options && p->valgrind_options)
		return 0;
	snprintf(p->message, sizeof(p->message), "out of memory");
	return -1;
}

void cl_run_options_release(struct cl_run_options *p)
{
	free(p->valgrind_options);
	al_options_free(p->options);
}

/* Add @option to the options that Valgrind is started with. Return: 1; -1 with
   a message if it does not begin with '-' or is --tool=. */
static int add_valid_valgrind_option_return_1(struct cl_run_options *p,
					      char *option)
{
	const char *why = NULL;

	if (option[0] != '-')
		why = "an option of Valgrind's begins with '-'";
	else if (!strncmp(option, "--tool=", 7))
		why = "the tool is Alleria's own";
	if (!why) {
		p->valgrind_options[p->n_valgrind_options++] = option;
		return 1;
	}
	al_message_return_einval(p->message, "'--vg=%.100s': %s", option, why);
	return -1;
}

/* Parse and store --trace-children=yes|no or --vg=OPTION. Return: 1: stored; 0:
   @arg is another option; -1 with a message: its value is wrong or missing, or
   another option begins with --trace-children. */
static int try_parse_trace_children_or_vg(struct cl_run_options *p, char *arg)
{
	if (!strcmp(arg, "--trace-children=yes") ||
	    !strcmp(arg, "--trace-children=no")) {
		p->trace_children = arg;
		return 1;
	}
	if (!strncmp(arg, "--trace-children", 16)) {
		al_message_return_einval(
			p->message,
			"'%.100s': give --trace-children=yes or "
			"--trace-children=no",
			arg);
		return -1;
	}
	return strncmp(arg, "--vg=", 5)
		       ? 0
		       : add_valid_valgrind_option_return_1(p, arg + 5);
}

static int parse_one_option_return_0_or_minus_1(struct cl_run_options *p,
						char *arg)
{
	const char *own[MAX_OWN_OPTIONS + 4] = {"--trace-children", "--vg",
						"--help", NULL};
	int rc = p->parse_own_option ? p->parse_own_option(p, arg) : 0;

	for (size_t i = 0; p->own_options && i < MAX_OWN_OPTIONS; i++) {
		own[3 + i] = p->own_options[i];
		if (!p->own_options[i])
			break;
	}
	if (rc == 0)
		rc = try_parse_trace_children_or_vg(p, arg);
	if (rc == 0)
		rc = al_options_try_parse_argument(p->options, arg, p->message);
	if (rc == 0)
		rc = al_options_report_unknown(arg, own, p->message);
	return rc == 1 ? 0 : -1;
}

int cl_run_options_parse_and_set_program(struct cl_run_options *p, int argc,
					 char **argv)
{
	char path[PATH_MAX];
	int i;

	for (i = 0; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--")) {
			i++;
			break;
		}
		if (parse_one_option_return_0_or_minus_1(p, argv[i]))
			return -1;
	}
	p->program = argv + i;
	if (i == argc) {
		snprintf(p->message, sizeof(p->message),
			 "no program given: alleria %s [options] PROGRAM "
			 "[ARGS...]",
			 p->name);
		return -1;
	}
	if (!cl_find_program_in_path(p->program[0], path))
		al_replace_protect_input(path);
	p->settings = al_options_finish(p->options, p->message);
	return p->settings ? 0 : -1;
}

int cl_run_find_programs(struct cl_run_options *p,
			 char *tool_path_without_platform_out)
{
	char path[PATH_MAX];
	int err = cl_find_program_in_path(p->program[0], path);

	if (err) {
		al_message_return_einval(p->message, "cannot run '%.200s': %s",
					 p->program[0], strerror(-err));
		return -1;
	}
	if (cl_find_program_in_path("valgrind", path)) {
		snprintf(p->message, sizeof(p->message),
			 "cannot find 'valgrind' in PATH; on Debian: apt-get "
			 "install valgrind");
		return -1;
	}
	/* A shell sets $_ to the path of the command that it runs. If $_ is
	   set, set it to the path of valgrind, as `valgrind PROGRAM` in a shell
	   would: the program then has the same initial stack, byte by byte, and
	   the same cache misses. */
	if (getenv("_"))
		setenv("_", path, 1);
	if (cl_find_tool_without_platform(tool_path_without_platform_out)) {
		snprintf(p->message, sizeof(p->message),
			 "cannot find the Valgrind tool '%.300s-amd64-linux'",
			 tool_path_without_platform_out);
		return -1;
	}
	return 0;
}

/* Return how many ".." lead from the directory of Valgrind's tools to "/": the
   number of '/' in the resolved path of $VALGRIND_LIB, but at least MIN_LEVELS,
   which is also enough for /usr/libexec/valgrind. A ".." too many stays at
   "/". */
static int count_valgrind_lib_path_levels(void)
{
	const char *lib = getenv("VALGRIND_LIB");
	char path[PATH_MAX];
	int n = 0;

	if (lib != NULL && realpath(lib, path) != NULL)
		for (const char *s = path; *s != '\0'; s++)
			n += *s == '/';
	return n > MIN_LEVELS ? n : MIN_LEVELS;
}

/* Write "--tool=../../..", with a ".." for each level up to "/", and @tool_path
   to @out. Valgrind puts the directory of its tools before the name of a tool,
   so the ".." lead from there to @tool_path. */
static void format_tool_option_as_dot_dots_and_path(char *out, size_t out_size,
						    const char *tool_path)
{
	size_t used = (size_t)snprintf(out, out_size, "--tool=..");

	for (int i = count_valgrind_lib_path_levels();
	     i > 1 && used + 3 < out_size; i--)
		used += (size_t)snprintf(out + used, out_size - used, "/..");
	snprintf(out + used, out_size - used, "%s", tool_path);
}

char **cl_run_options_build_valgrind_argv(struct cl_run_options *p,
					  const char *tool_path,
					  const char *socket_path)
{
	size_t i, n = 0, n_program = 0;
	char **argv;

	while (p->program[n_program])
		n_program++;
	format_tool_option_as_dot_dots_and_path(
		p->tool_argument, sizeof(p->tool_argument), tool_path);
	snprintf(p->socket_argument, sizeof(p->socket_argument),
		 "--alleria-socket=%s", socket_path);
	argv = calloc(OUR_ARGUMENTS + p->n_valgrind_options + n_program + 1,
		      sizeof(*argv));
	if (!argv)
		return NULL;
	argv[n++] = (char *)"valgrind";
	argv[n++] = (char *)"-q";
	argv[n++] = p->tool_argument;
	argv[n++] = p->socket_argument;
	if (p->trace_children)
		argv[n++] = (char *)p->trace_children;
	for (i = 0; i < p->n_valgrind_options; i++)
		argv[n++] = p->valgrind_options[i];
	argv[n++] = (char *)"--";
	for (i = 0; i < n_program; i++)
		argv[n++] = p->program[i];
	return argv;
}

bool cl_run_options_has_help_before_program(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--"))
			return false;
		if (al_options_is_help_option(argv[i]))
			return true;
	}
	return false;
}
