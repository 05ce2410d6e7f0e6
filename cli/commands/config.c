/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.c - alleria config: explains window files and allocator files, and
 *            prints the schema of window files
 *
 * Threads: main.
 */
#include "cli/commands/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/suggest.h"
#include "base/text/yaml.h"
#include "cli/commands/commands.h"
#include "lib/config/allocator_file.h"
#include "lib/config/options.h"
#include "lib/config/window/explain/explain.h"
#include "lib/config/window/only_window.h"
#include "lib/config/window/windows.h"

const char cl_config_help[] =
	"usage: alleria config check FILE\n"
	"       alleria config check --only=FUNCTION[@IMAGE] [--calls=A-B]\n"
	"       alleria config schema\n"
	"\n"
	"check describes in words what the window file FILE records and when, "
	"or its\n"
	"first error; or the functions of an allocator file, which "
	"--allocators "
	"takes.\n"
	"With the options of `alleria run` in place of FILE, it prints the "
	"window file to\n"
	"which they are equal. schema prints a JSON schema of window files, "
	"for "
	"editors.\n"
	"\n"
	"  --only=FUNCTION[@IMAGE]\n"
	"  --calls=A-B\n"
	"  --help\n";

/* Print a description of @w in words to standard output, each line as a comment
   of a window file: "# ...". Return: 0; -ENOMEM. */
static int print_explanation_as_comments(const struct al_windows *w)
{
	char *words = NULL, *rest, *line;
	size_t size;
	FILE *f = open_memstream(&words, &size);

	if (!f)
		return -ENOMEM;
	al_windows_explain(w, "This file", f);
	if (fclose(f)) {
		free(words);
		return -ENOMEM;
	}
	for (rest = words; (line = strsep(&rest, "\n")) && rest;)
		printf(*line ? "# %s\n" : "#\n", line);
	free(words);
	return 0;
}

/* Print the window file that is equivalent to the options --only=@only_value
   and --calls=@calls_value, after a description in comments. NULL: the option
   is not given. Return: 0; -EINVAL with @message. */
static int print_window_file_of_options(const char *only_value,
					const char *calls_value, char *message)
{
	struct al_windows *w;
	struct al_only only;
	char *text;
	int rc;

	if (al_only_parse_options(only_value, calls_value, &only, message))
		return -EINVAL;
	text = al_only_format_window_file(&only);
	if (!text)
		return al_message_return_einval(message, "out of memory");
	rc = al_windows_parse("--only", text, &w, message);
	if (!rc && print_explanation_as_comments(w))
		rc = al_message_return_einval(message, "out of memory");
	if (!rc)
		fputs(text, stdout);
	al_windows_free(w);
	free(text);
	return rc;
}

/* Remove --only=VALUE and --calls=VALUE from @argv, and store the values in
   *@only and *@calls. *@argc receives the number of arguments that remain in
   @argv. Return: 0; -EINVAL with @message if there is another option. */
static int extract_only_and_calls(int *argc, char **argv, const char **only,
				  const char **calls, char *message)
{
	int n = 0;

	for (int i = 0; i < *argc; i++) {
		if (argv[i][0] != '-')
			argv[n++] = argv[i];
		else if (!strncmp(argv[i], "--only=", 7))
			*only = argv[i] + 7;
		else if (!strncmp(argv[i], "--calls=", 8))
			*calls = argv[i] + 8;
		else
			return al_message_return_einval(
				message, "unknown option '%.100s'", argv[i]);
	}
	*argc = n;
	return 0;
}

/* Whether a map has a key of window files, or one that is similar. */
static bool is_like_window_file(const struct al_node *map)
{
	static const char *const keys[] = {"alleria", "version", "types",
					   "windows", NULL};

	for (const struct al_node *n = map->child; n; n = n->next)
		if (n->key && al_suggest_word(n->key->text, keys))
			return true;
	return false;
}

static int explain_allocator_file(const char *path, char *message)
{
	struct pt_allocators *a;
	uint32_t bytes;

	if (al_allocators_read_all(&path, 1, &a, &bytes, message))
		return -EINVAL;
	al_allocators_explain(a, path, stdout);
	free(a);
	return 0;
}

/* Describe the allocator file @path on standard output. If the file is neither
   an allocator file nor meant as a window file, set @message to that; if it is
   meant as a window file or is not YAML, leave @message as it is. Return: 0;
   -EINVAL. */
static int try_explain_allocator_file(const char *path, char *message)
{
	char yaml_message[AL_MESSAGE];
	struct al_node *root;
	bool is_list;

	if (al_yaml_read(path, &root, yaml_message))
		return -EINVAL;
	is_list = root->kind == AL_LIST;
	if (!is_list && !is_like_window_file(root))
		al_yaml_error_at_node(
			root, message,
			"neither a window file, which has 'windows', nor an "
			"allocator file, which is a list: "
			"'- {alloc: NAME, size: 0}'");
	al_yaml_free_with_siblings(root);
	return is_list ? explain_allocator_file(path, message) : -EINVAL;
}

static int explain_window_or_allocator_file(const char *path, char *message)
{
	struct al_windows *w;

	if (al_windows_read(path, &w, message))
		return try_explain_allocator_file(path, message);
	al_windows_explain(w, path, stdout);
	al_windows_free(w);
	return 0;
}

static int print_explanation_of_file_or_of_options(int argc, char **argv,
						   char *message)
{
	const char *only = NULL, *calls = NULL;

	if (extract_only_and_calls(&argc, argv, &only, &calls, message))
		return -EINVAL;
	if (!argc && (only || calls))
		return print_window_file_of_options(only, calls, message);
	if (argc && (only || calls))
		return al_message_return_einval(
			message, "a file and '--%s': give one or the other",
			only ? "only" : "calls");

	if (argc != 1)
		return al_message_return_einval(message,
						"give one file: alleria config "
						"check FILE");
	return explain_window_or_allocator_file(argv[0], message);
}

static int print_window_file_json_schema(int extra_argument_count,
					 char *message)
{
	if (extra_argument_count)
		return al_message_return_einval(
			message, "'alleria config schema' takes nothing");
	for (const char *c = cl_schema; *c; c++)
		putchar(*c == '\'' ? '"' : *c);
	return 0;
}

static int run_check_or_schema_subcommand(int argc, char **argv, char *message)
{
	static const char *const words[] = {"check", "schema", NULL};

	if (!argc)
		return al_message_return_einval(
			message, "'alleria config' check or schema?");
	if (!strcmp(argv[0], words[0]))
		return print_explanation_of_file_or_of_options(
			argc - 1, argv + 1, message);
	for (int i = 0; i < argc; i++)
		if (argv[i][0] == '-')
			return al_message_return_einval(
				message, "unknown option '%.100s'", argv[i]);
	if (!strcmp(argv[0], words[1]))
		return print_window_file_json_schema(argc - 1, message);
	return al_suggest_and_report_bad_word("unknown word", argv[0], words,
					      message);
}

int cl_config_check_file_or_print_schema(int argc, char **argv)
{
	char message[AL_MESSAGE];
	int err;

	err = run_check_or_schema_subcommand(argc, argv, message);
	if (!err)
		return 0;
	fprintf(stderr, "alleria: %s\n", message);
	return CL_WRONG_USAGE;
}
