/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - a file that is written from front to back, with room in reserve
 *
 * Threads: one at a time.
 *
 * Room is asked of the file system before it is written, without making the
 * file longer; so what is written into it cannot meet a full disk.
 */
#ifndef PROFILE_FORMAT_FILE_H
#define PROFILE_FORMAT_FILE_H

#include <stdint.h>
#include <sys/uio.h>

struct pf_file {
	int fd;
	uint64_t room; /* [bytes] of the file that the file system has for it */
};

/**
 * pf_file_create() - Make a file, mode 0600, that is not there, or is empty; or,
 * when al_replace_is_forced(), in place of another one that is no input.
 * @message: [PF_MESSAGE] receives one line on error.
 *
 * Return: 0; -errno; -EEXIST: there is something else, or another one has
 *         begun to write it.
 */
int pf_file_create(struct pf_file *, const char *path, char *message);

/* Sees to it that the file can have @end bytes. 0; -ENOSPC, -EDQUOT, -EFBIG,
   ... Where the file system cannot keep room, only limits are looked at. */
int pf_file_reserve(struct pf_file *, uint64_t end);

/* Writes it all at @offset; @iov is used up. 0; -errno. */
int pf_file_write(struct pf_file *, struct iovec *iov, int n, uint64_t offset);

/* Cuts it to @bytes and closes it. 0; -errno. */
int pf_file_finish(struct pf_file *, uint64_t bytes);

#endif
