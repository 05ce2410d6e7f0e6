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

bool al_stdout_has_failed(void)
{
	if (ferror(stdout) && !cause)
		cause = errno;
	return ferror(stdout);
}

int al_stdout_flush_or_report_failure(const char *program_name,
				      int status_if_written)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status_if_written;
	if (!cause)
		cause = errno ? errno : EIO;
	fprintf(stderr, "%s: cannot write standard output: %s\n", program_name,
		strerror(cause));
	return UNWRITTEN;
}
