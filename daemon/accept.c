/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accept.c - accepts connections; see accept.h */

#include "daemon/accept.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/client/connection.h"
#include "daemon/core/clock.h"

#define HELLO_WAIT_NS (10 * DM_SECOND)

enum { MAX_ACCEPTS = 16, RETRY_MS = 20 };

/* Whether the peer of the connection is a process of the daemon's user. If so,
   store its process id in *@peer_pid. */
static bool is_peer_of_same_user_get_pid(int connection_fd, pid_t *peer_pid)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(connection_fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) <
		    0 ||
	    peer.uid != geteuid())
		return false;
	*peer_pid = peer.pid;
	return true;
}

/* Create a client for an accepted connection and add it to epoll and to the
   list of clients. If the peer belongs to another user, or after an error, only
   close the connection. */
static void add_client_if_same_user_or_close(struct dm_daemon *d,
					     int connection_fd)
{
	struct epoll_event ev = {.events = EPOLLIN};
	struct dm_client *c;
	pid_t pid;

	if (!is_peer_of_same_user_get_pid(connection_fd, &pid) ||
	    !(c = dm_client_new_unlinked(d, connection_fd, pid))) {
		close(connection_fd);
		return;
	}
	ev.data.ptr = c;
	if (epoll_ctl(d->epoll, EPOLL_CTL_ADD, connection_fd, &ev) < 0) {
		dm_client_close_and_free(c);
		return;
	}
	dm_lock(d);
	c->deadline_ns = dm_now_ns() + HELLO_WAIT_NS;
	c->next = d->clients;
	d->clients = c;
	d->had_client = true;
	d->has_pending_clients = true;
	dm_unlock(d);
}

void dm_accept_set_listener_watched(struct dm_daemon *d, bool is_watched)
{
	struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &d->listener};

	if (d->listener.fd < 0 || d->accepting == is_watched)
		return;
	epoll_ctl(d->epoll, is_watched ? EPOLL_CTL_ADD : EPOLL_CTL_DEL,
		  d->listener.fd, &ev);
	d->accepting = is_watched;
}

void dm_accept_up_to_16_connections(struct dm_daemon *d)
{
	int i, fd;

	for (i = 0; i < MAX_ACCEPTS; i++) {
		fd = accept4(d->listener.fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0) {
			add_client_if_same_user_or_close(d, fd);
			continue;
		}
		if (errno != EAGAIN && errno != EINTR &&
		    errno != ECONNABORTED) {
			/* A resource is short, for example no descriptor is
			   free: epoll would immediately report the waiting
			   connection again. */
			dm_accept_set_listener_watched(d, false);
			d->accept_ns = dm_now_ns() + RETRY_MS * DM_MS;
		}
		return;
	}
}
