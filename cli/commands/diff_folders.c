/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff_folders.c - alleria diff of two folders: compares the reports of equal
 * names; see diff.h
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/system/atomic_file.h"
#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "cli/commands/diff.h"
#include "lib/diff/suite.h"

enum {
	HEAD = 512 /* [bytes] buffer for the searched start of a file: HEAD - 1
	bytes and a NUL */
};

/* The names of the reports, profiles and cachegrind.out files in a folder,
   without those that begin with '.'. */
struct names {
	char **name; /* [n] sorted by their bytes */
	size_t n;
};

/* Whether @path is a regular file that begins as a JSON report ('{' after
   blanks), a profile or a cachegrind.out file ("desc:", or a line "events:" in
   the first HEAD - 1 bytes) does. */
static bool begins_like_report_or_profile(const char *path)
{
	char head[HEAD] = "";
	struct stat st;
	FILE *file;
	size_t n;

	/* Opening a FIFO would wait for its writer. */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	if (cl_diff_has_profile_magic(path))
		return true;
	file = fopen(path, "re");
	n = file ? fread(head, 1, sizeof(head) - 1, file) : 0;
	if (file)
		fclose(file);
	head[n] = '\0';
	return head[strspn(head, " \t\r\n")] == '{' ||
	       strncmp(head, "desc:", 5) == 0 ||
	       strstr(head, "\nevents:") != NULL;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Add a copy of the file name @name to @l if @folder/@name is a report, a
   profile or a cachegrind.out file, and @name does not begin with '.'. Return:
   0, also if it is not added; -ENOMEM. */
static int add_name_if_report_or_profile_not_hidden(struct names *l,
						    const char *folder,
						    const char *name)
{
	char path[PATH_MAX], **bigger;

	if (*name == '.' ||
	    snprintf(path, sizeof(path), "%s/%s", folder, name) >= PATH_MAX ||
	    !begins_like_report_or_profile(path))
		return 0;
	bigger = reallocarray(l->name, l->n + 1, sizeof(*bigger));
	if (bigger == NULL)
		return -ENOMEM;
	l->name = bigger;
	l->name[l->n] = strdup(name);
	return l->name[l->n] && ++l->n ? 0 : -ENOMEM;
}

/* Store the sorted names of the reports, profiles and cachegrind.out files in
   @folder. Return: 0; -EINVAL with @message, also if there are none. */
static int list_report_and_profile_names_sorted(struct names *l,
						const char *folder,
						char *message)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	int err = 0;

	if (dir == NULL)
		return al_message_return_einval(message,
						"cannot read '%.300s': %s",
						folder, strerror(errno));
	while (!err && (entry = readdir(dir)) != NULL)
		err = add_name_if_report_or_profile_not_hidden(l, folder,
							       entry->d_name);
	closedir(dir);
	if (err)
		return al_message_return_einval(message, "out of memory");
	if (l->n == 0)
		return al_message_return_einval(
			message, "no report in '%.300s'", folder);
	qsort(l->name, l->n, sizeof(*l->name), compare_names);
	return 0;
}

static void free_names(struct names *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
}

/* ---- pairs ---- */

/* The reports @name of both folders, and the suite (the comparison of the two
   folders) that receives their comparison. */
struct pair {
	struct al_diff_suite *suite;
	const char *name;
};

static int add_comparison_to_suite(struct cl_diff_request *q,
				   const struct al_diff *d, void *pair)
{
	const struct pair *p = pair;

	return al_diff_suite_add_pair_and_check_limits(p->suite, p->name, d,
						       q->anyway)
		       ? al_message_return_einval(q->message, "out of memory")
		       : 0;
}

static int compare_pair_and_add_to_suite(struct cl_diff_request *q,
					 struct al_diff_suite *s,
					 const char *report_name)
{
	char path[2][PATH_MAX];
	const char *const both[2] = {path[0], path[1]};
	struct pair pair = {s, report_name};

	for (int side = 0; side < 2; side++)
		if (snprintf(path[side], PATH_MAX, "%s/%s", q->path[side],
			     report_name) >= PATH_MAX)
			return al_message_return_einval(
				q->message, "path too long: '%.200s'",
				report_name);
	return cl_diff_read_compare_and_call_use(
		q, both, add_comparison_to_suite, &pair);
}

/* Add to @s, in the order of their names, a comparison for each name that is in
   both lists, and each name that is in one list alone. Return: 0; -EINVAL with
   a message. */
