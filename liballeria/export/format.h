/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - declares export formats and the jobs that write them
 *
 * Threads: one per job.
 */
#ifndef LIBALLERIA_EXPORT_FORMAT_H
#define LIBALLERIA_EXPORT_FORMAT_H

#include <stdbool.h>

#include <alleria/alleria.h>

/* One export: the profile to read, the path to write, and a message for the
   user. */
struct ex_export_job {
	struct alleria_profile *profile;
	const char *path; /* path of the output; "-" is standard output */

	/* Message from the format: why it failed, or which data it left out; ""
	   for none. */
	char message[ALLERIA_MESSAGE];
	bool is_damaged; /* damaged parts of the profile were skipped */
};

/* A format to which profiles are exported. */
struct ex_format {
	const char *name;
	const char *summary;
	/* OR of enum alleria_has: the data that a profile must have */
	uint32_t needs;
	/* Write the profile to the job's path. Return: 0; -1 with the job's
	   message, which may be "" if the user has cancelled the command. */
	int (*write)(struct ex_export_job *);
};

/* All export formats, sorted by name; the last element is NULL. */
extern const struct ex_format *const ex_formats[];

/**
 * ex_check_profile_has_fields() - Check that every image of a profile has the
 * data that a format needs.
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

/* Set the job's message to the text of @error, an enum alleria_error, and after
   it the message of the cursor, unless that is NULL or has none. Return: -1. */
int ex_set_job_error_return_minus_1(struct ex_export_job *, int error,
				    const struct alleria_cursor *);

/* Whether @result, which a cursor or a replay has returned, is not an error:
   records, 0, or ALLERIA_E_DAMAGED; for the latter set is_damaged of the job,
   since the cursor continues after the damage. */
bool ex_is_success_or_damage_noting_damage(struct ex_export_job *, long result);

/* Set the job's message to a text that file @path cannot be written, with the
   reason @err, an errno or -errno. Return: -1. */
int ex_set_write_error_return_minus_1(struct ex_export_job *, const char *path,
				      int err);

#endif
