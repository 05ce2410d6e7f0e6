/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - declares export formats and the jobs that write them
 *
 * Threads: one per job.
 */
#ifndef LIBALLERIA_EXPORT_FORMAT_H
#define LIBALLERIA_EXPORT_FORMAT_H

#include <alleria/alleria.h>

/* One export. */
struct ex_job {
	struct alleria_profile *profile;
	const char *path; /* path of the output; "-" is standard output */

	/* A message from the format: why it failed, or which data it left out;
	   "" for none. */
	char message[ALLERIA_MESSAGE];
};

/* A format of another tool. */
struct ex_format {
	const char *name;
	const char *summary;
	uint32_t needs; /* enum alleria_has */
	/* Write the output. Return: 0; -1 with the job's message. */
	int (*write)(struct ex_job *);
};

/* All formats; NULL ends them. */
extern const struct ex_format *const ex_formats[];

/**
 * ex_check_needs() - Refuse a profile that lacks what a format needs.
 * @format: name of the format.
 * @needs: OR of enum alleria_has.
 * @message: [ALLERIA_MESSAGE] names the first that is missing.
 *
 * Return: 0; -1 with @message.
 */
int ex_check_needs(const struct alleria_profile *, const char *format,
		   uint32_t needs, char *message);

/* Set the job's message to the text of an enum alleria_error and, if @cursor is
   not NULL, of the cursor's error. Return: -1. */
int ex_fail(struct ex_job *, int error, const struct alleria_cursor *);

/* Store as the job's message that the file @path cannot be written. @err: errno
   or -errno. Return: -1. */
int ex_fail_file(struct ex_job *, const char *path, int err);

#endif
