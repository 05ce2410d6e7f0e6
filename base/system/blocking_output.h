/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocking_output.h - writes to files that may block: pipes, terminals,
 * devices, descriptors
 *
 * Functions wait for the reader of a FIFO, or for room in a full pipe, in
 * slices of AL_SPECIAL_FILE_SLICE_MS. Between two slices the process may cancel
 * the output.
 *
 * Threads: streams as any FILE; the functions here may be called by any thread.
 */
#ifndef BASE_SYSTEM_BLOCKING_OUTPUT_H
#define BASE_SYSTEM_BLOCKING_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum { AL_SPECIAL_FILE_SLICE_MS = 50 };

/**
 * al_special_file_set_cancel_check() - Set how the process cancels output that
 * blocks.
 * @is_cancelled: called by each waiting thread, at least every
 *           AL_SPECIAL_FILE_SLICE_MS; true: the output fails with ECANCELED.
 *           NULL, the initial state: wait without end.
 *
 * Call it before other threads write.
 */
void al_special_file_set_cancel_check(bool (*is_cancelled)(void *arg),
				      void *arg);

/**
 * al_is_stdout_or_special_file() - Whether @path can only be written to, and
 * not be replaced: standard output ("-"), a terminal, a pipe, a device, a
 * descriptor, or another file that is not regular.
 */
bool al_is_stdout_or_special_file(const char *path);

/**
 * al_special_file_open_write_stream() - Open a special file for writing.
 * @special_path: "-" is standard output. The name of a descriptor ("/dev/fd/3",
 *        "/dev/stdout") continues at the descriptor's offset.
 *
 * The stream is fully buffered. It cannot be read, and has no descriptor that
 * fileno() would return.
 *
 * Return: the stream, to be closed by fclose(); NULL with errno: ECANCELED if
 * the process cancelled it, EBADF if the descriptor is not open for writing,
 * ...
 */
FILE *al_special_file_open_write_stream(const char *special_path);

/* Return the stream of standard output that all outputs share, so that the data
   of each fwrite() stays together; or NULL with errno. The first call opens the
   stream. It is never closed. */
FILE *al_special_file_shared_stdout(void);

/**
 * al_special_file_open_blocking_write_fd() - Open a special file for another
 * process to write.
 *
 * Waits for a FIFO's reader as al_special_file_open_write_stream() does.
 * Writing to the descriptor blocks as usual.
 *
 * Return: a descriptor that is closed on exec; -errno.
 */
int al_special_file_open_blocking_write_fd(const char *path);

#endif
