/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * standard_output.c - reports failed writes to standard output; see
 * standard_output.h
 */
#include "base/system/standard_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { UNWRITTEN = 2 /* exit status if some output was not written */ };

static int cause; /* errno of the first failed write to standard output, or 0 */

/* Whether write() can fail with @error [errno]. */
static bool is_error_of_write(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EFBIG ||
	       error == EPIPE || error == EIO || error == EAGAIN ||
	       error == EBADF;
}

bool al_stdout_has_failed(void)
{
	if (ferror(stdout) && !cause && is_error_of_write(errno))
		cause = errno;
	return ferror(stdout);
}

int al_stdout_flush_or_report_failure(const char *program_name,
				      int status_if_written)
{
	al_stdout_has_failed(); /* fflush() below can overwrite errno */
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status_if_written;
	if (!cause)
		cause = errno ? errno : EIO;
	fprintf(stderr, "%s: cannot write standard output: %s\n", program_name,
		strerror(cause));
	return UNWRITTEN;
}
