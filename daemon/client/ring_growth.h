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

/* Make the ring reader grow the client's ring to @target_count, if it has
   fewer. Context: lock held. */
void dm_ring_growth_request(struct dm_client *, unsigned target_count);

/* Grow the client's ring to @target_count, or by fewer chunks if memory is
   short. After an error the ring never grows again. Context: the worker that
   runs the ring reader; lock not held. */
void dm_ring_growth_reserve_announce(struct dm_client *, unsigned target_count);

#endif
