/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.c - alleria diff: compares two runs
 *
 * Threads: main.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/atomic_file.h"
#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "cli/commands/commands.h"
#include "cli/commands/diff.h"
#include "cli/commands/git_sources.h"
#include "lib/diff/limit_file.h"
#include "lib/diff/output.h"

enum { DEFAULT_TOP = 10, MAX_TOP = 1000000 };

const char cl_diff_help[] =
	"usage: alleria diff [options] A B\n"
	"\n"
	"Compares two runs: settings that differ, totals, functions, lines and "
	"data\n"
	"objects. A and B are JSON reports, profiles, which are replayed, or\n"
	"cachegrind.out files; or two folders of such files, of which those "
	"with equal\n"
	"names are compared.\n"
	"\n"
	"  --json=FILE         write the comparison as JSON; '-': standard "
	"output\n"
	"  --markdown=FILE     print it as Markdown, for a comment on a "
	"change\n"
	"  --html=FILE         write it as a web page with both runs\n"
	"  --github            print annotations for a GitHub workflow\n"
	"  --top=N             rows of each table [10]\n"
	"  --fail-if=LIMIT     exit with 3 if LIMIT is exceeded; quote it: "
	"'Ir>+0.1%',\n"
	"                      'DLmr@function=main>0', 'D1mr>8000000'; may be "
	"repeated\n"
	"  --limits=FILE.yaml  limits from a file, under 'limits:'\n"
	"  --exit-code         exit with 1 if a count differs\n"
	"  --anyway            compare even if settings differ that make "
	"counts\n"
	"                      incomparable\n"
	"  --force             outputs may replace profiles and programs\n"
	"  --source-a=DIR      folder of A's source files that have changed "
	"since\n"
	"  --source-b=DIR      folder of B's\n"
	"  --git=A..B          read source files that have changed from these\n"
	"                      revisions of the Git repository of this "
	"folder;\n"
	"                      --git=A: A's only\n"
	"  --I1=S,A,L          caches for profiles [those of the other "
	"input]:\n"
	"  --D1=S,A,L          size, associativity and line in bytes\n"
	"  --L2=S,A,L\n"
	"  --LL=S,A,L\n"
	"  --cache=FILE        file with the caches\n"
	"  --help\n";

/* Return the VALUE of @arg if it is "NAME=VALUE" with @name as NAME and a VALUE
   that is not empty; else NULL. */
static const char *value_if_named_option_nonempty_or_null(const char *arg,
							  const char *name)
{
	size_t n = strlen(name);

	return !strncmp(arg, name, n) && arg[n] == '=' && arg[n + 1]
		       ? arg + n + 1
		       : NULL;
}

/* Whether @arg is one of the options for caches, with a value, that are passed
   to the replay of a profile. */
static bool is_cache_option_with_value(const char *arg)
{
	static const char *const name[] = {"--I1", "--D1", "--L2", "--LL",
					   "--cache"};

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (value_if_named_option_nonempty_or_null(arg, name[i]))
			return true;
	return false;
}

static int parse_and_set_top_row_count(struct cl_diff_request *q,
				       const char *top_option_value)
{
	if (!al_number_parse_digits_only(top_option_value, &q->top) &&
	    q->top > 0 && q->top <= MAX_TOP)
		return 0;
	return al_message_return_einval(q->message,
					"'--top=%.60s' is not 1 to %d",
					top_option_value, MAX_TOP);
}

static int parse_git_revisions(struct cl_diff_request *q, const char *revisions)
{
	return cl_git_sources_parse_revisions(&q->git, revisions, q->message);
}

static int add_limit(struct cl_diff_request *q, const char *limit)
{
	return al_diff_limits_parse_and_add(&q->limits, limit, q->message);
}

static int add_limits_from_file(struct cl_diff_request *q, const char *path)
{
	return al_diff_limits_add_from_file(&q->limits, path, q->message);
}

static int check_and_set_source_folder(struct cl_diff_request *q, int side,
				       const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return al_message_return_einval(
			q->message, "'--source-%c=%.200s' is not a folder",
			'a' + side, path);
	q->source_folder[side] = path;
	return 0;
}

