/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic_file.h - writes an output file that gets its name when it is complete
 */
#ifndef LIBALLERIA_EXPORT_ATOMIC_FILE_H
#define LIBALLERIA_EXPORT_ATOMIC_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/system/atomic_file.h"
#include "liballeria/export/format.h"

struct ex_file {
	struct ex_job *job;
	struct al_file file;
};

/* Open an output file. @path: "-" is standard output. Return: 0; -1 with the
   job's message; also ex_file_write(), which appends @len bytes. */
int ex_file_open(struct ex_file *, struct ex_job *, const char *path);
int ex_file_write(struct ex_file *, const void *data, size_t len);

/* Go to the beginning of the file, to overwrite it. Return: 0; -1 with the
   job's message if that is impossible, as for a pipe. */
int ex_file_rewind(struct ex_file *);

/* Close the file and rename it to its path; remove it if @earlier_error is not
   0. Return:
   @earlier_error; -1 with the job's message if closing fails. */
int ex_file_commit_or_discard(struct ex_file *, int earlier_error);

#endif
