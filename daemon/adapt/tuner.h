/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tuner.h - runs the thread that adapts the number of workers and buffers
 *
 * At the end of each period the thread measures how long workers were idle and
 * programs waited, passes this to adaptive.c, and applies and logs the
 * decision. It sleeps while no program runs.
 */
#ifndef DAEMON_ADAPT_TUNER_H
#define DAEMON_ADAPT_TUNER_H

#include "daemon/client/state.h"

/* Start the tuner thread with every signal blocked. Return: 0; -errno. */
int dm_tuner_start_thread(struct dm_daemon *);

/* Stop the tuner thread and wait for it. This sets dm_daemon.quit, which ends
   the server too. Call it only if dm_tuner_start_thread() succeeded. */
void dm_tuner_stop_and_set_daemon_quit(struct dm_daemon *);

#endif
