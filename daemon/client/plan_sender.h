/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_sender.h - a process's plan on its way to the tool
 *
 * Threads: any, with dm_daemon.lock held.
 *
 * Nothing here blocks: a plan that is longer than what the socket holds goes on
 * when there is room; see dm_client_flush().
 */
#ifndef DAEMON_CLIENT_PLAN_SENDER_H
#define DAEMON_CLIENT_PLAN_SENDER_H

#include "daemon/client/state.h"

/* [bytes] of the plan that the client's tool gets; 0: none. */
uint32_t dm_plan_bytes(const struct dm_client *);

/* Send as much of the plan as the socket has room for. Return: whether nothing
   is left to send. */
bool dm_plan_flush(struct dm_client *);

#endif
