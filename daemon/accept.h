/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accept.h - accepts connections of tools and of control commands
 *
 * Threads: the server thread.
 */
#ifndef DAEMON_ACCEPT_H
#define DAEMON_ACCEPT_H

#include "daemon/client/state.h"

/* Make epoll watch the listening socket if @is_watched, else stop watching it.
   No-op if the daemon no longer listens. */
void dm_accept_set_listener_watched(struct dm_daemon *, bool is_watched);

/* Accept up to 16 waiting connections. If accepting fails because a resource is
   short, for example no descriptor is free, stop watching the listening socket
   and set accept_ns, the time of the next attempt, to 20 ms from now. */
void dm_accept_up_to_16_connections(struct dm_daemon *);

#endif
