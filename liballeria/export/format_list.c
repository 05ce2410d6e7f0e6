/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format_list.c - lists all export formats, checks that a profile has the data
 * that a format needs, and sets the messages of jobs
 *
 * A new format needs a source file of its own, and an extern declaration and an
 * element here.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/system/replaceable.h"
#include "liballeria/export/format.h"

extern const struct ex_format ex_champsim, ex_din, ex_drmemtrace, ex_npy,
	ex_sqlite, ex_xdin;

const struct ex_format *const ex_formats[] = {
	&ex_champsim, &ex_din,	&ex_drmemtrace, &ex_npy,
	&ex_sqlite,   &ex_xdin, NULL,
};

/* Return those flags of @needed_fields that at least one image of the profile
   lacks. */
static uint32_t fields_missing_in_some_image(const struct alleria_profile *p,
					     uint32_t needed_fields)
{
	uint32_t lacks = 0;

	for (uint32_t i = 1; i <= alleria_run(p)->processes; i++)
		for (uint32_t k = 0; k < alleria_process(p, i)->images; k++)
			lacks |= needed_fields & ~alleria_image(p, i, k)->has;
	return lacks;
}

int ex_check_profile_has_fields(const struct alleria_profile *p,
				const char *format, uint32_t needed_fields,
				char *message)
{
	static const struct {
		uint32_t bit;
		const char *field, *why;
	} fields[] = {
		{ALLERIA_HAS_INSTRUCTIONS, "instructions",
		 "a window file chose kinds of instructions, and the others "
		 "are missing"},
		{ALLERIA_HAS_ACCESSES, "accesses", "it was not recorded"},
		{ALLERIA_HAS_ALL_ADDRESSES, "addresses", "it was not recorded"},
	};
	uint32_t lacks = fields_missing_in_some_image(p, needed_fields);

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (lacks & fields[i].bit) {
			snprintf(message, ALLERIA_MESSAGE,
				 "--format=%s needs '%s', which the profile "
				 "lacks: %s",
				 format, fields[i].field, fields[i].why);
			return -1;
		}
	return 0;
}

int ex_set_job_error_return_minus_1(struct ex_export_job *job, int error,
				    const struct alleria_cursor *c)
{
	const char *more = c ? alleria_cursor_error(c) : "";

	snprintf(job->message, sizeof(job->message), "%s%s%.200s",
		 alleria_error_text(error), *more ? ": " : "", more);
	return -1;
}

bool ex_is_success_or_damage_noting_damage(struct ex_export_job *job,
					   long result)
{
	job->is_damaged |= result == ALLERIA_E_DAMAGED;
	return result >= 0 || result == ALLERIA_E_DAMAGED;
}

int ex_set_write_error_return_minus_1(struct ex_export_job *job,
				      const char *path, int err)
{
	bool named = strcmp(path, "-") != 0;

	snprintf(job->message, sizeof(job->message),
		 "cannot write %s%.200s%s: %s", named ? "'" : "",
		 named ? path : "standard output", named ? "'" : "",
		 al_replace_output_file_error_text(err));
	return -1;
}
