/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.c - reports how far the reading of a file has come; see progress.h
 */
#include "base/system/progress.h"

#include <pthread.h>
#include <stddef.h>

/* Guards the variables below and calls of the observer: a replay reads a file
   on several threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool (*observer)(void *arg, uint64_t done, uint64_t total);
static void *observer_arg;
static uint64_t last_total; /* [bytes] total of the last report */
void al_progress_set_observer(bool (*callback)(void *arg, uint64_t done,
					       uint64_t total),
			      void *arg)
{
	pthread_mutex_lock(&lock);
	observer = callback;
	observer_arg = arg;
	pthread_mutex_unlock(&lock);
}

bool al_progress_report_may_continue(uint64_t done_bytes, uint64_t total_bytes)
{
	bool goes_on;

	pthread_mutex_lock(&lock);
	last_total = total_bytes;
	goes_on = !observer || observer(observer_arg, done_bytes, total_bytes);
	pthread_mutex_unlock(&lock);
	return goes_on;
}

bool al_progress_report_0_done_may_continue(void)
{
	uint64_t total;

	pthread_mutex_lock(&lock);
	total = last_total;
	pthread_mutex_unlock(&lock);
	return al_progress_report_may_continue(0, total);
}
