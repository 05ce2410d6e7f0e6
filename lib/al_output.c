/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_output.c - the file that an analysis writes; see al_output.h */

#include "lib/al_output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/al_save.h"

enum { BUFFER = 1 << 18 }; /* [bytes] */

char *al_output_name(const char *pattern, const char *label, const char *window)
{
	const char *mark = strstr(pattern, "%n"), *at = *window ? "@" : "";
	bool first = strcmp(label, AL_FIRST_LABEL) == 0;
	char *name;
	int len;

	if (mark != NULL)
		len = asprintf(&name, "%.*s%s%s%s%s", (int)(mark - pattern),
			       pattern, label, at, window, mark + 2);
	else
		len = asprintf(&name, "%s%s%s%s%s", pattern, first ? "" : ".",
			       first ? "" : label, at, window);
	return len < 0 ? NULL : name;
}

static int open_file(struct al_output *o)
{
	if (!al_is_special(o->name) &&
	    asprintf(&o->part, "%s.part", o->name) < 0) {
		o->part = NULL;
		return -ENOMEM;
	}
	o->file = fopen(o->part ? o->part : o->name, "we");
	if (o->file == NULL)
		return -errno;
	setvbuf(o->file, NULL, _IOFBF, BUFFER);
	return 0;
}

int al_output_open(struct al_output *o, const char *pattern, const char *label,
		   const char *window)
{
	*o = (struct al_output){0};
	if (pattern == NULL || strcmp(pattern, "-") == 0) {
		o->file = stdout;
		return 0;
	}
	o->name = al_output_name(pattern, label, window);
	return o->name == NULL ? -ENOMEM : open_file(o);
}

int al_output_write(struct al_output *o, const void *data, size_t len)
{
	errno = 0;
	if (fwrite(data, 1, len, o->file) == len)
		return 0;
	o->error = errno ? -errno : -EIO;
	return o->error;
}

/* Gives the part its name when it is whole, else removes it. */
static int settle(const struct al_output *o, int err)
{
	if (!err && rename(o->part, o->name) != 0)
		err = -errno;
	if (err)
		unlink(o->part);
	return err;
}

int al_output_close(struct al_output *o)
{
	int err = o->error;

	if (o->file == stdout)
		err = fflush(stdout) ? -errno : err;
	else if (o->file != NULL && fclose(o->file) != 0)
		err = -errno;
	if (o->part != NULL && o->file != NULL)
		err = settle(o, err);
	free(o->name);
	free(o->part);
	*o = (struct al_output){0};
	return err;
}
