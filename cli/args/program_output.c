/* SPDX-License-Identifier: GPL-2.0-or-later */
/* program_output.c - opens the file that becomes the standard output of the
   recorded program; see program_output.h */

#include "cli/args/program_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/blocking_output.h"
#include "base/system/replaceable.h"
#include "base/text/message.h"

/* Return the current offset [bytes] of our standard output; -1: it is no
   regular file. */
static off_t get_stdout_offset_if_regular_file(void)
{
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	return lseek(STDOUT_FILENO, 0, SEEK_CUR);
}

/* Open @path for writing by the program: create the file or cut it to 0 bytes,
   unless outputs may not replace it (replaceable.h). A special file is opened
   as it is. Return: the descriptor; -errno. */
static int open_output_fd_if_replacing_is_allowed(const char *path)
{
	int err, fd;

	if (al_is_stdout_or_special_file(path))
		return al_special_file_open_blocking_write_fd(path);
	err = al_replace_check_output(path);
	if (err)
		return err;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC,
		  0666);
	return fd < 0 ? -errno : fd;
}

int cl_program_output_open_if_named(struct cl_program_output *o,
				    const struct al_settings *s, char *message)
{
	const char *path = s->program_output;

	*o = (struct cl_program_output){
		.fd = -1,
		.initial_offset = get_stdout_offset_if_regular_file()};
	if (!path || !strcmp(path, "-"))
		return 0;
	o->fd = open_output_fd_if_replacing_is_allowed(path);
	return o->fd >= 0 ? 0
			  : al_message_return_einval(
				    message, "cannot write '%.200s': %s", path,
				    al_replace_output_file_error_text(o->fd));
}

/* Whether the program has written to our standard output, or may have. False if
   the program has another one. For a regular file, its offset has changed; a
   pipe or a socket may have been written to. */
static bool may_program_have_used_stdout(const struct cl_program_output *o)
{
	struct stat st;

	if (o->fd >= 0 || fstat(STDOUT_FILENO, &st) < 0)
		return false;
	if (o->initial_offset >= 0)
		return get_stdout_offset_if_regular_file() != o->initial_offset;
	return S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
}

void cl_program_output_warn_if_report_follows(const struct cl_program_output *o,
					      const struct al_settings *s)
{
	if (s->json && !strcmp(s->json, "-") && may_program_have_used_stdout(o))
		fprintf(stderr,
			"alleria: warning: standard output gets the report "
			"after what the program writes there; "
			"--program-output=FILE keeps them apart\n");
}

void cl_program_output_close(struct cl_program_output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
}
