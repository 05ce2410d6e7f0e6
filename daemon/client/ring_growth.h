/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_growth.h - adds chunks to the ring of a running program
 *
 * A ring grows only while all rings together use at most half of
 * settings->memory, so that later programs get memory too.
 */
#ifndef DAEMON_CLIENT_RING_GROWTH_H
#define DAEMON_CLIENT_RING_GROWTH_H

#include "daemon/client/state.h"

/* Request that the client's ring grows to a total of @target_chunk_count
   chunks, at most shape.max_chunks: store the target and post the ring reader,
   which grows the ring. No-op if the ring has, or was requested to have, that
   many, or if the client is not in DM_LIVE. Context: lock held. */
void dm_ring_growth_request_total_chunks(struct dm_client *,
					 unsigned target_chunk_count);

/* Grow the client's ring to a total of @target_chunk_count chunks, or to fewer
   if memory is short: allocate the chunks and announce them to the tool. No-op
   if the ring has that many. After an error the ring never grows again.
   Context: the worker that runs the ring reader; lock not held. */
void dm_ring_growth_grow_to_chunk_count(struct dm_client *,
					unsigned target_chunk_count);

#endif
