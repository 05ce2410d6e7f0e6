/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ex_file.c - an output file that gets its name when it is complete
 *
 * Room:    export.
 */
#include "export/ex_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 18 }; /* [bytes] */

static bool begins_with(const char *path, const char *with)
{
	return !strncmp(path, with, strlen(with));
}

/* A name of a descriptor must not be given to a file. */
static bool is_special(const char *path)
{
	struct stat st;

	return begins_with(path, "/dev/fd/") || begins_with(path, "/dev/std") ||
	       begins_with(path, "/proc/self/fd/") ||
	       (!stat(path, &st) && !S_ISREG(st.st_mode));
}

int ex_file_open(struct ex_file *f, struct ex_job *job, const char *path)
{
	*f = (struct ex_file){.job = job};
	if (strcmp(path, "-") == 0) {
		f->stream = stdout;
		return 0;
	}
	f->path = strdup(path);
	if (f->path == NULL ||
	    (!is_special(path) && asprintf(&f->part, "%s.part", path) < 0)) {
		f->part = NULL;
		return ex_fail(job, ALLERIA_E_MEMORY, NULL);
	}
	f->stream = fopen(f->part ? f->part : path, "we");
	if (f->stream == NULL)
		return ex_fail_file(job, path);
	setvbuf(f->stream, NULL, _IOFBF, BUFFER);
	return 0;
}

int ex_file_write(struct ex_file *f, const void *data, size_t len)
{
	if (fwrite(data, 1, len, f->stream) == len)
		return 0;
	return ex_fail_file(f->job, f->job->path);
}

int ex_file_close(struct ex_file *f, int err)
{
	bool opened = f->stream != NULL;

	if (f->stream == stdout)
		err = fflush(stdout) && !err ? ex_fail_file(f->job, "-") : err;
	else if (opened && fclose(f->stream) != 0 && !err)
		err = ex_fail_file(f->job, f->path);
	if (opened && f->part != NULL && !err && rename(f->part, f->path) != 0)
		err = ex_fail_file(f->job, f->path);
	if (opened && f->part != NULL && err)
		unlink(f->part);
	free(f->part);
	free(f->path);
	*f = (struct ex_file){.job = f->job};
	return err;
}
