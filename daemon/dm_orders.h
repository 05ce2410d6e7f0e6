/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_orders.h - what windows of a tool wait for, and is not in its process
 *
 * Room:    daemon.
 * Used by: dm_server.c, dm_image.c, dm_ending.c, dm_control.c, dm_plan.c.
 * Threads: any, with dm_daemon.lock held.
 *
 * A tool looks at its socket when the count of orders in its ring has grown. So
 * it is told of those that were sent; what has no room in the socket waits
 * until there is some, in order, and behind the plan.
 */
#ifndef DM_ORDERS_H
#define DM_ORDERS_H

#include "daemon/dm_state.h"

/* Opens or closes a window of a living client's. */
void dm_orders_window(struct dm_client *, uint32_t window, bool open);

/* A tool says that an event has happened: tells the other processes of the
   tree, those to come, too. An event that is not of the tool's process is
   ignored. */
void dm_orders_happened(struct dm_client *from, uint64_t event);

/* The client's process has begun, or is over. */
void dm_orders_life(struct dm_client *, enum pt_event_kind);

/* Sends what waits. Return: whether all is sent. */
bool dm_orders_flush(struct dm_client *);

void dm_orders_release(struct dm_client *);

#endif
