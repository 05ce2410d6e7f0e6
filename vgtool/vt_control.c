/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_control.c - the connection to the daemon; see vt_control.h */

#include "vgtool/vt_control.h"

#include <pub_tool_clientstate.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_options.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>
#include <pub_tool_xarray.h>

#include "vgtool/vt_core.h"
#include "vgtool/vt_flip.h"
#include "vgtool/vt_main.h"
#include "vgtool/vt_ring.h"
#include "vgtool/vt_watch.h"
#include "vgtool/vt_windows.h"

enum {
	NO_FD = -1,
	SEQPACKET = 5,
	CLOEXEC = 02000000,
	NOSIGNAL = 0x4000,
	DONTWAIT = 0x40,
	MSG_CMSG_CLOEXEC_ = 0x40000000,
	CONNECT_S = 5,	   /* until the daemon takes a connection */
	ANSWER_MS = 15000, /* its answer to a hello */
	SLICE_MS = 50,	   /* between looks at signals */
	POLL_IN = 1,
	POLL_GONE = 8 | 16, /* POLLERR, POLLHUP */
	RIGHTS = 1,
	PATH_BYTES = 108,
};

struct unix_address {
	UShort family;
	HChar path[PATH_BYTES];
};

static Int sock = NO_FD;
static Int parents = NO_FD; /* connection, in a forked child */
static HChar joined_path[PATH_BYTES];
static struct pt_welcome welcome;

