/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic_file.h - writes files that get their names when they are complete
 *
 * Every output file except profiles and the output of the recorded program is
 * written by this file. It is written to a temporary file in the same folder,
 * "NAME.PID.N.tmp". Only its owner can read it, since all outputs reveal
 * addresses of programs. It is renamed when it is complete, else removed.
 * Special files (blocking_output.h) are written in place. The rules in
 * replaceable.h decide which files may be replaced.
 *
 * Threads: each file is used by one thread at a time.
 */
#ifndef BASE_SYSTEM_ATOMIC_FILE_H
#define BASE_SYSTEM_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct al_file {
	FILE *stream; /* stream to write to; NULL: the file is not open */
	char *path;
	char *temp; /* name of the temporary file; NULL: the file is written in
		       place */
};

/**
 * al_file_open_for_atomic_write() - Open a file for writing.
 * @f: receives the state; must be closed even on error.
 * @path: final name; is copied. "-" is standard output.
 *
 * Return: 0; -errno, including the errors of
 *         al_replace_check_output().
 */
int al_file_open_for_atomic_write(struct al_file *f, const char *path);

/**
 * al_file_close_commit_or_remove() - Close a file and rename it to its final
 * name.
 * @err: if it is not 0, the file is incomplete, and is removed.
 *
 * Return: @err if it is not 0; else 0, or -errno of a failed write, of
 * al_replace_check_output() or of renaming, after which the file is removed,
 * too.
 */
int al_file_close_commit_or_remove(struct al_file *f, int err);

/**
 * al_file_remove_all_temporary() - Remove the temporary files that are open.
 *
 * For a handler of a signal that ends the process: async-signal-safe. At most
 * AL_FILE_MAX_OPEN open files are removed.
 */
void al_file_remove_all_temporary(void);

enum { AL_FILE_MAX_OPEN = 256 };

/**
 * al_file_write_atomically() - Open a file, call @write once with its stream,
 * and close the file.
 * @path: final name, which the file gets only if nothing failed.
 * @write: returns 0 or -errno; need not flush.
 *
 * Return: 0; -errno.
 */
int al_file_write_atomically(const char *path, int (*write)(void *arg, FILE *),
			     void *arg);

#endif
