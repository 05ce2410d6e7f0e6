/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox.h - what is said to a tool while it runs
 *
 * Threads: any, with dm_daemon.lock held.
 *
 * A tool looks at its socket when the count of orders in its ring has grown. So
 * it is told of those that were sent; what has no room in the socket waits
 * until there is some, in order, and behind the plan. There is an end to that:
 * a program may take nothing for hours. Return of all that order: false when
 * too many wait, memory is short, or the client is not recorded.
 */
#ifndef DAEMON_CLIENT_OUTBOX_H
#define DAEMON_CLIENT_OUTBOX_H

#include "daemon/client/state.h"

enum { DM_MOST_ORDERS = 4096 }; /* that wait for a client */

/* Opens or closes a window. */
bool dm_orders_window(struct dm_client *, uint32_t window, bool open);

/* Has the tool leave a mark; @name: not longer than PT_MAX_NAME. */
bool dm_orders_mark(struct dm_client *, const char *name);

/* Has it publish what there is. */
bool dm_orders_publish(struct dm_client *);

/* Answers its question. */
bool dm_orders_answer(struct dm_client *, const struct pt_message *,
		      size_t bytes);

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
