/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - alleria report: writes reports and profiles as a web page
 *
 * Threads: main.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/system/atomic_file.h"
#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "cli/args/display_options.h"
#include "cli/args/open_page.h"
#include "cli/commands/commands.h"
#include "cli/commands/diff.h"
#include "cli/commands/replay.h"
#include "lib/config/editor_url.h"
#include "lib/config/options.h"
#include "lib/report/html/page.h"
#include "lib/report/report.h"
#include "lib/run/run.h"

enum { MAX_INPUTS = 16, MAX_REPLAY_OPTIONS = 64 };

const char cl_report_help[] =
	"usage: alleria report INPUT... -o FILE [options]\n"
	"\n"
	"Writes a web page, one file that loads nothing. INPUT is a JSON "
	"report or a\n"
	"profile, which is replayed with the options of 'alleria replay'. Each "
	"further\n"
	"input adds the analyses that those before it lack.\n"
	"\n"
	"  -o FILE                 write the page to FILE\n"
	"  --rows=all              all rows of all tables, for a page of any "
	"size [as\n"
	"                          many as fit into 1 MB]\n"
	"  --no-source             no lines of source files\n"
	"  --editor-url=URL        links to an editor: URL has {path} and may "
	"have {line}\n"
	"                          [none]\n"
	"  --open                  open the page in a browser\n"
	"  --help\n";

/* Arguments of the command, and the JSON of the inputs. */
struct request {
	const char *path[MAX_INPUTS];
	struct al_page_input input[MAX_INPUTS]; /* [n] */
	size_t n;
	const char *output;
	struct al_page_options page;
	char *replay_option[MAX_REPLAY_OPTIONS];
	size_t n_replay_options;
	bool has_profile;
	bool opens_page;
	bool is_damaged;	  /* a part of a profile is damaged */
	int incomplete_exit_code; /* requested exit status, because the run of a
				     profile is incomplete; 0: none */
	char message[AL_MESSAGE];
};

/* ---- inputs ---- */

/* Read the whole file @path into memory, with a NUL at the end. Return: 0;
   -EINVAL with a message. */
static int read_json_file_into_page_input(struct request *q, const char *path,
					  struct al_page_input *input)
{
	FILE *in = fopen(path, "re"), *out = NULL;
	char *text = NULL, block[1 << 16];
	int err = in == NULL ? errno : 0;
	size_t n;

	if (!err && (out = open_memstream(&text, &input->bytes)) == NULL)
		err = errno;
	while (!err && (n = fread(block, 1, sizeof(block), in)) > 0)
		fwrite(block, 1, n, out);
	if (!err && ferror(in))
		err = errno ? errno : EIO;
	if (in != NULL)
		fclose(in);
	if (out != NULL && fclose(out) != 0 && !err)
		err = ENOMEM;
	input->text = text;
	return err ? al_message_return_einval(q->message,
					      "cannot read '%.300s': %s", path,
					      strerror(err))
		   : 0;
}

/* The request, and the input that a replay fills. */
struct replayed_input {
	struct request *request;
	struct al_page_input *input;
};

/* Write the JSON report of a replayed run to memory, and update
   request->incomplete_exit_code. If memory is short, input->text stays NULL. */
static void store_run_json_and_exit_code(void *replayed_input,
					 struct al_run *run)
{
	struct request *q = ((struct replayed_input *)replayed_input)->request;
	struct al_page_input *i =
		((struct replayed_input *)replayed_input)->input;
	char *text = NULL;
	FILE *f = open_memstream(&text, &i->bytes);

	if (q->incomplete_exit_code == 0)
		q->incomplete_exit_code = al_run_incomplete_exit_code_or_0(run);
	if (f == NULL)
		return;
	if (al_report_write_json(run, f) | fclose(f)) {
		free(text);
		text = NULL;
	}
	i->text = text;
}

/* Whether the user chose the analyses of a replay: by name, or by a cache file,
   which can request a sweep. */
static bool has_chosen_analyses(const struct request *q)
{
	for (size_t i = 0; i < q->n_replay_options; i++)
		if (!strncmp(q->replay_option[i], "--analyze=", 10) ||
		    !strncmp(q->replay_option[i], "--cache=", 8))
			return true;
	return false;
}

/* Replay the profile @path, by default with the analyses that a page draws.
   Return: 0; -EINVAL with a message in q->message, which is empty if the replay
   has printed one. */
static int replay_profile_into_page_input(struct request *q, const char *path,
					  struct al_page_input *input)
{
	static char cache[] = "--analyze=cache",
		    timeline[] = "--analyze=timeline:heat=yes";
	char *argv[MAX_REPLAY_OPTIONS + 4];
	struct replayed_input r = {q, input};
	int argc = 0, status;

	argv[argc++] = (char *)path;
	for (size_t i = 0; i < q->n_replay_options; i++)
		argv[argc++] = q->replay_option[i];
	if (!has_chosen_analyses(q)) {
		argv[argc++] = cache;
		argv[argc++] = timeline;
	}
	argv[argc] = NULL;
	status = cl_replay_and_read_run(argc, argv,
					store_run_json_and_exit_code, &r);
	q->is_damaged |= status == CL_DAMAGED;
	if (status < CL_WRONG_USAGE && input->text != NULL)
		return 0;
	if (status >= CL_WRONG_USAGE) { /* the replay printed a message */
		*q->message = '\0';
		return -EINVAL;
	}
	return al_message_return_einval(q->message, "cannot replay '%.300s'",
					path);
}