static int set_source_folder_a(struct cl_diff_request *q, const char *path)
{
	return check_and_set_source_folder(q, 0, path);
}

static int set_source_folder_b(struct cl_diff_request *q, const char *path)
{
	return check_and_set_source_folder(q, 1, path);
}

static int add_and_protect_input_path(struct cl_diff_request *q,
				      const char *arg)
{
	if (q->n_paths == 2)
		return al_message_return_einval(
			q->message, "'%.200s': two runs are compared, no more",
			arg);
	q->path[q->n_paths++] = arg;
	al_replace_protect_input(arg);
	return 0;
}

static int parse_flag_or_reject_option(struct cl_diff_request *q,
				       const char *arg)
{
	static const char *const own[] = {
		"--json",     "--markdown",  "--github", "--top",   "--fail-if",
		"--limits",   "--exit-code", "--anyway", "--force", "--I1",
		"--D1",	      "--L2",	     "--LL",	 "--cache", "--help",
		"--source-a", "--source-b",  "--git",	 "--html",  NULL};

	if (!strcmp(arg, "--github"))
		q->github = true;
	else if (!strcmp(arg, "--exit-code"))
		q->exit_code = true;
	else if (!strcmp(arg, "--anyway"))
		q->anyway = true;
	else if (!strcmp(arg, "--force"))
		al_replace_allow_profile_or_elf(true);
	else
		return al_suggest_and_report_bad_option(arg, own, q->message);
	return 0;
}

/* Parse @arg if it is an option of diff itself with a value. Return: 0;
   -ENOENT: it is not such an option; -EINVAL with a message. */
static int parse_value_option_or_return_enoent(struct cl_diff_request *q,
					       const char *arg)
{
	const struct {
		const char *name;
		const char **text; /* receives the value; NULL: see parse */
		int (*parse)(struct cl_diff_request *, const char *value);
	} options[] = {
		{"--json", &q->json, NULL},
		{"--markdown", &q->markdown, NULL},
		{"--html", &q->html, NULL},
		{"--top", NULL, parse_and_set_top_row_count},
		{"--source-a", NULL, set_source_folder_a},
		{"--source-b", NULL, set_source_folder_b},
		{"--git", NULL, parse_git_revisions},
		{"--fail-if", NULL, add_limit},
		{"--limits", NULL, add_limits_from_file},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *value = value_if_named_option_nonempty_or_null(
			arg, options[i].name);

		if (value && options[i].parse)
			return options[i].parse(q, value);
		if (value) {
			*options[i].text = value;
			return 0;
		}
	}
	return -ENOENT;
}

static int parse_option_or_path(struct cl_diff_request *q, char *arg)
{
	int err;

	if (arg[0] != '-')
		return add_and_protect_input_path(q, arg);
	err = parse_value_option_or_return_enoent(q, arg);
	if (err != -ENOENT)
		return err;
	if (!is_cache_option_with_value(arg) ||
	    q->n_replay_options == CL_DIFF_MAX_OPTIONS)
		return parse_flag_or_reject_option(q, arg);
	q->replay_option[q->n_replay_options++] = arg;
	return 0;
}

static int parse_arguments(struct cl_diff_request *q, int argc, char **argv)
{
	int err = 0;

	q->top = DEFAULT_TOP;
	for (int i = 0; !err && i < argc; i++)
		err = parse_option_or_path(q, argv[i]);
	if (!err && q->n_paths < 2)
		err = al_message_return_einval(q->message,
					       "two runs are compared: alleria "
					       "diff [options] A B");
	if (!err && q->json && q->markdown && !strcmp(q->json, "-") &&
	    !strcmp(q->markdown, "-"))
		err = al_message_return_einval(
			q->message, "--json and --markdown cannot both be '-'");
	if (!err && q->html && !strcmp(q->html, "-"))
		err = al_message_return_einval(q->message,
					       "a page is a file: not "
					       "'--html=-'");
	if (!err && *q->git.revision[0] &&
	    (q->source_folder[0] || q->source_folder[1]))
		err = al_message_return_einval(
			q->message,
			"--git and --source-a or --source-b both name "
			"sources: give one");
	return err;
}

