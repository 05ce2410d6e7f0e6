/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - reports how far the reading of a file has come
 *
 * Threads: any; the observer is called by one at a time, with a lock held, and
 * must not call these functions.
 */
#ifndef BASE_SYSTEM_PROGRESS_H
#define BASE_SYSTEM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * al_progress_set_observer() - Set a function that the functions below call.
 * @observer: NULL: none, the initial state. @done is the end in the file of the
 *         part that is read next, or 0, and @total that of the last part
 *         [bytes]. It returns whether reading continues.
 */
void al_progress_set_observer(bool (*observer)(void *arg, uint64_t done,
					       uint64_t total),
			      void *arg);

/* Call the observer, if there is one, with @done_bytes and @total_bytes.
   Return: whether reading continues; true without an observer. */
bool al_progress_report_may_continue(uint64_t done_bytes, uint64_t total_bytes);

/* Call the observer, if there is one, with 0 and the last total, and return
   whether work continues; true without an observer. For work that remains when
   everything is read. */
bool al_progress_report_0_done_may_continue(void);

#endif
