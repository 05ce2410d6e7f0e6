/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_growth.c - more buffers for a program that runs
 */
#include "daemon/client/ring_growth.h"

void dm_growth_want(struct dm_client *c, unsigned chunks)
{
	unsigned most = c->ring.shape.max_chunks; /* constant by now */

	if (chunks > most)
		chunks = most;
	if (chunks <= c->chunks || chunks <= c->wanted || c->stage != DM_LIVE)
		return;
	c->wanted = chunks;
	dm_workers_post(&c->daemon->workers, &c->intake);
}

/* As many of @chunks as there is memory for; takes it. Context: lock held. */
static unsigned reserve(struct dm_client *c, unsigned chunks)
{
	struct dm_daemon *d = c->daemon;
	size_t most = d->settings->memory / 2, size = c->ring.shape.chunk_bytes;
	size_t free = most > d->memory ? (most - d->memory) / size : 0;

	if (chunks > free)
		chunks = (unsigned)free;
	d->memory += chunks * size;
	return chunks;
}

void dm_growth_turn(struct dm_client *c, unsigned chunks)
{
	struct dm_daemon *d = c->daemon;
	unsigned more;
	int added;

	if (chunks <= c->chunks) /* which nobody else changes */
		return;
	dm_lock(d);
	more = reserve(c, chunks - c->chunks);
	dm_unlock(d);
	if (!more)
		return;
	added = dm_ring_grow(&c->ring, c->chunks + more);
	dm_lock(d);
	if (added < 0) { /* nor is it worth another try */
		c->wanted = 0;
		c->ring.shape.max_chunks = 0;
		added = 0;
	}
	d->memory -=
		(more - (unsigned)added) * (size_t)c->ring.shape.chunk_bytes;
	c->chunks += (unsigned)added;
	dm_unlock(d);
}
