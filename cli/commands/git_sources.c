/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * git_sources.c - reads sources of older revisions; see git_sources.h
 *
 * Three programs of Git are run for a revision: rev-parse checks its name,
 * ls-tree lists its files, and cat-file writes those that are needed. None of
 * them runs filters or hooks of the repository.
 */
#include "cli/commands/git_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text/message.h"

extern char **environ;

enum {
	OBJECT_NAME = 64, /* characters of a hash, at most */
	GIT_MISSING = 127,
	MAX_ARGUMENTS = 8,
};

/* A file of a revision. */
struct entry {
	const char *path;
	const char *object; /* [object_bytes] hash in hexadecimal digits, not
			       ended by NUL */
	size_t object_bytes;
};

/* The files of a revision, sorted by path. */
struct listing {
	char *text; /* output of ls-tree, which the entries point into */
	struct entry *entry;
	size_t n;
};

int cl_git_sources_parse_revisions(struct cl_git_sources *g, const char *range,
				   char *message)
{
	const char *dots = strstr(range, ".."), *b = dots ? dots + 2 : "";
	size_t n = dots ? (size_t)(dots - range) : strlen(range);

	if (n >= CL_GIT_REVISION || strlen(b) >= CL_GIT_REVISION || *b == '.' ||
	    (!dots && n == 0))
		return al_message_return_einval(
			message, "'--git=%.200s': not A..B, nor one revision",
			range);
	snprintf(g->revision[0], CL_GIT_REVISION, "%.*s", (int)n, range);
	if (dots && n == 0)
		strcpy(g->revision[0], "HEAD");
	if (dots)
		snprintf(g->revision[1], CL_GIT_REVISION, "%s",
			 *b ? b : "HEAD");
	return 0;
}

/* ---- programs of Git ---- */

/* Run git with @arguments, at most MAX_ARGUMENTS, ended by NULL, and wait for
   its end. @in: its standard input; NULL: empty. @out: receives its standard
   output, and is rewound. Return: its exit status; GIT_MISSING if it could not
   be started or a signal ended it. */
