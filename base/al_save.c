/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_save.c - files that get their names when they are complete
 *
 * Room:    lib.
 */
#include "base/al_save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_and_close(int fd, int (*write)(void *arg, FILE *), void *arg)
{
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	int err;

	if (!file) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	err = write(arg, file);
	if (fclose(file) && !err)
		err = -errno;
	return err;
}

static bool begins_with(const char *path, const char *with)
{
	return !strncmp(path, with, strlen(with));
}

bool al_is_special(const char *path)
{
	struct stat st;

	return begins_with(path, "/dev/fd/") || begins_with(path, "/dev/std") ||
	       begins_with(path, "/proc/self/fd/") ||
	       (!stat(path, &st) && !S_ISREG(st.st_mode));
}

int al_save(const char *path, int (*write)(void *arg, FILE *), void *arg)
{
	char *temp;
	int err;

	if (!strcmp(path, "-"))
		return write(arg, stdout);
	if (al_is_special(path))
		return write_and_close(open(path, O_WRONLY | O_CLOEXEC), write,
				       arg);
	if (asprintf(&temp, "%s.%d.tmp", path, (int)getpid()) < 0)
		return -ENOMEM;
	unlink(temp);
	err = write_and_close(
		open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		     0666),
		write, arg);
	if (!err && rename(temp, path))
		err = -errno;
	if (err)
		unlink(temp);
	free(temp);
	return err;
}
