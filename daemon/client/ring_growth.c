/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_growth.c - adds chunks to the ring of a running program
 */
#include "daemon/client/ring_growth.h"

void dm_ring_growth_request_total_chunks(struct dm_client *c,
					 unsigned target_chunk_count)
{
	unsigned max = c->ring.shape.max_chunks; /* set to 0, with the lock
						    held, if a growth failed */

	if (target_chunk_count > max)
		target_chunk_count = max;
	if (target_chunk_count <= c->chunks ||
	    target_chunk_count <= c->target_chunks || c->stage != DM_LIVE)
		return;
	c->target_chunks = target_chunk_count;
	dm_workers_post_task_unless_queued(&c->daemon->workers,
					   &c->ring_reader);
}

/* Reserve memory in dm_daemon.ring_bytes for @wanted_extra_chunks chunks, or
   for fewer if all rings together would use more than half of settings->memory.
   Return: number of chunks for which memory was reserved. Context: lock held.
   */
static unsigned reserve_memory_return_chunk_count(struct dm_client *c,
						  unsigned wanted_extra_chunks)
{
	struct dm_daemon *d = c->daemon;
	size_t max = d->settings->memory / 2, size = c->ring.shape.chunk_bytes;
	size_t free = max > d->ring_bytes ? (max - d->ring_bytes) / size : 0;

	if (wanted_extra_chunks > free)
		wanted_extra_chunks = (unsigned)free;
	d->ring_bytes += wanted_extra_chunks * size;
	return wanted_extra_chunks;
}

void dm_ring_growth_grow_to_chunk_count(struct dm_client *c,
					unsigned target_chunk_count)
{
	struct dm_daemon *d = c->daemon;
	unsigned reserved;
	int added;

	if (target_chunk_count <=
	    c->chunks) /* no lock needed: only this thread changes
				    c->chunks */
		return;
	dm_lock(d);
	reserved = reserve_memory_return_chunk_count(c, target_chunk_count -
								c->chunks);
	dm_unlock(d);
	if (!reserved)
		return;
	added = dm_ring_grow_return_added_chunks(&c->ring,
						 c->chunks + reserved);
	dm_lock(d);
	if (added < 0) { /* never try again: it would fail too */
		c->target_chunks = 0;
		c->ring.shape.max_chunks = 0;
		added = 0;
	}
	d->ring_bytes -= (reserved - (unsigned)added) *
			 (size_t)c->ring.shape.chunk_bytes;
	c->chunks += (unsigned)added;
	dm_unlock(d);
}
