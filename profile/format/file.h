/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - writes a file from front to back, and reserves disk space in advance
 *
 * Threads: one at a time.
 *
 * The file system allocates space before it is written, without making the file
 * longer. So a write into reserved space cannot fail because the disk is full.
 */
#ifndef PROFILE_FORMAT_FILE_H
#define PROFILE_FORMAT_FILE_H

#include <stdint.h>
#include <sys/uio.h>

#include "base/text/message.h"

struct pf_file {
	int fd;
	uint64_t reserved; /* [bytes] from the file's beginning for which space
			     is reserved */
};

/**
 * pf_file_create_and_lock() - Create a file with mode 0600, or open an empty
 * one.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * If al_replace_can_overwrite_profile_or_elf(), an old file is replaced, unless
 * it is an input or is being written.
 *
 * Return: 0; -EEXIST: @path exists, or another process has begun to write it;
 *         another -errno.
 */
int pf_file_create_and_lock(struct pf_file *, const char *path, char *message);

/* Reserve disk space for the first @end_offset bytes of the file, and for some
   more if possible. If the file system cannot reserve space, only the limit of
   file sizes is checked. Return: 0; -ENOSPC, -EDQUOT, -EFBIG or another
   -errno. */
int pf_file_reserve_space(struct pf_file *, uint64_t end_offset);

/* Write the @part_count parts in @iov at @offset, all of them; the content of
   @iov is undefined afterwards. Return: 0; -errno. */
int pf_file_write_all_parts(struct pf_file *, struct iovec *iov, int part_count,
			    uint64_t offset);

/* Cut the file to @bytes and close it; no-op if it is closed already. Return:
   0; -errno. */
int pf_file_truncate_and_close(struct pf_file *, uint64_t bytes);

#endif
