/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - writes a file from front to back, and reserves disk space in advance
 */
#include "profile/format/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/lock_check.h"
#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "profile/format/format.h"

enum {
	EXTRA_SPACE = 4 << 20
}; /* [bytes] of disk space that are reserved beyond the need, if possible */

_Static_assert((int)AL_PROFILE_MAGIC == (int)PF_MAGIC,
	       "no output replaces a profile");

/* Open the file @path, or create it with mode 0600. Return its descriptor, or
   -errno. A file that existed may be in use or not be empty:
   lock_profile_require_empty_set_mode() checks this. */
static int open_or_create_for_writing(const char *path)
{
	const int flags =
		O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK;
	int fd = open(path, flags | O_CREAT | O_EXCL, 0600);

	if (fd < 0 && errno == EEXIST)
		fd = open(path, flags);
	return fd < 0 ? -errno : fd;
}

/* Check that an output may replace the file @path (al_replace_check_output())
   and that it is not being written, and remove it unless it is empty. Return:
   0, also if it does not exist; -EEXIST: it can be opened but is no regular
   file; -ETXTBSY: it is being written; another -errno. */
static int remove_replaceable_file_unless_empty(const char *path)
{
	const int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int err = al_replace_check_output(path), fd;
	struct stat st;

	if (err)
		return err;
	fd = open(path, flags);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		err = -EEXIST;
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		err = -ETXTBSY;
	else if (st.st_size && unlink(path) < 0)
		err = -errno;
	close(fd);
	return err;
}

/* Lock the file, so that of two processes that open it only one writes it, and
   set its mode to 0600. Return: 0; -EEXIST: it is locked by another process or
   not empty; -ENXIO: no regular file; another -errno. */
static int lock_profile_require_empty_set_mode(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return -EEXIST;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENXIO;
	if (st.st_size)
		return -EEXIST;
	return fchmod(fd, 0600) < 0 ? -errno : 0;
}

int pf_file_create_and_lock(struct pf_file *f, const char *path, char *message)
{
	const bool can_replace = al_replace_can_overwrite_profile_or_elf();
	int err;

	al_blocking_check();
	f->reserved = 0;
	f->fd = -1;
	err = can_replace ? remove_replaceable_file_unless_empty(path) : 0;
	if (!err)
		err = f->fd = open_or_create_for_writing(path);
	if (err >= 0)
		err = lock_profile_require_empty_set_mode(f->fd);
	if (!err)
		return 0;
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	if (err == -EEXIST || err == -ELOOP || err == -ENXIO || err == -EISDIR)
		return al_message_return_err(
			message, -EEXIST,
			err != -EEXIST || can_replace
				? "'%s' exists and cannot be replaced"
				: "'%s' exists; --force replaces it",
			path);
	if (err == -ETXTBSY)
		return al_message_return_err(
			message, err, "'%s' is being written by another run",
			path);
	return al_message_return_err(message, err,
				     "cannot create profile '%s': %s", path,
				     al_replace_output_file_error_text(err));
}

/* Check that the limit of file sizes allows @end_offset bytes; a write beyond
   it would raise SIGXFSZ. Return: 0; -EFBIG; another -errno. */
static int check_file_size_limit(uint64_t end_offset)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
		return -errno;
	return limit.rlim_cur != RLIM_INFINITY && end_offset > limit.rlim_cur
		       ? -EFBIG
		       : 0;
}

/* Allocate disk space for the file up to @end_offset. Return: 0, also if the
   file system cannot reserve space; -errno. */
static int allocate_disk_space_up_to(struct pf_file *f, uint64_t end_offset)
{
	int err;

	do {
		err = fallocate(f->fd, FALLOC_FL_KEEP_SIZE, (off_t)f->reserved,
				(off_t)(end_offset - f->reserved)) < 0
			      ? -errno
			      : 0;
	} while (err == -EINTR);
	if (err == -EOPNOTSUPP || err == -ENOSYS)
		err = 0;
	if (!err)
		f->reserved = end_offset;
	return err;
}

int pf_file_reserve_space(struct pf_file *f, uint64_t end_offset)
{
	int err;

	if (end_offset <= f->reserved)
		return 0;
	err = check_file_size_limit(end_offset);
	if (err)
		return err;
	if (!check_file_size_limit(end_offset + EXTRA_SPACE) &&
	    !allocate_disk_space_up_to(f, end_offset + EXTRA_SPACE))
		return 0;
	return allocate_disk_space_up_to(f, end_offset);
}

/* Remove the first @bytes, which have been written, from the array of parts. */
static void skip_written_bytes_in_iov(struct iovec **iov, int *part_count,
				      size_t bytes)
{
	while (*part_count && bytes >= (*iov)->iov_len) {
		bytes -= (*iov)->iov_len;
		(*iov)++;
		(*part_count)--;
	}
	if (*part_count) {
		(*iov)->iov_base = (char *)(*iov)->iov_base + bytes;
		(*iov)->iov_len -= bytes;
	}
}

int pf_file_write_all_parts(struct pf_file *f, struct iovec *iov,
			    int part_count, uint64_t offset)
{
	al_blocking_check();
	while (part_count) {
		ssize_t done = pwritev(f->fd, iov, part_count, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		offset += (uint64_t)done;
		skip_written_bytes_in_iov(&iov, &part_count, (size_t)done);
	}
	return 0;
}

int pf_file_truncate_and_close(struct pf_file *f, uint64_t bytes)
{
	int err = 0;

	if (f->fd < 0)
		return 0;
	al_blocking_check();
	if (ftruncate(f->fd, (off_t)bytes) < 0)
		err = -errno;
	if (close(f->fd) < 0 && !err)
		err = -errno;
	f->fd = -1;
	return err;
}
