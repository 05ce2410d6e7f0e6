/* SPDX-License-Identifier: GPL-2.0-or-later */
/* socket.c - connects to the daemon, sends and receives packets; see
   socket.h */

#include "vgtool/transport/socket.h"

#include <pub_tool_libcfile.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "vgtool/core/valgrind_core.h"

enum {
	SEQPACKET = 5,
	CLOEXEC = 02000000,
	NOSIGNAL = 0x4000,
	DONTWAIT = 0x40,
	SEND_S = 5,	  /* longest wait to connect or to send */
	NO_BUFFERS = 105, /* ENOBUFS */
};

struct unix_address {
	UShort family;
	HChar path[VT_SOCKET_PATH];
};

/* Set a time limit of SEND_S seconds for connect() and sendto() on @fd. Without
   it connect() waits for ever while the daemon's queue of connections is
   full. */
static void set_send_timeout(Int fd)
{
	enum { SOCKET_LEVEL = 1, SEND_TIMEOUT = 21 };
	struct vki_timeval limit = {SEND_S, 0};

	VG_(do_syscall)
	(__NR_setsockopt, fd, SOCKET_LEVEL, SEND_TIMEOUT, (UWord)&limit,
	 sizeof(limit), 0);
}

/* Whether the process at the other end runs as the same user. Another user may
   have created the socket's path and must not receive the program's
   accesses. */
static Bool is_peer_same_user(Int fd)
{
	enum { SOCKET_LEVEL = 1, PEER_CREDENTIALS = 17 };
	struct {
		Int pid;
		UInt uid, gid;
	} peer = {0};
	UInt bytes = sizeof(peer);
	SysRes r = VG_(do_syscall)(__NR_getsockopt, fd, SOCKET_LEVEL,
				   PEER_CREDENTIALS, (UWord)&peer,
				   (UWord)&bytes, 0);

	return !sr_isError(r) && bytes == sizeof(peer) &&
	       peer.uid == (UInt)VG_(geteuid)();
}

Int vt_socket_connect_same_user_or_none(const HChar *path)
{
	struct unix_address a = {.family = VKI_AF_UNIX};
	SysRes r;
	Int fd;

	VG_(strcpy)(a.path, path);
	r = vt_syscall3(__NR_socket, VKI_AF_UNIX, SEQPACKET | CLOEXEC, 0);
	if (sr_isError(r))
		return VT_NO_SOCKET;
	fd = vt_move_to_reserved_fd((Int)sr_Res(r));
	if (fd < 0)
		return VT_NO_SOCKET;
	set_send_timeout(fd);
	r = vt_syscall3(__NR_connect, fd, (UWord)&a, sizeof(a));
	if (!sr_isError(r) && is_peer_same_user(fd))
		return fd;
	VG_(close)(fd);
	return VT_NO_SOCKET;
}

static Int poll_event_mask_or_0(Int fd, Short events, UInt timeout_ms)
{
	struct {
		Int fd;
		Short events, revents;
	} p = {fd, events, 0};
	SysRes r = vt_syscall3(__NR_poll, (UWord)&p, 1, timeout_ms);

	return sr_isError(r) ? 0 : p.revents;
}

Int vt_socket_poll_input_event_mask(Int fd, UInt timeout_ms)
{
	return poll_event_mask_or_0(fd, VT_POLL_IN, timeout_ms);
}

Int vt_socket_poll_output_event_mask(Int fd, UInt timeout_ms)
{
	return poll_event_mask_or_0(fd, VT_POLL_OUT, timeout_ms);
}

enum vt_send_result vt_socket_try_send(Int fd, const void *message, UInt bytes)
{
	SysRes r = VG_(do_syscall)(__NR_sendto, fd, (UWord)message, bytes,
				   NOSIGNAL | DONTWAIT, 0, 0);

	if (!sr_isError(r))
		return VT_SENT;
	switch (sr_Err(r)) {
	case VKI_EAGAIN:
	case VKI_EINTR:
	case VKI_ENOMEM:
	case NO_BUFFERS:
		return VT_NO_ROOM;
	default:
		return VT_NO_DAEMON;
	}
}

UInt vt_socket_receive_no_wait_or_0(Int fd, void *to, UInt size)
{
	SysRes r = VG_(do_syscall)(__NR_recvfrom, fd, (UWord)to, size, DONTWAIT,
				   0, 0);

	return sr_isError(r) ? 0 : sr_Res(r);
}

Bool vt_socket_send(Int fd, const void *message, UInt bytes, Bool wait)
{
	SysRes r = VG_(do_syscall)(__NR_sendto, fd, (UWord)message, bytes,
				   NOSIGNAL | (wait ? 0 : DONTWAIT), 0, 0);

	return !sr_isError(r) && sr_Res(r) == bytes;
}
