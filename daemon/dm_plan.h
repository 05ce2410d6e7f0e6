/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_plan.h - a process's plan on its way to the tool
 *
 * Room:    daemon.
 * Used by: dm_client.c, dm_server.c, dm_orders.c.
 * Threads: any, with dm_daemon.lock held.
 *
 * Nothing here blocks: a plan that is longer than what the socket holds goes on
 * when the server says that there is room.
 */
#ifndef DM_PLAN_H
#define DM_PLAN_H

#include "daemon/dm_state.h"

/* [bytes] of the plan that the client's tool gets; 0: none. */
uint32_t dm_plan_bytes(const struct dm_client *);

/* Sends what the socket takes of what was not sent yet, and then of orders. */
void dm_plan_send(struct dm_client *);

#endif