ULong vt_control_now_ns(void)
{
	struct vki_timespec ts = {0, 0};

	vt_syscall3(__NR_clock_gettime, VKI_CLOCK_MONOTONIC, (UWord)&ts, 0);
	return (ULong)ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* Without it connect() waits for ever when as many wait as may. */
static void limit_sending(Int fd)
{
	enum { SOCKET_LEVEL = 1, SEND_TIMEOUT = 21 };
	struct vki_timeval limit = {CONNECT_S, 0};

	VG_(do_syscall)
	(__NR_setsockopt, fd, SOCKET_LEVEL, SEND_TIMEOUT, (UWord)&limit,
	 sizeof(limit), 0);
}

static Int connect_to(const HChar *path)
{
	struct unix_address a = {.family = VKI_AF_UNIX};
	SysRes r;
	Int fd;

	VG_(strcpy)(a.path, path);
	r = vt_syscall3(__NR_socket, VKI_AF_UNIX, SEQPACKET | CLOEXEC, 0);
	if (sr_isError(r))
		return NO_FD;
	fd = vt_safe_fd((Int)sr_Res(r));
	if (fd < 0)
		return NO_FD;
	limit_sending(fd);
	r = vt_syscall3(__NR_connect, fd, (UWord)&a, sizeof(a));
	if (!sr_isError(r))
		return fd;
	VG_(close)(fd);
	return NO_FD;
}

/* POLL_IN and POLL_GONE bits; 0 after the time. */
static Int poll_socket(UInt timeout_ms)
{
	struct {
		Int fd;
		Short events, revents;
	} p = {sock, POLL_IN, 0};
	SysRes r = vt_syscall3(__NR_poll, (UWord)&p, 1, timeout_ms);

	return sr_isError(r) ? 0 : p.revents;
}

/* Appends a string. False when it did not fit: then what there was room for
   ends in "..." and fills the message. */
static Bool add_string(HChar *to, UInt *at, const HChar *s, UInt *n)
{
	static const HChar cut[] = "...";
	UInt room = PT_MAX_MESSAGE - sizeof(cut) - *at;
	UInt len = VG_(strlen)(s) + 1;
	Bool fits = len <= room;

	VG_(memcpy)(to + *at, s, fits ? len : room);
	*at += fits ? len : room;
	++*n;
	if (fits)
		return True;
	VG_(memcpy)(to + *at, cut, sizeof(cut));
	*at += sizeof(cut);
	return False;
}

static UInt add_command(HChar *to, UInt at, UInt *n)
{
	HChar cwd[1024];
	Bool all;
	Int i;

	cwd[0] = 0;
	vt_syscall3(__NR_getcwd, (UWord)cwd, sizeof(cwd), 0);
	all = add_string(to, &at, cwd, n) &&
	      add_string(to, &at, VG_(args_the_exename) ?: "", n);
	for (i = 0; all && i < VG_(sizeXA)(VG_(args_for_client)); i++)
		all = add_string(
			to, &at,
			*(HChar **)VG_(indexXA)(VG_(args_for_client), i), n);
	return at;
}

static Bool send_hello(const struct vt_fork_info *fork)
{
	static HChar message[PT_MAX_MESSAGE];
	struct pt_hello h = {
		.magic = PT_MAGIC,
		.major = PT_MAJOR,
		.minor = PT_MINOR,
		.pid = VG_(getpid)(),
		.parent_pid = VG_(getppid)(),
	};
	SysRes r;

	if (fork != NULL) {
		h.flags = PT_HELLO_FORKED;
		h.parent_pid = fork->parent_pid;
		h.parent_stream = fork->parent_stream;
		h.n_blocks = fork->n_blocks;
		h.parent_log = fork->parent_log;
	}
	VG_(strncpy)(h.valgrind, VALGRIND_VERSION, sizeof(h.valgrind) - 1);
	h.bytes = add_command(message, sizeof(h), &h.n_strings);
	VG_(memcpy)(message, &h, sizeof(h));
	r = VG_(do_syscall)(__NR_sendto, sock, (UWord)message, h.bytes,
			    NOSIGNAL, 0, 0);
	return !sr_isError(r) && sr_Res(r) == h.bytes;
}

/* Receives the welcome and, with it, the ring's descriptor or NO_FD. */
static Bool receive_welcome(struct pt_welcome *answer, Int *ring_fd)
{
	union {
		struct vki_cmsghdr head;
		HChar room[64];
	} control;
	struct vki_iovec iov = {answer, sizeof(*answer)};
	struct vki_msghdr m = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	SysRes r;

	*ring_fd = NO_FD;
	if (!(poll_socket(ANSWER_MS) & POLL_IN))
		return False;
	vt_control_left(); /* there may be no descriptor for both */
	r = vt_syscall3(__NR_recvmsg, sock, (UWord)&m,
			DONTWAIT | MSG_CMSG_CLOEXEC_);
	if (sr_isError(r) || sr_Res(r) != sizeof(*answer))
		return False;
	if (m.msg_controllen >= sizeof(control.head) + sizeof(Int) &&
	    control.head.cmsg_type == RIGHTS)
		*ring_fd = *(Int *)(&control.head + 1);
	return True;
}

static void hang_up(void)
{
	if (sock != NO_FD)
		VG_(close)(sock);
	sock = NO_FD;
}

static enum vt_join give_up(HChar *reason, const HChar *why)
{
	VG_(strncpy)(reason, why, PT_REASON - 1);
	reason[PT_REASON - 1] = 0;
	hang_up();
	return VT_REFUSED;
}

/* One packet into @to; its length, 0 when the daemon is gone. */
static UInt receive(void *to, UInt size)
{
	SysRes r = VG_(do_syscall)(__NR_recvfrom, sock, (UWord)to, size,
				   DONTWAIT, 0, 0);

	return sr_isError(r) ? 0 : sr_Res(r);
}

/* The plan that follows the welcome; NULL when it does not come, or is none. */
static struct pt_plan *receive_plan(UInt bytes)
{
	static HChar packet[PT_MAX_MESSAGE];
	const struct pt_message *m = (const void *)packet;
	HChar *plan;
	UInt at = 0, n;

	if (bytes < sizeof(struct pt_plan) || bytes > PT_MAX_PLAN)
		return NULL;
	plan = VG_(malloc)("vt.control.plan", bytes);
	for (; at < bytes; at += n - sizeof(*m)) {
		n = poll_socket(ANSWER_MS) & POLL_IN
			    ? receive(packet, sizeof(packet))
			    : 0;
		if (n <= sizeof(*m) || m->type != PT_MSG_PLAN ||
		    m->value != at || n - sizeof(*m) > bytes - at)
			break;
		VG_(memcpy)(plan + at, packet + sizeof(*m), n - sizeof(*m));
	}
	if (at == bytes && ((struct pt_plan *)plan)->version == PT_PLAN_VERSION)
		return (struct pt_plan *)plan;
	VG_(free)(plan);
	return NULL;
}

/* What the last daemon wanted holds, should this one refuse: the code that a
   forked child inherits was made for it. */
static enum vt_join shake_hands(const struct vt_fork_info *fork, HChar *reason)
{
	struct pt_welcome answer;
	struct pt_plan *plan = NULL;
	Int ring_fd;
	Bool attached;

	if (!send_hello(fork) || !receive_welcome(&answer, &ring_fd))
		return give_up(reason, "the daemon does not answer");
	if (answer.magic != PT_MAGIC)
		return give_up(reason, "no Alleria daemon listens there");
	answer.reason[PT_REASON - 1] = 0;
	if (answer.bytes == 0)
		return give_up(reason, answer.reason);
	ring_fd = vt_safe_fd(ring_fd);
	if (answer.plan_bytes != 0)
		plan = receive_plan(answer.plan_bytes);
	if (answer.plan_bytes != 0 && plan == NULL)
		return give_up(reason, "the daemon's windows do not arrive");
	if (ring_fd == NO_FD)
		return give_up(reason, "there is no descriptor left");
	attached = vt_ring_attach(ring_fd, answer.bytes);
	VG_(close)(ring_fd);
	if (!attached)
		return give_up(reason, "cannot map the daemon's memory");
	welcome = answer;
	vt_flip_take(plan);
	return VT_JOINED;
}

/* The path from the root, for the program may go elsewhere before it forks or
   executes another. False when it is too long for a socket. */
static Bool keep_path(const HChar *path)
{
	UInt n = 0;

	if (path[0] != '/') {
		if (sr_isError(vt_syscall3(__NR_getcwd, (UWord)joined_path,
					   PATH_BYTES, 0)))
			return False;
		n = VG_(strlen)(joined_path);
		joined_path[n++] = '/';
	}
	if (n + VG_(strlen)(path) >= PATH_BYTES)
		return False;
	VG_(strcpy)(joined_path + n, path);
	return True;
}

enum vt_join vt_control_join(const HChar *path, const struct vt_fork_info *fork,
			     HChar *reason)
{
	if (path != joined_path && !keep_path(path))
		return VT_NOBODY;
	sock = connect_to(joined_path);
	if (sock == NO_FD)
		return VT_NOBODY;
	return shake_hands(fork, reason);
}

enum vt_join vt_control_rejoin(const struct vt_fork_info *fork, HChar *reason)
{
	return vt_control_join(joined_path, fork, reason);
}

const HChar *vt_control_path(void)
{
	return joined_path;
}

void vt_control_leave(void)
{
	parents = sock;
	sock = NO_FD;
}

void vt_control_left(void)
{
	if (parents != NO_FD)
		VG_(close)(parents);
	parents = NO_FD;
}

UInt vt_control_fields(void)
{
	return welcome.fields;
}

Bool vt_control_reports(void)
{
	return (welcome.wants & PT_WANT_GOODBYE) != 0;
}

UInt vt_control_stream(void)
{
	return welcome.stream;
}

void vt_control_send(enum pt_message_type type, ULong value)
{
	struct pt_message m = {.type = type, .value = value};

	if (sock != NO_FD)
		VG_(do_syscall)
	(__NR_sendto, sock, (UWord)&m, sizeof(m), NOSIGNAL | DONTWAIT, 0, 0);
}

static void daemon_is_gone(void)
{
	hang_up();
	vt_ring_detach();
	vt_message("the daemon is gone, the program goes on unrecorded");
}

/* What is not for windows is but to wake us. */
static void obey(const struct pt_message *m)
{
	if (m->type == PT_MSG_HAPPENED)
		vt_watch_happened(m->value);
	else if (m->type == PT_MSG_ORDER)
		vt_windows_order(m->value / 2, m->value & 1);
}

void vt_control_listen(void)
{
	struct pt_message m;

	while (sock != NO_FD && receive(&m, sizeof(m)) != 0)
		obey(&m);
}

Bool vt_control_wait(UInt timeout_ms)
{
	struct pt_message m;
	Int events = poll_socket(timeout_ms);

	if (events == 0)
		return True;
	if ((events & POLL_IN) && receive(&m, sizeof(m)) != 0) {
		obey(&m);
		return True;
	}
	daemon_is_gone();
	return False;
}

static void print_text(const HChar *packet, UInt bytes)
{
	const struct pt_message *m = (const void *)packet;

	vt_print(m->value == 1 ? 1 : 2, packet + sizeof(*m),
		 bytes - sizeof(*m));
}

/* Signals that are pending and ask the program to end, as a bit each. */
static ULong asked_to_end(void)
{
	vki_sigset_t set = {{0}};
	const ULong to_end =
		1ULL << (VKI_SIGHUP - 1) | 1ULL << (VKI_SIGINT - 1) |
		1ULL << (VKI_SIGQUIT - 1) | 1ULL << (VKI_SIGTERM - 1);

	vt_syscall3(__NR_rt_sigpending, (UWord)&set, sizeof(set), 0);
	return set.sig[0] & to_end;
}

/* What the daemon still has to say; the exit status that it wants, or 0. The
   program may have left signals pending that it blocks. */
static Int listen_to_the_end(void)
{
	static HChar packet[PT_MAX_MESSAGE];
	const struct pt_message *m = (const void *)packet;
	const ULong left = asked_to_end();
	UInt bytes;

	for (;;) {
		if (poll_socket(SLICE_MS) == 0) {
			if (!(asked_to_end() & ~left))
				continue;
			vt_message("interrupted, there is no report");
			return 0;
		}
		bytes = receive(packet, sizeof(packet));
		if (bytes < sizeof(*m)) {
			vt_message("the daemon is gone, there is no report");
			return 0;
		}
		if (m->type == PT_MSG_TEXT)
			print_text(packet, bytes);
		if (m->type == PT_MSG_DONE)
			return (Int)m->value;
	}
}

Int vt_control_goodbye(void)
{
	if (sock == NO_FD)
		return 0;
	vt_control_send(PT_MSG_BYE, 0);
	if (vt_control_reports())
		return listen_to_the_end();
	if (poll_socket(0) & POLL_GONE)
		vt_message("the daemon is gone, the program was not recorded "
			   "to its end");
	return 0;
}
