/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock_check.c - asserts that no thread waits while it holds a contended
   lock */

/* Define the functions in every build; only calls to them are left out without
   checks. */
#undef AL_LOCK_CHECKS
#define AL_LOCK_CHECKS
#include "base/system/lock_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local unsigned
	n_held_locks; /* number of locks held by this thread under which nothing
			 may block */

void al_lock_check_begin_blocking_ban(void)
{
	n_held_locks++;
}

void al_lock_check_end_blocking_ban(void)
{
	n_held_locks--;
}

/* Abort if the calling thread must not wait now, after a line on standard
   error, which is written by write(), because stderr may be the stream that
   blocks. */
void al_blocking_abort_if_forbidden(const char *function)
{
	char line[128];
	int n;

	if (!n_held_locks)
		return;
	n = snprintf(line, sizeof(line),
		     "alleria: %s() may block while a lock is held\n",
		     function);
	(void)!write(STDERR_FILENO, line, (size_t)n);
	abort();
}
