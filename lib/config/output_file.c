/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output_file.c - writes the output file of an analysis; see output_file.h */

#include "lib/config/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *al_output_make_labelled_file_name(const char *pattern,
					const char *exec_image_label,
					const char *window_name)
{
	const char *mark = strstr(pattern, "%n"),
		   *separator = *window_name ? "@" : "";
	bool first = strcmp(exec_image_label, AL_FIRST_LABEL) == 0;
	char *name;
	int len;

	if (mark != NULL)
		len = asprintf(&name, "%.*s%s%s%s%s", (int)(mark - pattern),
			       pattern, exec_image_label, separator,
			       window_name, mark + 2);
	else
		len = asprintf(&name, "%s%s%s%s%s", pattern, first ? "" : ".",
			       first ? "" : exec_image_label, separator,
			       window_name);
	return len < 0 ? NULL : name;
}

int al_output_open(struct al_output *o, const char *pattern,
		   const char *exec_image_label, const char *window_name)
{
	char *name = NULL;
	int err;

	*o = (struct al_output){0};
	if (pattern == NULL || strcmp(pattern, "-") == 0)
		return al_file_open_for_atomic_write(&o->file, "-");
	name = al_output_make_labelled_file_name(pattern, exec_image_label,
						 window_name);
	err = name == NULL ? -ENOMEM
			   : al_file_open_for_atomic_write(&o->file, name);
	free(name);
	return err;
}

bool al_output_is_open(const struct al_output *o)
{
	return o->file.stream != NULL;
}

int al_output_write(struct al_output *o, const void *data, size_t len)
{
	errno = 0;
	if (fwrite(data, 1, len, o->file.stream) == len)
		return 0;
	o->error = errno ? -errno : -EIO;
	return o->error;
}

int al_output_close_commit_or_remove(struct al_output *o)
{
	int err = al_file_close_commit_or_remove(&o->file, o->error);

	o->error = 0;
	return err;
}
