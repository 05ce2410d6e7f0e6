/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.h - decides when a program is recorded, and with how much memory
 *
 * Threads: the server thread.
 *
 * All rings together use at most settings->memory. A program that begins while
 * there is no other ring gets the ring that the settings request, if it fits.
 * Another program gets at most a twelfth of the memory that is left, and a
 * smaller fraction the less is left, in steps down to two chunks of the
 * smallest size and a small log. So a compiler gets a large ring although
 * its driver waits for it with a ring of its own, and no program gets all the
 * memory. Only the smallest ring may use the last of it.
 */
#ifndef DAEMON_CLIENT_ADMISSION_H
#define DAEMON_CLIENT_ADMISSION_H

#include "daemon/client/state.h"
#include "daemon/core/clock.h"

/* [ns] maximum time that a tool's first message (hello) waits for memory; then
   the tool is refused. If the previous image of the process has ended, the
   hello waits without limit until the data of that image are analysed. The time
   starts again while a report is made. */
#define DM_ADMIT_WAIT_NS (10 * DM_SECOND)
/* [ns] the same, of a forked child if only processes that it was forked from
   have rings: these may wait for the child. */
#define DM_ADMIT_CHILD_WAIT_NS DM_SECOND

/**
 * dm_ring_shape_try_shrink_to_fit_memory() - Shrink the shape of a ring until
 * it needs at most the memory that one program may use, or is the smallest
 * shape.
 * @s: requested shape; receives the shrunk shape.
 * @memory_limit_bytes: limit of all rings together.
 * @used_bytes: part of the limit that other rings use. If it is 0, the ring may
 *         use the whole limit; otherwise a fraction of what is left.
 *
 * Return: whether @s fits into the memory left; false if even the smallest
 *         shape does not.
 */
bool dm_ring_shape_try_shrink_to_fit_memory(struct dm_shape *s,
					    size_t memory_limit_bytes,
					    size_t used_bytes);

/**
 * dm_admit_or_postpone_refuse_at_deadline() - Create the ring of a client in
 * WAITING and move the client to STARTING, or leave it in WAITING, or refuse
 * it.
 *
 * The client waits while a report is made, while the previous image of its
 * process is analysed, or while there is no memory for a ring. It is refused,
 * and its connection closed, if its deadline has passed, no other ring can
 * release memory, or the daemon is out of memory. If its ring could not be
 * created, its process is marked as lossy; see
 * dm_ancestry_end_process_as_lossy().
 *
 * Context: lock held; released while memory is allocated.
 */
void dm_admit_or_postpone_refuse_at_deadline(struct dm_client *);

#endif