static int
compare_pairs_and_add_all_to_suite(struct cl_diff_request *q,
				   struct al_diff_suite *s,
				   const struct names sorted_names[2])
{
	size_t a = 0, b = 0;
	int order, err = 0;

	while (!err && (a < sorted_names[0].n || b < sorted_names[1].n)) {
		order = a == sorted_names[0].n ? 1
			: b == sorted_names[1].n
				? -1
				: strcmp(sorted_names[0].name[a],
					 sorted_names[1].name[b]);
		if (order == 0)
			err = compare_pair_and_add_to_suite(
				q, s, sorted_names[0].name[a]);
		else if (al_diff_suite_add_unpaired_report(
				 s,
				 order < 0 ? sorted_names[0].name[a]
					   : sorted_names[1].name[b],
				 order > 0))
			err = al_message_return_einval(q->message,
						       "out of memory");
		a += order <= 0;
		b += order >= 0;
	}
	return err;
}

/* ---- outputs ---- */

static int write_diff_suite_json(void *suite, FILE *file)
{
	al_diff_suite_write_json(suite, file);
	return 0;
}

static int write_diff_suite_markdown(void *suite, FILE *file)
{
	al_diff_suite_write_markdown(suite, file);
	return 0;
}

static int save_suite_if_path_given(struct cl_diff_request *q, const char *path,
				    int (*write)(void *, FILE *),
				    struct al_diff_suite *s)
{
	int err = path ? al_file_write_atomically(path, write, s) : 0;

	return err ? al_message_return_einval(
			     q->message, "cannot write '%.300s': %s", path,
			     al_replace_output_file_error_text(err))
		   : 0;
}

/* Whether --json=- or --markdown=- is given: the text is then printed on
   standard error. */
static bool has_json_or_markdown_on_stdout(const struct cl_diff_request *q)
{
	return (q->json && !strcmp(q->json, "-")) ||
	       (q->markdown && !strcmp(q->markdown, "-"));
}

/* Print the comparison as text, append it to the summary page of GitHub, and
   save it as JSON and Markdown, each where requested. Return: 0; -EINVAL with
   q->message. */
static int write_suite_outputs(struct cl_diff_request *q,
			       struct al_diff_suite *s)
{
	const char *summary = getenv("GITHUB_STEP_SUMMARY");
	FILE *page =
		q->github && summary && *summary ? fopen(summary, "ae") : NULL;
	int err;

	al_diff_suite_write_text(s, has_json_or_markdown_on_stdout(q) ? stderr
								      : stdout);
	fflush(stdout);
	if (page) {
		al_diff_suite_write_markdown(s, page);
		fclose(page);
	}
	err = save_suite_if_path_given(q, q->json, write_diff_suite_json, s);
	return err ? err
		   : save_suite_if_path_given(q, q->markdown,
					      write_diff_suite_markdown, s);
}

/* Return the exit status of the comparison. Call this when all rows were added
   to @s and their limits checked. */
static unsigned choose_exit_status_of_suite(const struct cl_diff_request *q,
					    const struct al_diff_suite *s)
{
	bool not_comparable = false, exceeded = false, differs = false;

	for (size_t i = 0; i < s->n; i++) {
		const struct al_diff_suite_row *r = &s->row[i];

		not_comparable |= r->is_in[0] && r->is_in[1] && !r->is_summed;
		differs |= r->differs || r->is_in[0] != r->is_in[1];
	}
	for (size_t i = 0; i < s->limits->n; i++)
		exceeded |= al_diff_suite_count_pairs_exceeding(s, i) > 0;
	if (not_comparable)
		return CL_NOT_COMPARABLE;
	if (exceeded)
		return CL_LIMIT_EXCEEDED;
	return q->exit_code && differs ? CL_DIFFERENT : 0;
}

int cl_diff_compare_folders_and_print(struct cl_diff_request *q)
{
	struct al_diff_suite s = {.path = {q->path[0], q->path[1]},
				  .limits = &q->limits,
				  .top = q->top};
	struct names list[2] = {{NULL, 0}, {NULL, 0}};
	int err = list_report_and_profile_names_sorted(&list[0], q->path[0],
						       q->message);

	if (!err)
		err = list_report_and_profile_names_sorted(&list[1], q->path[1],
							   q->message);
	if (!err)
		err = compare_pairs_and_add_all_to_suite(q, &s, list);
	if (!err)
		err = al_diff_suite_check_limit_scopes_match(&s, q->message);
	if (!err) {
		s.status = choose_exit_status_of_suite(q, &s);
		err = write_suite_outputs(q, &s);
	}
	free_names(&list[0]);
	free_names(&list[1]);
	al_diff_suite_release(&s);
	return err ? err : (int)s.status;
}
