/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_check.h - asserts that no thread waits while it holds a contended lock
 *
 * The owner of such a lock forbids blocking after it has acquired the lock, and
 * allows it again before it releases it. Each function that may wait (for a
 * reader, a process, another thread, the clock, or the file system of a profile
 * or report) begins with a check. Each of the options --enable-lock-checks
 * and --enable-sanitizer of configure compiles the checks in.
 *
 * Threads: any; each has its own state.
 */
#ifndef BASE_SYSTEM_LOCK_CHECK_H
#define BASE_SYSTEM_LOCK_CHECK_H

#ifdef AL_LOCK_CHECKS

/* Add 1 to, or subtract 1 from, the number of locks held by the calling thread
   under which it must not wait. */
void al_lock_check_begin_blocking_ban(void);
void al_lock_check_end_blocking_ban(void);

/* Abort, with one line that names @function, if the calling thread must not
   wait now. */
void al_blocking_abort_if_forbidden(const char *function);

#else

static inline void al_lock_check_begin_blocking_ban(void)
{
}

static inline void al_lock_check_end_blocking_ban(void)
{
}

static inline void al_blocking_abort_if_forbidden(const char *function)
{
	(void)function;
}

#endif

#define al_blocking_check() al_blocking_abort_if_forbidden(__func__)

#endif
