/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocking_output.c - writes to files that may block; see blocking_output.h
 */
#include "base/system/blocking_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/lock_check.h"

enum { BUFFER = 1 << 16 /* [bytes] buffer of a stream */ };

struct sink {
	int fd;
	/* size of a write that cannot block once poll() has reported `fd`
	   writable [bytes] */
	size_t max_write;
	off_t offset;	/* regular files: offset at which the stream begins */
	bool cancelled; /* a write was cancelled: later ones fail at once */
};

static bool (*is_output_cancelled)(void *arg);
static void *cancel_arg;

void al_special_file_set_cancel_check(bool (*is_cancelled)(void *arg),
				      void *arg)
{
	is_output_cancelled = is_cancelled;
	cancel_arg = arg;
}

static bool has_process_cancelled_output(void)
{
	return is_output_cancelled && is_output_cancelled(cancel_arg);
}

/* ---- names ---- */

/* Return the number of the descriptor that the text @path names: 3 for
   "/dev/fd/3", 1 for "-"; -1 if it names none. The descriptor need not be
   open. */
static int descriptor_named_by(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	static const char *const names[] = {"/dev/stdin", "/dev/stdout",
					    "/dev/stderr"};

	if (!strcmp(path, "-"))
		return STDOUT_FILENO;
	for (int i = 0; i < 3; i++)
		if (!strcmp(path, names[i]))
			return i;
	for (int i = 0; i < 2; i++) {
		size_t len = strlen(folders[i]);
		char *end;
		long fd;

		if (strncmp(path, folders[i], len) != 0)
			continue;
		fd = strtol(path + len, &end, 10);
		if (path[len] >= '0' && path[len] <= '9' && !*end &&
		    fd <= INT_MAX)
			return (int)fd;
	}
	return -1;
}

bool al_is_stdout_or_special_file(const char *path)
{
	struct stat st;

	return descriptor_named_by(path) >= 0 ||
	       (!stat(path, &st) && !S_ISREG(st.st_mode));
}

/* ---- descriptors ---- */

/* Open the pipe or character device of descriptor @fd anew, so that O_NONBLOCK
   affects no other process. Duplicate @fd if that fails, or if it is another
   kind of file: a socket cannot be opened, and a regular file must share its
   offset. @file_mode: st_mode of the file. @shares_flags_out: whether the new
   descriptor shares O_NONBLOCK with @fd. Return: a descriptor; -errno. */
static int reopen_nonblocking_or_duplicate(int fd, mode_t file_mode,
					   bool *shares_flags_out)
{
	int new_fd = -1;
	char name[32];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (S_ISFIFO(file_mode) || S_ISCHR(file_mode))
		new_fd = open(name,
			      O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	*shares_flags_out = new_fd < 0;
	if (new_fd < 0)
		new_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return new_fd < 0 ? -errno : new_fd;
}

/* Return a new descriptor for the file of @fd; -EBADF if @fd is not open for
   writing, or another -errno. Flush stdout first if @fd is 1.
   @shares_flags_out: as above. */
static int reopen_or_duplicate_writable_descriptor(int fd,
						   bool *shares_flags_out)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	if (fd == STDOUT_FILENO)
		fflush(stdout);
	return fstat(fd, &st) < 0 ? -errno
				  : reopen_nonblocking_or_duplicate(
					    fd, st.st_mode, shares_flags_out);
}

static bool is_fifo(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISFIFO(st.st_mode);
}

/* Open @path for writing without blocking. While it is a FIFO without a reader,
   try again every AL_SPECIAL_FILE_SLICE_MS. Return: a descriptor; -ECANCELED if
   the process cancelled the output; another -errno. */
static int open_path_wait_for_fifo_reader(const char *path)
{
	int fd;

	while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) <
	       0) {
		if (errno != ENXIO || !is_fifo(path))
			return -errno;
		if (has_process_cancelled_output())
			return -ECANCELED;
		poll(NULL, 0, AL_SPECIAL_FILE_SLICE_MS);
	}
	return fd;
}

/* Open the special file @path for writing. @shares_flags_out: whether the new
   descriptor shares O_NONBLOCK with another one. Return: a descriptor; -errno.
   */
static int open_special_file_wait_for_fifo_reader(const char *path,
						  bool *shares_flags_out)
{
	int fd = descriptor_named_by(path);

	*shares_flags_out = false;
	al_blocking_check();
	return fd >= 0 ? reopen_or_duplicate_writable_descriptor(
				 fd, shares_flags_out)
		       : open_path_wait_for_fifo_reader(path);
}

