/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tuner.h - the thread that adapts workers and buffers, period by period
 *
 * It looks how long the workers were idle and the programs waited, has
 * adaptive.c decide, and does and logs what that says. While no program
 * runs it sleeps.
 */
#ifndef DAEMON_ADAPT_TUNER_H
#define DAEMON_ADAPT_TUNER_H

#include "daemon/client/state.h"

/* Return: 0; -errno. */
int dm_tuner_start(struct dm_daemon *);

/* When it was started. */
void dm_tuner_stop(struct dm_daemon *);

#endif