static int run_git_rewind_out_get_status_or_127(FILE *in, FILE *out,
						const char *const *arguments)
{
	char *argv[MAX_ARGUMENTS + 2] = {(char *)"git"};
	posix_spawn_file_actions_t actions;
	int status = 0, err;
	pid_t pid;

	for (int i = 0; arguments[i] != NULL && i < MAX_ARGUMENTS; i++)
		argv[i + 1] = (char *)arguments[i];
	if (posix_spawn_file_actions_init(&actions) != 0)
		return GIT_MISSING;
	if (in != NULL)
		posix_spawn_file_actions_adddup2(&actions, fileno(in), 0);
	else
		posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
						 O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	err = posix_spawnp(&pid, "git", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (err)
		return GIT_MISSING;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	rewind(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : GIT_MISSING;
}

/* Write the hash of the root tree of @revision to @tree_hash_out. Return: 0;
   -EINVAL with @message. */
static int find_tree_hash_of_revision(const char *revision,
				      char tree_hash_out[OBJECT_NAME + 2],
				      char *message)
{
	char name[CL_GIT_REVISION + 8];
	const char *const argument[] = {"rev-parse", "--verify",
					"--quiet",   "--end-of-options",
					name,	     NULL};
	FILE *out = tmpfile();
	int status;

	if (out == NULL)
		return al_message_return_einval(
			message, "cannot create a temporary file: %s",
			strerror(errno));
	snprintf(name, sizeof(name), "%s^{tree}", revision);
	status = run_git_rewind_out_get_status_or_127(NULL, out, argument);
	if (status == 0 && fgets(tree_hash_out, OBJECT_NAME + 2, out) == NULL)
		status = 1;
	tree_hash_out[strcspn(tree_hash_out, "\n")] = '\0';
	fclose(out);
	if (status == GIT_MISSING)
		return al_message_return_einval(message,
						"--git: git cannot be started");
	return status ? al_message_return_einval(
				message,
				"--git: no revision '%.200s' of the "
				"repository of this folder",
				revision)
		      : 0;
}

/* ---- files of a revision ---- */

static int compare_entries_by_path(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->path,
		      ((const struct entry *)b)->path);
}

/* Return the content of @file, from its offset on, followed by a NUL; for
   free(). @bytes: receives its length without the NUL. NULL: its size is not
   known, or out of memory. */
static char *read_file_and_append_nul(FILE *file, size_t *bytes)
{
	struct stat st;
	char *text;

	if (fstat(fileno(file), &st) != 0)
		return NULL;
	text = malloc((size_t)st.st_size + 1);
	*bytes = text ? fread(text, 1, (size_t)st.st_size, file) : 0;
	if (text)
		text[*bytes] = '\0';
	return text;
}

/* Add an entry that points into @record if @record describes a blob, which is a
   regular file or a symbolic link: "MODE blob HASH<tab>PATH". The array has
   room. */
static void add_entry_if_blob(struct listing *l, const char *record)
{
	const char *blob = strstr(record, " blob "), *tab = strchr(record, 9);

	if (blob == NULL || tab == NULL || blob > tab || *record != '1')
		return;
	blob += strlen(" blob ");
	l->entry[l->n++] = (struct entry){tab + 1, blob, (size_t)(tab - blob)};
}

/* Store the files of the tree with hash @tree_hash, also those in its folders,
   sorted by path. Return: 0; -EINVAL. The caller frees l->text and l->entry in
   both cases. */
static int list_files_of_tree_sorted(struct listing *l, const char *tree_hash)
{
	const char *const argument[] = {"ls-tree",     "-r",	  "-z",
					"--full-tree", tree_hash, NULL};
	FILE *out = tmpfile();
	size_t bytes = 0, records = 0;

	if (out == NULL)
		return -EINVAL;
	if (run_git_rewind_out_get_status_or_127(NULL, out, argument) == 0)
		l->text = read_file_and_append_nul(out, &bytes);
	fclose(out);
	for (size_t i = 0; i < bytes; i++)
		records += l->text[i] == '\0';
	l->entry = malloc((records + 1) * sizeof(*l->entry));
	if (l->text == NULL || l->entry == NULL)
		return -EINVAL;
	for (const char *s = l->text; s < l->text + bytes; s += strlen(s) + 1)
		add_entry_if_blob(l, s);
	qsort(l->entry, l->n, sizeof(*l->entry), compare_entries_by_path);
	return 0;
}

/* Return the file whose path is the longest end of @path that begins after a
   '/', or at the start of a relative path: for "/x/a/b.c", "x/a/b.c", else
   "a/b.c", else "b.c". NULL: there is none. */
static const struct entry *
find_entry_whose_path_is_longest_end_of(const struct listing *l,
					const char *path)
{
	const struct entry *found = NULL;

	while (path != NULL && found == NULL) {
		struct entry key = {.path = path + strspn(path, "/")};

		found = bsearch(&key, l->entry, l->n, sizeof(key),
				compare_entries_by_path);
		path = strchr(key.path, '/');
	}
	return found;
}

/* ---- writing ---- */

/* Create each missing folder that leads to @path, with mode 0700; ignore
   errors. @path is changed during the call and restored. */
static void make_parent_folders(char *path)
{
	for (char *s = strchr(path + 1, '/'); s; s = strchr(s + 1, '/')) {
		*s = '\0';
		mkdir(path, 0700);
		*s = '/';
	}
}

/* Copy the next @bytes bytes of @in to the new file @folder/@name, and create
   its parent folders. If @name contains "../", or the file exists or cannot be
   created, read the bytes without writing them. */
static void copy_bytes_to_new_file_or_skip(FILE *in, size_t bytes,
					   const char *folder, const char *name)
{
	char path[PATH_MAX], buffer[16384];
	FILE *out = NULL;
	size_t n = 1;

	if (!strstr(name, "../") &&
	    snprintf(path, sizeof(path), "%s/%s", folder, name) < PATH_MAX) {
		make_parent_folders(path);
		out = fopen(path, "wex");
	}
	for (; bytes > 0 && n > 0; bytes -= n) {
		n = bytes < sizeof(buffer) ? bytes : sizeof(buffer);
		n = fread(buffer, 1, n, in);
		if (out != NULL)
			fwrite(buffer, 1, n, out);
	}
	if (out != NULL)
		fclose(out);
}

/* Write each file that is in @answers, the output of git cat-file --batch, to
   @folder. The n-th answer belongs to the n-th of the @request_count requests;
   an answer that is no blob is left out. */
static void write_files_from_git_answers(FILE *answers,
					 const struct entry *const *request,
					 size_t request_count,
					 const char *folder)
{
	char head[OBJECT_NAME + 64];
	unsigned long bytes;

	for (size_t i = 0;
	     i < request_count && fgets(head, sizeof(head), answers); i++)
		if (sscanf(head, "%*s blob %lu", &bytes) == 1) {
			copy_bytes_to_new_file_or_skip(answers, bytes, folder,
						       request[i]->path);
			getc(answers);
		}
}

/* Write to @folder, by one run of git cat-file, each source file that @in names
   and the listing @git_listing contains. Return: 0; -EINVAL. */
static int
extract_input_files_found_in_git_listing(const struct listing *git_listing,
					 const struct al_diff_input *in,
					 const char *folder)
{
	static const char *const argument[] = {"cat-file", "--batch", NULL};
	const struct entry **request =
		malloc((in->n_files + 1) * sizeof(*request));
	FILE *wanted = tmpfile(), *answers = tmpfile();
	bool ready = request && wanted && answers;
	size_t n = 0;

	for (size_t i = 0; ready && i < in->n_files; i++) {
		request[n] = find_entry_whose_path_is_longest_end_of(
			git_listing, in->file[i].path);
		if (request[n] != NULL) {
			fprintf(wanted, "%.*s\n", (int)request[n]->object_bytes,
				request[n]->object);
			n++;
		}
	}
	if (ready) {
		rewind(wanted);
		ready = run_git_rewind_out_get_status_or_127(wanted, answers,
							     argument) == 0;
	}
	if (ready)
		write_files_from_git_answers(answers, request, n, folder);
	if (wanted)
		fclose(wanted);
	if (answers)
		fclose(answers);
	free(request);
	return ready ? 0 : -EINVAL;
}

int cl_git_sources_extract_revision_if_given(struct cl_git_sources *g, int side,
					     struct al_diff_input *input,
					     char *message)
{
	char tree[OBJECT_NAME + 2] = "";
	struct listing l = {NULL, NULL, 0};
	int err;

	if (*g->revision[side] == '\0')
		return 0;
	err = find_tree_hash_of_revision(g->revision[side], tree, message);
	if (err)
		return err;
	strcpy(g->folder[side], "/tmp/alleria-git.XXXXXX");
	if (mkdtemp(g->folder[side]) == NULL) {
		*g->folder[side] = '\0';
		return al_message_return_einval(
			message, "cannot create a folder in /tmp: %s",
			strerror(errno));
	}
	err = list_files_of_tree_sorted(&l, tree);
	if (!err)
		err = extract_input_files_found_in_git_listing(&l, input,
							       g->folder[side]);
	free(l.entry);
	free(l.text);
	input->source_folder = g->folder[side];
	return err ? al_message_return_einval(
			     message,
			     "--git: cannot read the files of '%.200s'",
			     g->revision[side])
		   : 0;
}

static int remove_path_ignore_error_for_nftw(const char *path,
					     const struct stat *st, int kind,
					     struct FTW *position)
{
	(void)st;
	(void)kind;
	(void)position;
	remove(path);
	return 0;
}

void cl_git_sources_delete_temp_folders(struct cl_git_sources *g)
{
	for (int side = 0; side < 2; side++)
		if (*g->folder[side] != '\0') {
			nftw(g->folder[side], remove_path_ignore_error_for_nftw,
			     16, FTW_DEPTH | FTW_PHYS);
			*g->folder[side] = '\0';
		}
}