static int read_or_replay_inputs(struct request *q)
{
	int err = 0;

	for (size_t i = 0; i < q->n && !err; i++) {
		const char *path = q->path[i];

		q->input[i].name = path;
		err = cl_diff_has_profile_magic(path)
			      ? replay_profile_into_page_input(q, path,
							       &q->input[i])
			      : read_json_file_into_page_input(q, path,
							       &q->input[i]);
	}
	return err;
}

/* ---- arguments ---- */

static int add_and_protect_page_input_path(struct request *q, const char *path)
{
	if (q->n == MAX_INPUTS)
		return al_message_return_einval(q->message,
						"more than %d inputs, from "
						"'%.100s'",
						MAX_INPUTS, path);
	q->path[q->n++] = path;
	q->has_profile |= cl_diff_has_profile_magic(path);
	al_replace_protect_input(path);
	return 0;
}

static int add_replay_option(struct request *q, char *arg)
{
	if (q->n_replay_options == MAX_REPLAY_OPTIONS)
		return al_message_return_einval(
			q->message, "more than %d options", MAX_REPLAY_OPTIONS);
	q->replay_option[q->n_replay_options++] = arg;
	return 0;
}

/* Parse argument @argv[0], with its value in @argv[1] if it is -o, and set
   @used to the number of parsed arguments. Return: 0; -EINVAL with a
   message. */
static int parse_argument(struct request *q, char **argv, int *used)
{
	const char *arg = argv[0];

	*used = 1;
	if (strcmp(arg, "-o") == 0) {
		q->output = argv[1];
		*used = 2;
		return q->output ? 0
				 : al_message_return_einval(
					   q->message,
					   "'-o' needs a value: -o FILE");
	}
	if (strcmp(arg, "--rows=all") == 0)
		q->page.all_rows = true;
	else if (strncmp(arg, "--rows", 6) == 0)
		return al_message_return_einval(
			q->message, "'%.100s': give --rows=all", arg);
	else if (strcmp(arg, "--no-source") == 0)
		q->page.no_source = true;
	else if (strcmp(arg, "--open") == 0)
		q->opens_page = true;
	else if (strncmp(arg, "--editor-url=", 13) == 0)
		return al_editor_url_check(q->page.editor_url = arg + 13,
					   q->message);
	else if (arg[0] == '-')
		return add_replay_option(q, argv[0]);
	else
		return add_and_protect_page_input_path(q, arg);
	return 0;
}

/* Check that there are inputs and an output, and that options for a replay have
   a profile to be replayed. */
static int check_arguments(struct request *q)
{
	static const char *const own[] = {"--rows",	  "--no-source",
					  "--editor-url", "--open",
					  "--help",	  NULL};

	if (q->n == 0 || q->output == NULL)
		return al_message_return_einval(
			q->message, "give %s: alleria report INPUT... -o FILE",
			q->n ? "the page" : "an input");
	if (strcmp(q->output, "-") == 0)
		return al_message_return_einval(q->message,
						"a page is a file: not '-o -'");
	if (q->n_replay_options == 0 || q->has_profile)
		return 0;
	if (strncmp(q->replay_option[0], "--", 2) == 0 &&
	    strchr(q->replay_option[0], '=') != NULL)
		return al_message_return_einval(
			q->message,
			"'%.100s' is for the replay of a profile, and no "
			"input is one",
			q->replay_option[0]);
	return al_options_report_unknown(q->replay_option[0], own, q->message);
}

static int parse_arguments(struct request *q, int argc, char **argv)
{
	int err = 0, used;

	for (int i = 0; i < argc && !err; i += used)
		err = parse_argument(q, argv + i, &used);
	return err ? err : check_arguments(q);
}

/* ---- the page ---- */

static int write_page(void *request, FILE *file)
{
	struct request *q = request;

	return al_page_write_report(q->input, q->n, &q->page, file, q->message);
}

static int save_page(struct request *q)
{
	struct stat st;
	int err;

	*q->message = '\0';
	err = al_file_write_atomically(q->output, write_page, q);
	if (err && !*q->message)
		return al_message_return_einval(
			q->message, "cannot write '%.300s': %s", q->output,
			al_replace_output_file_error_text(err));
	if (!err && !cl_is_quiet() && stat(q->output, &st) == 0)
		fprintf(stderr, "alleria: wrote '%s', %.0f kB\n", q->output,
			(double)st.st_size / 1e3);
	if (!err && q->opens_page)
		cl_open_page(q->output);
	return err;
}

int cl_report_write_page(int argc, char **argv)
{
	struct request q = {.n = 0};
	int err = parse_arguments(&q, argc, argv);

	if (!err)
		err = read_or_replay_inputs(&q);
	if (!err)
		err = save_page(&q);
	for (size_t i = 0; i < q.n; i++)
		free((char *)q.input[i].text);
	if (err) {
		if (*q.message)
			fprintf(stderr, "alleria: %s\n", q.message);
		return CL_WRONG_USAGE;
	}
	if (q.incomplete_exit_code)
		return q.incomplete_exit_code;
	return q.is_damaged ? CL_DAMAGED : 0;
}
