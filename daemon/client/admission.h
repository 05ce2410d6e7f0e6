/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.h - when a program may be recorded, and with how much memory
 *
 * Threads: the server thread.
 *
 * All rings together keep within settings->memory. The first program gets
 * what was asked for. A later one gets at most a twelfth of what is left, and
 * less the less there is, in steps down to two smallest chunks, so that a
 * compiler is not slower for its driver, which waits for it with a ring of its
 * own, and yet nobody takes it all; such a smallest ring may take the last of
 * it.
 */
#ifndef DAEMON_CLIENT_ADMISSION_H
#define DAEMON_CLIENT_ADMISSION_H

#include "daemon/client/state.h"
#include "daemon/core/clock.h"

/* How long a hello waits for others to end; then the tool is refused. For the
   image before it, once that has ended, it waits until it is drained. */
#define DM_ADMIT_WAIT_NS (10 * DM_SECOND)

/**
 * dm_admit_shape() - The ring that a program gets.
 * @s: what was asked for; receives what fits.
 * @memory: [bytes] for all rings.
 * @used: [bytes] of it.
 *
 * Return: whether even the smallest fits.
 */
bool dm_admit_shape(struct dm_shape *s, size_t memory, size_t used);

/**
 * dm_admit() - Try to go on from WAITING to STARTING.
 *
 * When its deadline has passed the tool is refused, and its connection closed;
 * a program that went on unrecorded makes the run lossy.
 *
 * Context: lock held; given up while memory is allocated.
 */
void dm_admit(struct dm_client *);

#endif
