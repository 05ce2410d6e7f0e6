/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.h - decides when a program is recorded, and with how much memory
 *
 * Threads: the server thread.
 *
 * All rings together use at most settings->memory. The first program gets the
 * ring that the settings request. A later program gets at most a twelfth of the
 * memory that is left, and a smaller fraction the less is left, in steps down
 * to two chunks of the smallest size. So a compiler gets a large ring although
 * its driver waits for it with a ring of its own, and no program gets all the
 * memory. Only the smallest ring may use the last of it.
 */
#ifndef DAEMON_CLIENT_ADMISSION_H
#define DAEMON_CLIENT_ADMISSION_H

#include "daemon/client/state.h"
#include "daemon/core/clock.h"

/* Time that a tool's first message (hello) waits for memory; then the tool is
   refused. If the previous image of the process has ended, the hello waits
   without limit until the data of that image are analysed. */
#define DM_ADMIT_WAIT_NS (10 * DM_SECOND)

/**
 * dm_ring_shape_reduce_to_share() - Reduce the shape of a ring to the memory
 * that is left.
 * @s: requested shape; receives the shape that fits.
 * @memory_limit: [bytes] for all rings.
 * @used_bytes: [bytes] of @memory_limit that are used.
 *
 * Return: whether @s fits; false if even the smallest shape does not.
 */
bool dm_ring_shape_reduce_to_share(struct dm_shape *s, size_t memory_limit,
				   size_t used_bytes);

/**
 * dm_try_admit_or_refuse_client() - Try to move a client from WAITING to
 * STARTING.
 *
 * If the client's deadline has passed, its tool is refused and its connection
 * is closed. The program then runs unrecorded, which makes the run lossy.
 *
 * Context: lock held; released while memory is allocated.
 */
void dm_try_admit_or_refuse_client(struct dm_client *);

#endif
