/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_folder.h - writes an output folder with a file for each thread
 *
 * The folder gets its name when it is complete. An earlier export of the same
 * format is replaced; a folder with other content is refused.
 */
#ifndef LIBALLERIA_EXPORT_OUTPUT_FOLDER_H
#define LIBALLERIA_EXPORT_OUTPUT_FOLDER_H

#include <stdint.h>

#include "liballeria/export/format.h"

/* An output folder that is being written. */
struct ex_folder {
	struct ex_export_job *job;
	const char *format;    /* its files are FORMAT.PROCESS.THREAD.trace */
	const char *subfolder; /* subfolder for the files; "" for none */
	/* temporary path of the folder; NULL: it was not created */
	char *temp_path;
};

/**
 * ex_folder_create_temporary() - Create a folder with a temporary name next to
 * the output.
 * @format: prefix of the file names; must outlive the folder's struct.
 * @sub: subfolder to create for the files, or ""; must outlive it, too.
 *
 * Return: 0; -1 with the job's message. Call ex_folder_commit_or_remove() in
 * any case.
 */
int ex_folder_create_temporary(struct ex_folder *, struct ex_export_job *,
			       const char *format, const char *sub);

/* Return the path of a thread's file in the temporary folder; the caller frees
   it. NULL: memory is short. */
char *ex_folder_make_trace_path(const struct ex_folder *,
				uint32_t process_index, uint32_t thread_number);

/**
 * ex_folder_commit_or_remove() - Rename the folder to the job's path, or remove
 * it.
 * @earlier_error: not 0: the folder is incomplete and is removed. So it is if
 *       the user has cancelled the command.
 *
 * An earlier export of the same format at the path is replaced.
 *
 * Return: @earlier_error if it is not 0; else 0; -1 if it failed, with the
 *         job's message, or if it was cancelled.
 */
int ex_folder_commit_or_remove(struct ex_folder *, int earlier_error);

#endif
