/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - declares the command alleria diff, its options and its inputs
 */
#ifndef CLI_COMMANDS_DIFF_H
#define CLI_COMMANDS_DIFF_H

#include "base/text/message.h"
#include "cli/commands/git_sources.h"
#include "lib/diff/input.h"
#include "lib/diff/limit_file.h"
#include "lib/diff/output.h"

/* Exit statuses of alleria diff. */
enum {
	CL_DIFFERENT = 1,
	CL_LIMIT_EXCEEDED = 3,
	CL_NOT_COMPARABLE = 4,
};

/* Run alleria diff, and print its text on standard error. @argv: [@argc] the
   arguments after its name. Return: exit status. */
int cl_diff_compare_runs_to_stderr(int argc, char **argv);

enum { CL_DIFF_MAX_OPTIONS = 16 /* most options for caches */ };

struct cl_diff_inputs {
	struct al_diff_input input[2];
	struct al_intern strings;
};

/**
 * cl_diff_inputs_read_or_replay() - Read or replay the two inputs.
 * @path: paths of JSON reports, profiles or cachegrind.out files. A profile is
 *        replayed; without options, with the caches of the other input, or if
 *        both are profiles, the first one with the default caches.
 * @replay_options: [@option_count] options for caches, for each replay.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0; -EINVAL. Release the inputs in both cases.
 */
int cl_diff_inputs_read_or_replay(struct cl_diff_inputs *,
				  const char *const path[2],
				  char *const *replay_options,
				  size_t option_count, char *message);
void cl_diff_inputs_release(struct cl_diff_inputs *);

/* Whether the file @path can be read and begins with AL_PROFILE_MAGIC. */
bool cl_diff_has_profile_magic(const char *path);

/* Options and inputs of the command. */
struct cl_diff_request {
	const char *path[2];
	size_t n_paths;
	const char *json, *markdown, *html, *limits_file;
	const char *source_folder[2]; /* values of --source-a and --source-b;
					 NULL: not given */
	struct cl_git_sources git;
	uint64_t top;
	bool github, exit_code, anyway;
	bool to_stderr; /* the text is printed on standard error */
	struct al_diff_limits limits;
	char *replay_option[CL_DIFF_MAX_OPTIONS];
	size_t n_replay_options;
	char message[AL_MESSAGE];
};

/* Compare the reports of equal names in two folders, and write the outputs.
   Return: the exit status; -EINVAL with a message. */
int cl_diff_compare_folders_and_print(struct cl_diff_request *);

/* Write the comparison as a web page to q->html. Return: 0; -EINVAL with a
   message. */
int cl_diff_save_page(struct cl_diff_request *q, const struct al_diff_report *);

/* Read the two inputs at @path, with --git also their sources, compare them,
   and call @use with the comparison and @argument. @use returns an exit status,
   or -EINVAL with a message. Return: the result of @use; -EINVAL with a message
   if there is no comparison. */
int cl_diff_read_compare_and_call_use(
	struct cl_diff_request *, const char *const path[2],
	int (*use)(struct cl_diff_request *, const struct al_diff *, void *),
	void *argument);

#endif
