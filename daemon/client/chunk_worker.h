/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunk_worker.h - executes the turns of a client's chunk workers, the tasks
 * that analyse its chunks
 */
#ifndef DAEMON_CLIENT_CHUNK_WORKER_H
#define DAEMON_CLIENT_CHUNK_WORKER_H

#include <stdbool.h>

struct dm_client;
struct dm_task;
struct dm_worker;

/* Queue the tasks of at most @max_count idle chunk workers of the client for
   worker threads; each task executes one job. Context: lock held. */
void dm_chunk_workers_post_idle_to_pool(struct dm_client *, unsigned max_count);

/* Execute one job of the client's analysis, if there is one. Return: whether
   another job can begin now. The type is dm_turn_fn. */
bool dm_chunk_worker_run_job_has_more_jobs(struct dm_task *,
					   struct dm_worker *);

#endif
