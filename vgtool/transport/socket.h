/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * socket.h - packets to and from the daemon
 *
 * Never raises SIGPIPE.
 */
#ifndef VGTOOL_TRANSPORT_SOCKET_H
#define VGTOOL_TRANSPORT_SOCKET_H

#include "vgtool/core/prelude.h"

enum {
	VT_NO_SOCKET = -1,
	VT_SOCKET_PATH = 108,  /* [bytes] with the NUL */
	VT_POLL_IN = 1,	       /* a packet has come */
	VT_POLL_OUT = 4,       /* there is room for a packet */
	VT_POLL_GONE = 8 | 16, /* POLLERR, POLLHUP */
};

enum vt_sent {
	VT_SENT,
	VT_NO_ROOM,   /* the socket is full, or the kernel is short of memory */
	VT_NO_DAEMON, /* the daemon has closed the connection */
};

/* Connect to a daemon of our own user. Return a descriptor out of the program's
   reach, or VT_NO_SOCKET. */
Int vt_socket_connect(const HChar *path);

/* Return: VT_POLL_IN and VT_POLL_GONE bits; 0 after the time. */
Int vt_socket_poll(Int fd, UInt timeout_ms);

/* Wait until @fd, of any kind, has room or an error. Return: VT_POLL_OUT and
   VT_POLL_GONE bits; 0 after @timeout_ms. */
Int vt_socket_poll_room(Int fd, UInt timeout_ms);

/* Send a packet without waiting. */
enum vt_sent vt_socket_try(Int fd, const void *message, UInt bytes);

/* One packet into @to, without waiting. Return: its length; 0: there is none,
   or the daemon is gone. */
UInt vt_socket_receive(Int fd, void *to, UInt size);

/* @wait: for room, as long as vt_socket_connect() allows. */
Bool vt_socket_send(Int fd, const void *message, UInt bytes, Bool wait);

#endif
