/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - declares export formats and the jobs that write them
 *
 * Threads: one per job.
 */
#ifndef LIBALLERIA_EXPORT_FORMAT_H
#define LIBALLERIA_EXPORT_FORMAT_H

#include <alleria/alleria.h>

/* One export: the profile to read, the path to write, and the message that the
   format returns. */
struct ex_job {
	struct alleria_profile *profile;
	const char *path; /* path of the output; "-" is standard output */

	/* Message from the format: why it failed, or which data it left out; ""
	   for none. */
	char message[ALLERIA_MESSAGE];
};

/* A format of another tool. */
struct ex_format {
	const char *name;
	const char *summary;
	uint32_t needs; /* OR of enum alleria_has: what a profile must have */
	/* Write the output. Return: 0; -1 with the job's message. */
	int (*write)(struct ex_job *);
};

/* All formats, ended by NULL. */
extern const struct ex_format *const ex_formats[];

/**
 * ex_check_profile_has_fields() - Check that a profile has what a format needs.
 * @format: name of the format.
 * @needed_fields: OR of enum alleria_has.
 * @message: [ALLERIA_MESSAGE] receives a line about the first thing that is
 *           missing.
 *
 * Return: 0; -1 with @message.
 */
int ex_check_profile_has_fields(const struct alleria_profile *,
				const char *format, uint32_t needed_fields,
				char *message);

/* Set the job's message to the text of an enum alleria_error and, if @cursor is
   not NULL, of the cursor's error. Return: -1. */
int ex_set_job_error_return_minus_1(struct ex_job *, int error,
				    const struct alleria_cursor *);

/* Set the job's message to that the file @path cannot be written. @err: errno
   or -errno. Return: -1. */
int ex_set_write_error_return_minus_1(struct ex_job *, const char *path,
				      int err);

#endif
