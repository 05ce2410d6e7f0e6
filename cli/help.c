/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help.c - alleria help: lists the commands, or shows the page of one
 *
 * Threads: main.
 */
#include "cli/help.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/display_options.h"
#include "cli/args/exit_status.h"
#include "cli/args/find_program.h"
#include "cli/command_list.h"

const char cl_help_help[] = "usage: alleria help [COMMAND]\n"
			    "\n"
			    "Lists the commands with an example of each. With "
			    "COMMAND, shows its manual\n"
			    "page; or its options, if standard output is not a "
			    "terminal or the page or\n"
			    "man(1) is not installed.\n"
			    "\n"
			    "  --help\n";

void cl_help_print_command_list(FILE *out)
{
	cl_commands_print_list_by_group(out, false);
	fprintf(out,
		"\n%s"
		"\n'alleria help' shows an example of each command, 'alleria "
		"help COMMAND'\nits manual page.\n",
		cl_display_options_help);
}

int cl_help_report_unknown_command(const char *name)
{
	const char *near = cl_command_nearest_name_or_null(name);

	fprintf(stderr, "alleria: unknown command '%s'; ", name);
	if (near)
		fprintf(stderr, "did you mean '%s'?\n", near);
	else
		fputs("see 'alleria --help'\n", stderr);
	return CL_WRONG_USAGE;
}

/* Find the manual page of a command in the installation or the build tree that
   contains this program. @path_out: [PATH_MAX] receives its path. Return:
   whether there is a readable one. */
static bool find_readable_manual_page(const char *command_name, char *path_out)
{
	static const char *const before[] = {"share/man/man1", "share/man/man1",
					     "doc/man", "../doc/man"};
	static const char *const after[] = {".1", ".1.gz", ".1", ".1"};
	char root[PATH_MAX];

	if (!cl_find_install_root(root))
		return false;
	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (snprintf(path_out, PATH_MAX, "%s/%s/alleria-%s%s", root,
			     before[i], command_name, after[i]) < PATH_MAX &&
		    access(path_out, R_OK) == 0)
			return true;
	return false;
}

static int exec_man_on_tty_or_print_help(const struct cl_command *c)
{
	char page[PATH_MAX], man[PATH_MAX];

	if (isatty(STDOUT_FILENO) && !cl_find_program_in_path("man", man) &&
	    find_readable_manual_page(c->name, page)) {
		execl(man, "man", page, (char *)NULL);
		fprintf(stderr, "alleria: cannot run 'man'\n");
	}
	cl_command_print_help(c, stdout);
	return 0;
}

int cl_help_print_commands_or_page(int argc, char **argv)
{
	const struct cl_command *c;

	if (argc == 0) {
		cl_commands_print_list_by_group(stdout, true);
		return 0;
	}
	if (argc > 1) {
		fprintf(stderr, "alleria: give one command: alleria help "
				"COMMAND\n");
		return CL_WRONG_USAGE;
	}
	c = cl_command_find(argv[0]);
	return c ? exec_man_on_tty_or_print_help(c)
		 : cl_help_report_unknown_command(argv[0]);
}
