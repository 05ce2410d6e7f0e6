/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * socket.h - connects to the daemon, sends and receives packets
 *
 * No function raises SIGPIPE.
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

enum vt_send_result {
	VT_SENT,
	VT_NO_ROOM,   /* the socket is full, or the kernel is short of memory */
	VT_NO_DAEMON, /* the daemon has closed the connection */
};

/* Connect to the socket @path, shorter than VT_SOCKET_PATH, if its daemon runs
   as the same user. Return: a descriptor that the program cannot use, or
   VT_NO_SOCKET. */
Int vt_socket_connect_same_user_or_none(const HChar *path);

/* Wait until @fd has a packet or an error. Return: VT_POLL_IN and VT_POLL_GONE
   bits; 0 after @timeout_ms or a signal. */
Int vt_socket_poll_input_event_mask(Int fd, UInt timeout_ms);

/* Wait until @fd, which need not be a socket, has room or an error. Return:
   VT_POLL_OUT and VT_POLL_GONE bits; 0 after @timeout_ms or a signal. */
Int vt_socket_poll_output_event_mask(Int fd, UInt timeout_ms);

/* Send a packet without waiting. */
enum vt_send_result vt_socket_try_send(Int fd, const void *message, UInt bytes);

/* Receive a packet of at most @size bytes into @to, without waiting. Return:
   its length; 0 if there is none or the daemon has ended. */
UInt vt_socket_receive_no_wait_or_0(Int fd, void *to, UInt size);

/* Send a packet. @wait: whether to wait for room, at most 5 s (the limit set by
   vt_socket_connect_same_user_or_none()). Return: whether the packet was sent.
   */
Bool vt_socket_send(Int fd, const void *message, UInt bytes, Bool wait);

#endif