/* ---- outputs ---- */

struct writer {
	void (*write)(const struct al_diff_report *, FILE *);
	const struct al_diff_report *report;
};

static int write_report_and_flush(void *writer, FILE *file)
{
	const struct writer *w = writer;

	errno = 0;
	w->write(w->report, file);
	if (fflush(file) || ferror(file))
		return errno ? -errno : -EIO;
	return 0;
}

/* Write @report by @write to the file @path; do nothing if @path is NULL.
   Return: 0; -EINVAL with a message. */
static int
save_report_if_path_given(struct cl_diff_request *q, const char *path,
			  void (*write)(const struct al_diff_report *, FILE *),
			  const struct al_diff_report *report)
{
	struct writer w = {write, report};
	int err = path ? al_file_write_atomically(path, write_report_and_flush,
						  &w)
		       : 0;

	return err ? al_message_return_einval(
			     q->message, "cannot write '%.300s': %s", path,
			     al_replace_output_file_error_text(err))
		   : 0;
}

/* Append the comparison as Markdown to the file that $GITHUB_STEP_SUMMARY
   names; GitHub shows it with the step of a workflow. Do nothing if the
   variable is not set or the file cannot be opened. */
static void
append_markdown_to_github_step_summary(const struct al_diff_report *r)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	FILE *file = path && *path ? fopen(path, "ae") : NULL;

	if (file == NULL)
		return;
	al_diff_write_markdown(r, file);
	fclose(file);
}

static bool is_path_dash(const char *path)
{
	return path && !strcmp(path, "-");
}

static int print_report_and_save_requested_files(struct cl_diff_request *q,
						 const struct al_diff_report *r)
{
	bool taken = q->to_stderr || is_path_dash(q->json) ||
		     is_path_dash(q->markdown);
	int err;

	al_diff_write_text(r, taken ? stderr : stdout);
	if (q->github) {
		al_diff_write_github_limits_and_lines(r,
						      taken ? stderr : stdout);
		append_markdown_to_github_step_summary(r);
	}
	fflush(stdout);
	err = save_report_if_path_given(q, q->json, al_diff_write_json, r);
	if (!err)
		err = save_report_if_path_given(q, q->markdown,
						al_diff_write_markdown, r);
	return err || !q->html ? err : cl_diff_save_page(q, r);
}

static bool has_exceeded_limit(const struct al_diff_limits *l)
{
	bool exceeded = false;

	for (size_t i = 0; i < l->n; i++)
		exceeded |= l->limit[i].exceeded;
	return exceeded;
}

static unsigned choose_exit_status(const struct cl_diff_request *q,
				   const struct al_diff *d)
{
	if (d->comparable == AL_DIFF_NOT_COMPARABLE && !q->anyway)
		return CL_NOT_COMPARABLE;
	if (has_exceeded_limit(&q->limits))
		return CL_LIMIT_EXCEEDED;
	return q->exit_code && al_diff_any_count_differs(d) ? CL_DIFFERENT : 0;
}

/* Print on standard error each reason why the runs are not comparable, and a
   hint that --anyway compares them. */
static void print_obstacles_and_anyway_hint(const struct al_diff *d)
{
	char message[AL_MESSAGE];

	for (size_t i = 0; i < d->obstacles.n; i++) {
		al_message_return_einval(message, "%.400s",
					 d->obstacles.text[i]);
		fprintf(stderr, "alleria: not comparable: %s\n", message);
	}
	fputs("alleria: --anyway compares all the same\n", stderr);
}

/* Print the comparison, and save the requested files. If the runs are not
   comparable, print why instead and save only the JSON, unless --anyway is
   given. Return: the exit status; -EINVAL with a message. */
