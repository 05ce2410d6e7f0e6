/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic_file.c - writes files that get their names when they are complete; see
 * atomic_file.h
 */
#include "base/system/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/blocking_output.h"
#include "base/system/lock_check.h"
#include "base/system/replaceable.h"

enum {
	BUFFER = 1 << 18, /* [bytes] buffer of a stream */
	SUFFIX = 40,	  /* [bytes] longest suffix of a temporary name */
	TRIES = 64,	  /* number of temporary names that are tried */
};

/* Names of the temporary files that are open; NULL: free entry.
   al_file_remove_all_temporary() reads the list without the lock, in a signal
   handler: an entry is one word, and is written after pthread_mutex_lock(),
   before which the compiler completes the stores of the name. */
static const char *open_names[AL_FILE_MAX_OPEN];
static pthread_mutex_t open_names_lock = PTHREAD_MUTEX_INITIALIZER;

/* Replace the first entry @old_name_or_null_to_add of open_names, if there is
   one, by @new_name_or_null_to_remove. NULL is a free entry. */
static void
replace_temporary_name_in_list(const char *old_name_or_null_to_add,
			       const char *new_name_or_null_to_remove)
{
	pthread_mutex_lock(&open_names_lock);
	for (int i = 0; i < AL_FILE_MAX_OPEN; i++) {
		if (open_names[i] != old_name_or_null_to_add)
			continue;
		open_names[i] = new_name_or_null_to_remove;
		break;
	}
	pthread_mutex_unlock(&open_names_lock);
}

void al_file_remove_all_temporary(void)
{
	for (int i = 0; i < AL_FILE_MAX_OPEN; i++) {
		const char *name = open_names[i];

		if (name)
			unlink(name);
	}
}

/* Return the temporary name for @path, in its folder, that has the number
   @attempt, allocated; NULL: out of memory. */
static char *make_temporary_name(const char *path, unsigned attempt)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0;
	char *name;

	if (asprintf(&name, "%.*s%.*s.%d.%u.tmp", folder, path,
		     NAME_MAX - SUFFIX, path + folder, (int)getpid(),
		     attempt) < 0)
		return NULL;
	return name;
}

/* Create a new file in the folder of @path, which only its owner can read.
   Return: its descriptor, and its allocated name in @name_out; -errno. */
static int create_temporary_file(const char *path, char **name_out)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = -EEXIST;

	for (unsigned n = 0; n < TRIES && fd == -EEXIST; n++) {
		char *name = make_temporary_name(path, n);

		if (!name)
			return -ENOMEM;
		fd = open(name, flags, 0600);
		if (fd < 0)
			fd = -errno;
		if (fd >= 0)
			*name_out = name;
		else
			free(name);
	}
	return fd;
}

/* Create the temporary file, open f->stream to write it, and add its name to
   open_names. Return 0, or -errno. */
static int open_temporary_file_stream(struct al_file *f)
{
	int fd = create_temporary_file(f->path, &f->temp);

	if (fd < 0)
		return fd;
	fchmod(fd, 0600); /* independent of the umask */
	f->stream = fdopen(fd, "w");
	if (f->stream) {
		replace_temporary_name_in_list(NULL, f->temp);
		return 0;
	}
	close(fd);
	unlink(f->temp);
	return -ENOMEM;
}

static bool is_standard_output(const struct al_file *f)
{
	return !strcmp(f->path, "-");
}

int al_file_open_for_atomic_write(struct al_file *f, const char *path)
{
	int err;

	al_blocking_check();
	*f = (struct al_file){.path = strdup(path)};
	if (!f->path)
		return -ENOMEM;
	if (is_standard_output(f))
		return (f->stream = al_special_file_shared_stdout()) ? 0
								     : -errno;
	err = al_replace_check_output(path);
	if (!err && al_is_stdout_or_special_file(path))
		return (f->stream = al_special_file_open_write_stream(path))
			       ? 0
			       : -errno;
	if (!err)
		err = open_temporary_file_stream(f);
	if (!err)
		setvbuf(f->stream, NULL, _IOFBF, BUFFER);
	return err;
}

/* Flush the stream if it is standard output, else close it. Return: 0; -errno
   of flushing or closing; -EIO if only an earlier write to standard output
   failed. */
static int flush_stdout_or_close_stream(const struct al_file *f)
{
	bool failed;

	errno = 0;
	if (is_standard_output(f))
		failed = fflush(f->stream) || ferror(f->stream);
	else
		failed = fclose(f->stream) != 0;
	if (!failed)
		return 0;
	return errno ? -errno : -EIO;
}

/* Rename the temporary file to its final name; remove it if @err is not 0, or
   renaming is not allowed or fails. Remove its name from open_names. Return
   @err if it is not 0; else 0, or -errno of the check or of renaming. */
static int rename_or_remove_temporary(const struct al_file *f, int err)
{
	if (!err)
		err = al_replace_check_output(f->path);
	if (!err && rename(f->temp, f->path) < 0)
		err = -errno;
	if (err)
		unlink(f->temp);
	replace_temporary_name_in_list(f->temp, NULL);
	return err;
}

int al_file_close_commit_or_remove(struct al_file *f, int err)
{
	if (f->stream) {
		int late;

		al_blocking_check();
		late = flush_stdout_or_close_stream(f);

		err = err ? err : late;
	}
	if (f->stream && f->temp)
		err = rename_or_remove_temporary(f, err);
	free(f->path);
	free(f->temp);
	*f = (struct al_file){0};
	return err;
}

int al_file_write_atomically(const char *path, int (*write)(void *arg, FILE *),
			     void *arg)
{
	struct al_file f;
	int err = al_file_open_for_atomic_write(&f, path);

	if (!err)
		err = write(arg, f.stream);
	return al_file_close_commit_or_remove(&f, err);
}
