/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunk_worker.c - executes the turns of a client's chunk workers
 *
 * Threads: workers; each chunk worker of a client is on one worker at a time.
 *
 * A turn of a chunk worker executes one job of the analysis. A chunk worker
 * that finds no job becomes idle; the thread that creates jobs posts idle chunk
 * workers.
 */
#include <stddef.h>

#include "daemon/client/chunk_worker.h"
#include "daemon/client/connection.h"
#include "daemon/client/state.h"

void dm_chunk_workers_post_idle_to_pool(struct dm_client *c, unsigned max_count)
{
	for (; max_count > 0 && c->idle_chunk_workers != NULL; max_count--) {
		struct dm_chunk_worker *h = c->idle_chunk_workers;

		c->idle_chunk_workers = h->next;
		dm_workers_post_task_unless_queued(&c->daemon->workers,
						   &h->task);
	}
}

/* Release the oldest chunk, which is analysed, to the tool, and answer the tool
   if it waits for space. Queue the task of the ring reader, because the tool
   may have published chunks without a message since the last turn. Context:
   lock held. */
static void release_oldest_chunk(struct dm_client *c)
{
	dm_ring_mark_oldest_chunk_released(&c->ring);
	c->analysed++;
	dm_client_answer_wait_if_ring_has_room(c, false);
	dm_client_apply_event_or_abort(c, DM_EV_FEED);
	dm_workers_post_task_unless_queued(&c->daemon->workers,
					   &c->ring_reader);
}

/* Add the chunk worker to the client's idle ones. Context: lock held. */
static void add_to_idle_chunk_workers_of_client(struct dm_chunk_worker *worker)
{
	worker->next = worker->client->idle_chunk_workers;
	worker->client->idle_chunk_workers = worker;
}

/* Store the next job for a chunk worker in *@job. If there is none, or the ring
   reader does the remaining work alone, add the chunk worker to the client's
   idle ones and return false. Context: lock held. */
static bool find_job_or_become_idle(struct dm_chunk_worker *h,
				    struct al_job *job, unsigned worker_number)
{
	struct dm_client *c = h->client;
	bool found =
		c->machine.feeding != DM_ALONE &&
		al_stream_choose_job_for_worker(c->stream, job, worker_number);

	if (!found)
		add_to_idle_chunk_workers_of_client(h);
	return found;
}

bool dm_chunk_worker_run_job_has_more_jobs(struct dm_task *task,
					   struct dm_worker *worker)
{
	struct dm_chunk_worker *h = (struct dm_chunk_worker *)task;
	struct dm_client *c = h->client;
	struct dm_daemon *d = c->daemon;
	struct al_job job;
	unsigned jobs;
	bool found;

	dm_lock(d);
	found = find_job_or_become_idle(h, &job,
					dm_worker_number_from_1(worker));
	dm_unlock(d);
	if (!found)
		return false;
	al_stream_run_and_time_job(c->stream, &job);
	dm_lock(d);
	if (al_stream_finish_job_return_chunk_ended(c->stream, &job))
		release_oldest_chunk(c);
	jobs = al_stream_count_runnable_jobs(c->stream);
	if (jobs > 0)
		dm_chunk_workers_post_idle_to_pool(c, jobs - 1);
	else
		add_to_idle_chunk_workers_of_client(h);
	dm_unlock(d);
	return jobs > 0;
}
