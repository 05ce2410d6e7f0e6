/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_growth.h - more buffers for a program that runs
 *
 * Growing takes no more than half of the memory for all rings, so that there
 * is some for programs that come later.
 */
#ifndef DAEMON_CLIENT_RING_GROWTH_H
#define DAEMON_CLIENT_RING_GROWTH_H

#include "daemon/client/state.h"

/* The client shall have @chunks, if that is more than it has. Context: lock
   held. */
void dm_growth_want(struct dm_client *, unsigned chunks);

/* Makes them. Context: the worker that has the intake; lock not held. */
void dm_growth_turn(struct dm_client *, unsigned chunks);

#endif
