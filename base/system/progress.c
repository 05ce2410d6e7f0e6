/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.c - reports how far the reading of a file has come; see progress.h
 */
#include "base/system/progress.h"

#include <stddef.h>

static bool (*observer)(void *arg, uint64_t done, uint64_t total);
static void *observer_arg;
static uint64_t last_total; /* [bytes] */

void al_progress_set_observer(bool (*function)(void *arg, uint64_t done,
					       uint64_t total),
			      void *arg)
{
	observer = function;
	observer_arg = arg;
}

bool al_progress_report(uint64_t done, uint64_t total)
{
	last_total = total;
	return !observer || observer(observer_arg, done, total);
}

bool al_progress_goes_on(void)
{
	return al_progress_report(0, last_total);
}
