/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_folder.c - writes an output folder with a file for each thread
 */
#include "liballeria/export/output_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/progress.h"

static bool is_dot_or_dotdot(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Whether @name is FORMAT.PROCESS.THREAD.trace, with the folder's format and
   two decimal numbers. */
static bool is_trace_file_name(const struct ex_folder *f, const char *name)
{
	size_t n = strlen(f->format);
	unsigned process, thread;
	int end = 0;

	return !strncmp(name, f->format, n) &&
	       sscanf(name + n, ".%u.%u.trace%n", &process, &thread, &end) ==
		       2 &&
	       end > 0 && name[n + (size_t)end] == '\0';
}

/* Return the path of the folder for the traces: the subfolder of @root, or
   @root itself if there is none; the caller frees it. NULL: memory is short. */
static char *make_trace_folder_path(const struct ex_folder *f, const char *root)
{
	char *path;

	if (asprintf(&path, "%s%s%s", root, *f->subfolder ? "/" : "",
		     f->subfolder) < 0)
		return NULL;
	return path;
}

/* Whether all entries of the folder at @path have the name
   @entry_or_null_for_traces or, if that is NULL, names of traces of this
   format. True also if the folder does not exist; false if it cannot be read.
   */
static bool is_folder_missing_or_has_only(const struct ex_folder *f,
					  const char *path,
					  const char *entry_or_null_for_traces)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	bool is_export = dir || errno == ENOENT;

	while (dir && is_export && (e = readdir(dir)))
		is_export =
			is_dot_or_dotdot(e->d_name) ||
			(entry_or_null_for_traces
				 ? !strcmp(e->d_name, entry_or_null_for_traces)
				 : is_trace_file_name(f, e->d_name));
	if (dir)
		closedir(dir);
	return is_export;
}

/* Check that nothing is at the job's path, or only an empty folder or that of
   an earlier export to the same format. Return: 0; -1 with the job's message.
   */
static int check_output_is_replaceable(const struct ex_folder *f)
{
	const char *path = f->job->path;
	char *files = make_trace_folder_path(f, path);
	bool is_export = files &&
			 (!*f->subfolder || is_folder_missing_or_has_only(
						    f, path, f->subfolder)) &&
			 is_folder_missing_or_has_only(f, files, NULL);

	free(files);
	if (is_export)
		return 0;
	if (!files) {
		snprintf(f->job->message, sizeof(f->job->message),
			 "out of memory");
		return -1;
	}
	snprintf(f->job->message, sizeof(f->job->message),
		 "'%.200s' exists and is not a folder of an earlier export to "
		 "%s: give another name",
		 path, f->format);
	return -1;
}

/* Remove all files in the trace folder of @root, its subfolder if there is one,
   and @root. Return: 0; -1 with errno, as when @root has other entries. */
static int remove_folder_and_all_files(const struct ex_folder *f,
				       const char *root)
{
	char *path = make_trace_folder_path(f, root), *name;
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		if (is_dot_or_dotdot(e->d_name) ||
		    asprintf(&name, "%s/%s", path, e->d_name) < 0)
			continue;
		unlink(name);
		free(name);
	}
	if (dir)
		closedir(dir);
	if (path && *f->subfolder)
		rmdir(path);
	free(path);
	return rmdir(root);
}

int ex_folder_create_temporary(struct ex_folder *f, struct ex_export_job *job,
			       const char *format, const char *sub)
{
	char *files;
	int err = 0;

	*f = (struct ex_folder){.job = job, .format = format, .subfolder = sub};
	if (strcmp(job->path, "-") == 0) {
		snprintf(job->message, sizeof(job->message),
			 "%s is a folder with a file for each thread: not "
			 "'-o -'",
			 format);
		return -1;
	}
	if (check_output_is_replaceable(f))
		return -1;
	if (asprintf(&f->temp_path, "%s.XXXXXX", job->path) < 0) {
		f->temp_path = NULL;
		return ex_set_job_error_return_minus_1(job, ALLERIA_E_MEMORY,
						       NULL);
	}
	if (!mkdtemp(f->temp_path)) {
		err = ex_set_write_error_return_minus_1(job, job->path, errno);
		free(f->temp_path);
		f->temp_path = NULL;
		return err;
	}
	files = make_trace_folder_path(f, f->temp_path);
	if (!files)
		err = ex_set_job_error_return_minus_1(job, ALLERIA_E_MEMORY,
						      NULL);
	else if (*sub && mkdir(files, 0700) != 0)
		err = ex_set_write_error_return_minus_1(job, files, errno);
	free(files);
	return err;
}

char *ex_folder_make_trace_path(const struct ex_folder *f,
				uint32_t process_index, uint32_t thread_number)
{
	char *folder = make_trace_folder_path(f, f->temp_path), *path;

	if (!folder || asprintf(&path, "%s/%s.%u.%u.trace", folder, f->format,
				process_index, thread_number) < 0)
		path = NULL;
	free(folder);
	return path;
}

int ex_folder_commit_or_remove(struct ex_folder *f, int earlier_error)
{
	const char *path = f->job->path;

	if (!earlier_error && !al_progress_report_0_done_may_continue())
		earlier_error = -1;
	if (f->temp_path && !earlier_error && rename(f->temp_path, path) != 0 &&
	    (check_output_is_replaceable(f) ||
	     remove_folder_and_all_files(f, path) != 0 ||
	     rename(f->temp_path, path) != 0))
		earlier_error = *f->job->message
					? -1
					: ex_set_write_error_return_minus_1(
						  f->job, path, errno);
	if (f->temp_path && earlier_error)
		remove_folder_and_all_files(f, f->temp_path);
	free(f->temp_path);
	f->temp_path = NULL;
	return earlier_error;
}
