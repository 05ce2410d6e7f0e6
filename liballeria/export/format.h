/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - a format of another tool, and what it is written from
 *
 * Threads: one per job.
 */
#ifndef LIBALLERIA_EXPORT_FORMAT_H
#define LIBALLERIA_EXPORT_FORMAT_H

#include <alleria/alleria.h>

struct ex_job {
	struct alleria_profile *profile;
	const char *path; /* of the output; "-" is standard output */

	/* What a format says: why it failed, or what did not fit; "" when there
	   is nothing. */
	char message[ALLERIA_MESSAGE];
};

struct ex_format {
	const char *name;
	const char *summary;
	uint32_t needs; /* enum alleria_has */
	/* 0; -1: the message says why. */
	int (*write)(struct ex_job *);
};

/* All of them, ended by NULL. */
extern const struct ex_format *const ex_formats[];

/**
 * ex_check_needs() - Refuse a profile that lacks what a format needs.
 * @format: its name.
 * @needs: enum alleria_has.
 * @message: [ALLERIA_MESSAGE] names the first that is missing.
 *
 * Return: 0; -1 with @message.
 */
int ex_check_needs(const struct alleria_profile *, const char *format,
		   uint32_t needs, char *message);

/* Takes the words of an enum alleria_error, and of the cursor if there is one,
   as the job's message. Return: -1. */
int ex_fail(struct ex_job *, int error, const struct alleria_cursor *);

/* Store as the job's message that the file @path cannot be written. @err: errno
   or -errno. Return: -1. */
int ex_fail_file(struct ex_job *, const char *path, int err);

#endif
