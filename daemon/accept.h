/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accept.h - those who connect
 *
 * Threads: the server thread.
 */
#ifndef DAEMON_ACCEPT_H
#define DAEMON_ACCEPT_H

#include "daemon/client/state.h"

/* Whether the server is told of those who want to connect. */
void dm_accept_listen(struct dm_daemon *, bool on);

/* Takes some who want to. When there is no descriptor for them, the server is
   told no more before accept_ns. */
void dm_accept_some(struct dm_daemon *);

#endif
