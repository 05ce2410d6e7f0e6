/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic_file.h - writes an output file under a temporary name, and renames it
 *                 when it is complete
 */
#ifndef LIBALLERIA_EXPORT_ATOMIC_FILE_H
#define LIBALLERIA_EXPORT_ATOMIC_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/system/atomic_file.h"
#include "liballeria/export/format.h"

struct ex_file {
	struct ex_export_job *job;
	struct al_file file;
};

/* Open an output file, which gets the name @path when it is committed; "-" is
   standard output. Call ex_file_commit_or_discard() in any case. Return: 0; -1
   with the job's message. ex_file_write(), which writes @len bytes at the
   position in the file, returns the same. */
int ex_file_open_for_atomic_write(struct ex_file *, struct ex_export_job *,
				  const char *path);
int ex_file_write(struct ex_file *, const void *data, size_t len);

/* Set the position to the beginning of the file, to overwrite it. Return: 0; -1
   with the job's message: impossible, as for a pipe. */
int ex_file_seek_to_start(struct ex_file *);

/* Close the file and rename it to its path; if @earlier_error is not 0, or the
   user has cancelled the command, remove it. Return: @earlier_error if it is
   not 0; else 0, or -1 with the job's message if that fails or was
   cancelled. */
int ex_file_commit_or_discard(struct ex_file *, int earlier_error);

#endif
