/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ex_list.c - the list of formats
 *
 * Room:    export.
 *
 * A new one: its file, an extern and a line here.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/al_replace.h"
#include "export/ex_format.h"

extern const struct ex_format ex_champsim, ex_din, ex_drmemtrace, ex_npy,
	ex_sqlite, ex_xdin;

const struct ex_format *const ex_formats[] = {
	&ex_champsim, &ex_din,	&ex_drmemtrace, &ex_npy,
	&ex_sqlite,   &ex_xdin, NULL,
};

int ex_fail(struct ex_job *job, int error, const struct alleria_cursor *c)
{
	const char *more = c ? alleria_cursor_error(c) : "";

	snprintf(job->message, sizeof(job->message), "%s%s%.200s",
		 alleria_error_text(error), *more ? ": " : "", more);
	return -1;
}

int ex_fail_file(struct ex_job *job, const char *path, int err)
{
	bool named = strcmp(path, "-") != 0;

	snprintf(job->message, sizeof(job->message),
		 "cannot write %s%.200s%s: %s", named ? "'" : "",
		 named ? path : "standard output", named ? "'" : "",
		 al_replace_error(err));
	return -1;
}