static int write_outputs_get_exit_status(struct cl_diff_request *q,
					 const struct al_diff *d, void *unused)
{
	struct al_diff_report r = {.diff = d, .top = q->top};
	int err;

	(void)unused;
	if (d->comparable == AL_DIFF_NOT_COMPARABLE && !q->anyway) {
		print_obstacles_and_anyway_hint(d);
		r.status = CL_NOT_COMPARABLE;
		err = save_report_if_path_given(q, q->json, al_diff_write_json,
						&r);
	} else {
		err = al_diff_limits_evaluate_all(&q->limits, d, q->message);
		r.limit = q->limits.limit;
		r.n_limits = q->limits.n;
		r.status = choose_exit_status(q, d);
		if (!err)
			err = print_report_and_save_requested_files(q, &r);
	}
	return err ? err : (int)r.status;
}

/* Compare the two inputs, and call @use with the comparison, which is released
   after the call, and with @argument. Return: the result of @use; -EINVAL with
   a message: out of memory. */
static int compare_loaded_inputs_and_call_use(
	struct cl_diff_request *q, struct cl_diff_inputs *loaded_inputs,
	int (*use)(struct cl_diff_request *, const struct al_diff *, void *),
	void *argument)
{
	struct al_diff d;
	int status;

	if (al_diff_compare(&d, &loaded_inputs->input[0],
			    &loaded_inputs->input[1], &loaded_inputs->strings))
		return al_message_return_einval(q->message, "out of memory");
	status = use(q, &d, argument);
	al_diff_release(&d);
	return status;
}

int cl_diff_read_compare_and_call_use(
	struct cl_diff_request *q, const char *const path[2],
	int (*use)(struct cl_diff_request *, const struct al_diff *, void *),
	void *argument)
{
	struct cl_diff_inputs in;
	int status = cl_diff_inputs_read_or_replay(
		&in, path, q->replay_option, q->n_replay_options, q->message);

	in.input[1].label = q->to_stderr ? "this run" : NULL;
	for (int side = 0; !status && side < 2; side++) {
		in.input[side].source_folder = q->source_folder[side];
		status = cl_git_sources_extract_revision_if_given(
			&q->git, side, &in.input[side], q->message);
	}
	if (!status)
		status = compare_loaded_inputs_and_call_use(q, &in, use,
							    argument);
	cl_git_sources_delete_temp_folders(&q->git);
	cl_diff_inputs_release(&in);
	return status;
}

/* Compare two runs or two folders of them. Return: the exit status; -EINVAL
   with a message. */
static int compare_runs_or_folders_get_status(struct cl_diff_request *q)
{
	struct stat st;
	bool folder[2];

	for (int side = 0; side < 2; side++)
		folder[side] =
			stat(q->path[side], &st) == 0 && S_ISDIR(st.st_mode);
	if (folder[0] != folder[1])
		return al_message_return_einval(
			q->message, "'%.200s' is a folder, '%.200s' is not",
			q->path[folder[1]], q->path[folder[0]]);
	if (folder[0] && q->html)
		return al_message_return_einval(
			q->message,
			"'--html=%.200s' is for two runs, not for "
			"folders",
			q->html);
	return folder[0] ? cl_diff_compare_folders_and_print(q)
			 : cl_diff_read_compare_and_call_use(
				   q, q->path, write_outputs_get_exit_status,
				   NULL);
}

static int parse_and_compare_runs_get_status(int argc, char **argv,
					     bool to_stderr)
{
	struct cl_diff_request q = {.to_stderr = to_stderr};
	int status = parse_arguments(&q, argc, argv)
			     ? -EINVAL
			     : compare_runs_or_folders_get_status(&q);

	if (status < 0) {
		fprintf(stderr, "alleria: %s\n", q.message);
		status = CL_WRONG_USAGE;
	}
	al_diff_limits_release(&q.limits);
	return status;
}

int cl_diff_compare_runs_to_stderr(int argc, char **argv)
{
	return parse_and_compare_runs_get_status(argc, argv, true);
}

int cl_diff_compare_runs(int argc, char **argv)
{
	return parse_and_compare_runs_get_status(argc, argv, false);
}
