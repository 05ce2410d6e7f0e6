/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output_targets.c - checks the files of results; see output_targets.h */

#include "lib/config/output_targets.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/blocking_output.h"
#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "lib/config/analyze_option.h"
#include "lib/config/output_file.h"
#include "lib/config/window/windows.h"

enum { MAX_TARGETS = AL_MAX_ANALYSES + 5 };

struct target {
	const char *result; /* name of the result that is written to `path`, for
			       messages */
	const char *path;
};

/* Set @dir to the directory of @path, with its slash; to "." if it names none.
   Return: the file name in @path. */
static const char *copy_dir_and_return_file_name(const char *path,
						 char dir[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	snprintf(dir, PATH_MAX, "%.*s", slash ? (int)(slash - path) + 1 : 1,
		 slash ? path : ".");
	return slash ? slash + 1 : path;
}

/* Return the errno with which opening @path for writing would fail; 0 if it
   would not. */
static int access_error_of_output(const char *path)
{
	char dir[PATH_MAX];
	struct stat st;
	int rc = stat(path, &st);

	if (rc < 0 && errno == ENAMETOOLONG)
		return ENAMETOOLONG;
	if (rc == 0 && S_ISDIR(st.st_mode))
		return EISDIR;
	if (rc == 0 && al_is_stdout_or_special_file(path))
		return access(path, W_OK) ? errno : 0;
	copy_dir_and_return_file_name(path, dir);
	return access(dir, W_OK | X_OK) ? errno : 0;
}

static int check_output_path_can_be_written(const char *path, char *message)
{
	int rc = strcmp(path, "-") ? al_replace_check_output(path) : 0;

	if (rc)
		return al_message_return_einval(
			message, "cannot write '%s': %s", path,
			al_replace_output_file_error_text(rc));
	if (!strcmp(path, "-"))
		return 0;
	rc = access_error_of_output(path);
	return rc ? al_message_return_einval(message, "cannot write '%s': %s",
					     path, strerror(rc))
		  : 0;
}

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether two paths name one existing regular file, would create the same file,
   or are both "-". */
static bool are_paths_same_file(const char *a, const char *b)
{
	char dir_a[PATH_MAX], dir_b[PATH_MAX];
	struct stat st_a, st_b;
	bool there = !stat(a, &st_a);

	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return !strcmp(a, b);
	if (there != !stat(b, &st_b))
		return false;
	if (there)
		return S_ISREG(st_a.st_mode) && is_same_inode(&st_a, &st_b);
	return !strcmp(copy_dir_and_return_file_name(a, dir_a),
		       copy_dir_and_return_file_name(b, dir_b)) &&
	       !stat(dir_a, &st_a) && !stat(dir_b, &st_b) &&
	       is_same_inode(&st_a, &st_b);
}

/* Return the path of the output of an analysis: its option `file`; without it
   "-" if the class always prints output, or option `format` or `table` is
   given; else NULL: there is no output. */
static const char *
analysis_output_path_or_dash_or_null(const struct al_analysis *a)
{
	const char *path = al_analysis_option_value_or_null(a, "file");

	if (path)
		return path;
	return a->class->prints_output ||
			       al_analysis_option_value_or_null(a, "format") ||
			       al_analysis_option_value_or_null(a, "table")
		       ? "-"
		       : NULL;
}

static size_t list_output_files_return_count(const struct al_settings *s,
					     struct target *targets)
{
	size_t n = 0;

	if (s->json)
		targets[n++] = (struct target){"--json", s->json};
	if (s->html)
		targets[n++] = (struct target){"--html", s->html};
	if (s->json_each)
		targets[n++] = (struct target){"--json-each", s->json_each};
	if (s->profile)
		targets[n++] = (struct target){"--profile", s->profile};
	if (s->program_output)
		targets[n++] =
			(struct target){"--program-output", s->program_output};
	for (size_t i = 0; i < s->n_analyses; i++) {
		const struct al_analysis *a = &s->analysis[i];
		const char *path = analysis_output_path_or_dash_or_null(a);

		/* One target is enough for a class: analyses of other cache
		   hierarchies add a number to the same path. */
		if (path && al_settings_is_first_of_its_class(s, i))
			targets[n++] = (struct target){a->class->name, path};
	}
	return n;
}

static int report_two_results_in_one_file(const char *result_name,
					  const struct target *other_target,
					  char *message)
{
	if (!strcmp(other_target->path, "-"))
		return al_message_return_einval(
			message,
			"'%s' and '%s' cannot both be written to "
			"standard output",
			result_name, other_target->result);
	return al_message_return_einval(
		message, "'%s' and '%s' cannot both be written to '%s'",
		result_name, other_target->result, other_target->path);
}

/* Check the file in which the analysis whose output is @analysis_target writes
   the results of window @window_name. Return: 0; -EINVAL with @message. */
static int
check_window_output_file_of_analysis(const struct al_settings *s,
				     const struct target *analysis_target,
				     const char *window_name, char *message)
{
	struct target t[MAX_TARGETS], own = {analysis_target->result, NULL};
	size_t n = list_output_files_return_count(s, t);
	char *name;
	int err = 0;

	if (!strcmp(analysis_target->path, "-") ||
	    al_is_stdout_or_special_file(analysis_target->path))
		return al_message_return_einval(
			message,
			"window '%s' has 'per_window_output': '%s' "
			"must write to files: %s:file=PATH",
			window_name, analysis_target->result,
			analysis_target->result);
	own.path = name = al_output_make_labelled_file_name(
		analysis_target->path, AL_FIRST_LABEL, window_name);
	if (!name)
		return al_message_return_einval(message, "out of memory");
	err = check_output_path_can_be_written(name, message);
	for (size_t i = 0; i < n && !err; i++)
		if (are_paths_same_file(t[i].path, name))
			err = report_two_results_in_one_file(t[i].result, &own,
							     message);
	free(name);
	return err;
}

int al_targets_check_window_output_files(const struct al_settings *s,
					 const char *window_name, char *message)
{
	int err = 0;

	for (size_t i = 0; i < s->n_analyses && !err; i++) {
		const struct al_analysis *a = &s->analysis[i];
		struct target t = {a->class->name,
				   analysis_output_path_or_dash_or_null(a)};

		if (t.path && al_settings_is_first_of_its_class(s, i))
			err = check_window_output_file_of_analysis(
				s, &t, window_name, message);
	}
	return err;
}

static int check_own_output_windows_can_be_written(const struct al_settings *s,
						   char *message)
{
	const struct al_windows *w = s->windows;
	int err = 0;

	for (uint32_t i = 0; w && i < w->n[AL_WINDOWS] && !err; i++)
		if (w->window[i].flags & PT_WINDOW_OWN_OUTPUT)
			err = al_targets_check_window_output_files(
				s, w->string + w->window[i].name, message);
	return err;
}

bool al_output_is_per_process(const char *path)
{
	return strstr(path, "%p") || strstr(path, "%n");
}

int al_targets_check_all_outputs(const struct al_settings *s, char *message)
{
	struct target t[MAX_TARGETS];
	size_t n = list_output_files_return_count(s, t);
	int err = 0;

	if (s->profile && !strcmp(s->profile, "-"))
		err = al_message_return_einval(
			message, "a profile is a file: not '--profile=-'");
	if (s->html && !strcmp(s->html, "-"))
		err = al_message_return_einval(
			message, "a page is a file: not '--html=-'");
	for (size_t i = 0; i < n && !err; i++) {
		/* One profile for all processes is checked when it is
		   opened. */
		if (t[i].path != s->profile ||
		    al_output_is_per_process(t[i].path))
			err = check_output_path_can_be_written(t[i].path,
							       message);
		for (size_t k = 0; k < i && !err; k++)
			if (are_paths_same_file(t[k].path, t[i].path))
				err = report_two_results_in_one_file(
					t[k].result, &t[i], message);
	}
	return err ? err : check_own_output_windows_can_be_written(s, message);
}
