/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env.c - alleria env: prints the shell variables that are needed to use this
   build or installation */
#include "cli/commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/find_program.h"

const char cl_env_help[] =
	"usage: eval \"$(alleria env)\"\n"
	"\n"
	"Prints the variables that are needed to use a build tree, or an "
	"installation in\n"
	"a folder of its own, for eval in a shell: PATH for the commands, "
	"VALGRIND_LIB\n"
	"for 'valgrind --tool=alleria', PYTHONPATH for 'import alleria'.\n"
	"\n"
	"  --help\n";

/* Print @text to standard output in single quotes, as one word of a POSIX
   shell. */
static void print_shell_quoted(const char *text)
{
	putchar('\'');
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	putchar('\'');
}

static void print_shell_export_line(const char *name, const char *value)
{
	printf("export %s=", name);
	print_shell_quoted(value);
	putchar('\n');
}

/* Print the shell command "export NAME=..." that puts @dir in front of the list
   of directories in variable @name, separated by ':'. */
static void print_shell_prepend_to_variable_line(const char *name,
						 const char *dir)
{
	printf("export %s=", name);
	print_shell_quoted(dir);
	printf("\"${%s:+:$%s}\"\n", name, name);
}

/* Write "@root/@file" to @path_out, [PATH_MAX]. Return: whether a file or
   directory exists there. */
static bool build_path_and_check_exists(char *path_out, const char *root,
					const char *file)
{
	return snprintf(path_out, PATH_MAX, "%s/%s", root, file) < PATH_MAX &&
	       access(path_out, F_OK) == 0;
}

static void print_build_tree_variables(const char *root)
{
	char path[PATH_MAX];

	if (build_path_and_check_exists(path, root, "libexec/valgrind"))
		print_shell_export_line("VALGRIND_LIB", path);
	if (build_path_and_check_exists(path, root, "share/alleria/python"))
		print_shell_prepend_to_variable_line("PYTHONPATH", path);
	if (build_path_and_check_exists(path, root,
					"liballeria/liballeria.so.0"))
		print_shell_export_line("ALLERIA_LIBRARY", path);
}

static void print_valgrind_lib_and_pythonpath(void)
{
	if (ALLERIA_VALGRINDDIR[0] &&
	    strcmp(ALLERIA_TOOLDIR, ALLERIA_VALGRINDDIR) != 0)
		print_shell_export_line("VALGRIND_LIB", ALLERIA_TOOLDIR);
	print_shell_prepend_to_variable_line("PYTHONPATH", ALLERIA_PYTHONDIR);
}

/* Print the lines that a shell evaluates. Return: exit status. */
static int print_shell_exports(void)
{
	char root[PATH_MAX], path[PATH_MAX];

	if (!cl_find_install_root(root)) {
		fprintf(stderr, "alleria: cannot find its own directory: %s\n",
			strerror(errno));
		return CL_WRONG_USAGE;
	}
	if (build_path_and_check_exists(path, root, "bin"))
		print_shell_prepend_to_variable_line("PATH", path);
	if (build_path_and_check_exists(path, root, "config.status"))
		print_build_tree_variables(root);
	else
		print_valgrind_lib_and_pythonpath();
	return 0;
}

int cl_env_print_shell_variables(int argc, char **argv)
{
	if (argc == 0)
		return print_shell_exports();
	fprintf(stderr, "alleria: 'env' takes no '%.100s'\n", argv[0]);
	return CL_WRONG_USAGE;
}