int al_special_file_open_blocking_write_fd(const char *path)
{
	bool shares_flags;
	int fd = open_special_file_wait_for_fifo_reader(path, &shares_flags);
	int flags;

	if (fd < 0)
		return fd;
	flags = fcntl(fd, F_GETFL);
	if (!shares_flags && flags >= 0)
		fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	return fd;
}

/* ---- streams ---- */

/* Wait until a write to @fd does not block, or would fail. Return: 0;
   -ECANCELED if the process cancelled the output; another -errno. */
static int wait_until_writable_or_cancelled(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	al_blocking_check();
	for (;;) {
		int n = poll(&p, 1, AL_SPECIAL_FILE_SLICE_MS);

		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (has_process_cancelled_output())
			return -ECANCELED;
	}
}

/* Wait until a write to @s does not block, or would fail. Return: 0;
   -ECANCELED if the process cancels the output during the wait, or, without
   waiting, if it did so during an earlier write to @s; another -errno. */
static int wait_until_sink_writable_or_cancelled(struct sink *s)
{
	int err = s->cancelled ? -ECANCELED
			       : wait_until_writable_or_cancelled(s->fd);

	s->cancelled = err == -ECANCELED;
	return err;
}

/* Write all of @data. Return the bytes written; fewer than @len on error, with
   errno. */
static ssize_t write_sink(void *cookie, const char *data, size_t len)
{
	struct sink *s = cookie;
	size_t done = 0;

	while (done < len) {
		size_t n =
			len - done < s->max_write ? len - done : s->max_write;
		int err = wait_until_sink_writable_or_cancelled(s);
		ssize_t got = err ? -1 : write(s->fd, data + done, n);

		if (err) {
			errno = -err;
			break;
		}
		if (got > 0)
			done += (size_t)got;
		else if (got == 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	return (ssize_t)done;
}

/* Set the position in a regular file for SEEK_SET or SEEK_CUR, and *@offset to
   the new position. Offset 0 is the position at which the stream began. Return:
   0; -1 on error and for SEEK_END. */
static int seek_sink(void *cookie, off64_t *offset, int whence)
{
	struct sink *s = cookie;
	off_t new_offset = *offset + (whence == SEEK_SET ? s->offset : 0);

	if (whence == SEEK_END)
		return -1;
	new_offset = lseek(s->fd, new_offset, whence);
	if (new_offset < 0)
		return -1;
	*offset = new_offset - s->offset;
	return 0;
}

static struct sink standard; /* state of the stream for standard output */

static int close_and_free_sink(void *cookie)
{
	struct sink *s = cookie;
	int rc = close(s->fd);

	if (s != &standard)
		free(s);
	return rc;
}

static void init_sink(struct sink *s, int fd)
{
	off_t offset = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	*s = (struct sink){.fd = fd, .max_write = PIPE_BUF};
	s->offset = offset < 0 ? 0 : offset;
	if (fcntl(fd, F_GETFL) & O_NONBLOCK ||
	    (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		s->max_write = SIZE_MAX;
}

/* Open a special file as a fully buffered stream for writing. @s: `standard`,
   or allocated with malloc(); receives the state of the stream. fclose() of the
   stream frees allocated memory; the caller frees it only on error. Return: the
   stream; NULL with errno. */
static FILE *open_special_file_stream(struct sink *s, const char *special_path)
{
	static const cookie_io_functions_t io = {
		.write = write_sink,
		.seek = seek_sink,
		.close = close_and_free_sink,
	};
	FILE *stream;
	bool shares_flags;
	int fd = open_special_file_wait_for_fifo_reader(special_path,
							&shares_flags);
	int err;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	init_sink(s, fd);
	stream = fopencookie(s, "w", io);
	if (!stream) {
		err = errno;
		close(fd);
		errno = err;
		return NULL;
	}
	setvbuf(stream, NULL, _IOFBF, BUFFER);
	return stream;
}

FILE *al_special_file_open_write_stream(const char *special_path)
{
	struct sink *s = malloc(sizeof(*s));
	FILE *stream = s ? open_special_file_stream(s, special_path) : NULL;

	if (!stream)
		free(s);
	return stream;
}

FILE *al_special_file_shared_stdout(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static FILE *stream;
	FILE *found;

	pthread_mutex_lock(&lock);
	if (!stream)
		stream = open_special_file_stream(&standard, "-");
	found = stream;
	pthread_mutex_unlock(&lock);
	return found;
}
