/* SPDX-License-Identifier: GPL-2.0-or-later */
/* connection.c - the connection to the daemon; see connection.h */

#include "vgtool/transport/connection.h"

#include <pub_tool_libcfile.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "vgtool/core/message.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/transport/hello.h"
#include "vgtool/transport/outbox.h"
#include "vgtool/transport/ring.h"
#include "vgtool/transport/socket.h"
#include "vgtool/transport/standard_output.h"

enum {
	SLICE_MS = 50,	   /* between looks at signals */
	ROOM_MS = 5000,	   /* most that the program waits until there is room
			      for a message */
	ANSWER_MS = 15000, /* the daemon's to a question */
};

static const struct vt_control_calls *calls;
static Int sock = VT_NO_SOCKET;
static Int parents = VT_NO_SOCKET; /* connection, in a forked child */
static HChar joined_path[VT_SOCKET_PATH];
static struct pt_welcome welcome;

void vt_control_set_calls(const struct vt_control_calls *new)
{
	calls = new;
}

ULong vt_control_now_ns(void)
{
	struct vki_timespec ts = {0, 0};

	vt_syscall3(__NR_clock_gettime, VKI_CLOCK_MONOTONIC, (UWord)&ts, 0);
	return (ULong)ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static void hang_up(void)
{
	if (sock != VT_NO_SOCKET)
		VG_(close)(sock);
	sock = VT_NO_SOCKET;
}

static enum vt_join give_up(HChar *reason, const HChar *why)
{
	VG_(strncpy)(reason, why, PT_REASON - 1);
	reason[PT_REASON - 1] = 0;
	hang_up();
	return VT_REFUSED;
}

/* Why the daemon does not take us, or NULL. */
static const HChar *refusal(const struct pt_welcome *answer)
{
	if (answer->magic != PT_MAGIC)
		return "no Alleria daemon listens there";
	return answer->bytes == 0 ? answer->reason : NULL;
}

/* What is given us: the plan first, for the ring is attached at once. @ring_fd:
   closed. Return: why not, or NULL. */
static const HChar *take_over(const struct pt_welcome *answer, Int ring_fd,
			      struct pt_plan **plan)
{
	const HChar *why = NULL;

	if (ring_fd != VT_NO_SOCKET)
		ring_fd = vt_safe_fd(ring_fd);
	if (ring_fd == VT_NO_SOCKET)
		return "there is no descriptor left";
	if (answer->plan_bytes != 0)
		*plan = vt_hello_plan(sock, answer->plan_bytes);
	if (answer->plan_bytes != 0 && *plan == NULL)
		why = "the daemon's windows do not arrive";
	else if (!vt_ring_attach(ring_fd, answer->bytes))
		why = "cannot map the daemon's memory";
	VG_(close)(ring_fd);
	return why;
}

/* What the last daemon wanted holds, should this one refuse: the code that a
   forked child inherits was made for it. */
static enum vt_join shake_hands(const struct vt_fork_info *fork, Bool later,
				HChar *reason)
{
	struct pt_welcome answer;
	struct pt_plan *plan = NULL;
	const HChar *why;
	Int ring_fd;

	if (!vt_hello_send(sock, fork, &welcome) ||
	    !vt_hello_welcome(sock, later, &answer, &ring_fd))
		return give_up(reason, "the daemon does not answer");
	answer.reason[PT_REASON - 1] = 0;
	why = refusal(&answer);
	if (why == NULL)
		why = take_over(&answer, ring_fd, &plan);
	else if (ring_fd != VT_NO_SOCKET)
		VG_(close)(ring_fd);
	if (why != NULL) {
		VG_(free)(plan);
		return give_up(reason, why);
	}
	welcome = answer;
	calls->plan(plan);
	return VT_JOINED;
}

/* The path from the root, for the program may go elsewhere before it forks or
   executes another. False when it is too long for a socket. */
static Bool keep_path(const HChar *path)
{
	UInt n = 0;

	if (path[0] != '/') {
		if (sr_isError(vt_syscall3(__NR_getcwd, (UWord)joined_path,
					   VT_SOCKET_PATH, 0)))
			return False;
		n = VG_(strlen)(joined_path);
		joined_path[n++] = '/';
	}
	if (n + VG_(strlen)(path) >= VT_SOCKET_PATH)
		return False;
	VG_(strcpy)(joined_path + n, path);
	return True;
}

static enum vt_join connect(const struct vt_fork_info *fork, Bool later,
			    HChar *reason)
{
	sock = vt_socket_connect(joined_path);
	if (sock == VT_NO_SOCKET)
		return VT_NOBODY;
	return shake_hands(fork, later, reason);
}

enum vt_join vt_control_join(const HChar *path, Bool later, HChar *reason)
{
	return keep_path(path) ? connect(NULL, later, reason) : VT_NOBODY;
}

enum vt_join vt_control_rejoin(const struct vt_fork_info *fork, HChar *reason)
{
	return connect(fork, False, reason);
}

const HChar *vt_control_path(void)
{
	return joined_path;
}

void vt_control_leave(void)
{
	parents = sock;
	sock = VT_NO_SOCKET;
	vt_outbox_forget();
}

void vt_control_left(void)
{
	if (parents != VT_NO_SOCKET)
		VG_(close)(parents);
	parents = VT_NO_SOCKET;
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

/* Return the pending signals that ask the program to end, signal n as bit n -
   1. */
static ULong pending_end_signals(void)
{
	vki_sigset_t set = {{0}};
	const ULong to_end =
		1ULL << (VKI_SIGHUP - 1) | 1ULL << (VKI_SIGINT - 1) |
		1ULL << (VKI_SIGQUIT - 1) | 1ULL << (VKI_SIGTERM - 1);

	vt_syscall3(__NR_rt_sigpending, (UWord)&set, sizeof(set), 0);
	return set.sig[0] & to_end;
}

/* Send the messages of the outbox, waiting at most @ms for room. */
static void send_outbox(UInt ms)
{
	const ULong left = pending_end_signals();

	while (!vt_outbox_flush(sock) && ms >= SLICE_MS) {
		if (pending_end_signals() & ~left)
			return;
		/* The socket has room, so the kernel is short of memory: poll()
		   cannot wait for that. */
		if (vt_socket_poll_room(sock, SLICE_MS) == VT_POLL_OUT)
			vt_socket_poll(VT_NO_SOCKET, SLICE_MS);
		ms -= SLICE_MS;
	}
}

static Bool is_hint(enum pt_message_type type)
{
	return type != PT_MSG_HAPPENED && type != PT_MSG_LOST &&
	       type != PT_MSG_BYE;
}

void vt_control_send(enum pt_message_type type, ULong value)
{
	struct pt_message m = {.type = type, .value = value};

	if (sock == VT_NO_SOCKET)
		return;
	if (is_hint(type)) {
		vt_outbox_flush(sock);
		vt_socket_try(sock, &m, sizeof(m));
		return;
	}
	/* If other messages wait already, the program has waited for them. */
	send_outbox(vt_outbox_add(type, value) ? ROOM_MS : 0);
	vt_ring_set_lost_messages(vt_outbox_dropped());
}

void vt_control_flush(void)
{
	if (sock != VT_NO_SOCKET)
		send_outbox(~0u);
}

static void daemon_is_gone(void)
{
	hang_up();
	vt_ring_detach();
	vt_message("the daemon is gone, the program goes on unrecorded; if "
		   "memory was short: MEMORY in alleriad(1)");
}

/* What a message consists of that is not the answer to a question. */
union packet {
	struct pt_message m;
	HChar bytes[sizeof(struct pt_message) + PT_MAX_NAME + 1];
};

/* False: there is none. */
static Bool obey_next(void)
{
	union packet p;
	UInt n = vt_socket_receive(sock, &p, sizeof(p));

	if (n != 0)
		calls->message(&p.m, n);
	return n != 0;
}

void vt_control_listen(void)
{
	while (sock != VT_NO_SOCKET && obey_next())
		;
}

const ULong *vt_control_ask(const struct pt_message *question, UInt bytes,
			    UInt type)
{
	static ULong packet[PT_MAX_MESSAGE / 8];
	const struct pt_message *m = (const void *)packet;
	UInt n;

	if (sock == VT_NO_SOCKET)
		return NULL;
	vt_socket_send(sock, question, bytes, True);
	while (vt_socket_poll(sock, ANSWER_MS) & VT_POLL_IN) {
		n = vt_socket_receive(sock, packet, sizeof(packet));
		if (n == 0)
			break;
		if (m->type == type && n == sizeof(*m) + 8 * m->value &&
		    m->value == question->value)
			return packet + sizeof(*m) / 8;
		calls->message(m, n);
	}
	daemon_is_gone();
	return NULL;
}

Bool vt_control_wait(UInt timeout_ms)
{
	Int events = vt_socket_poll(sock, timeout_ms);

	if (events == 0)
		return True;
	if ((events & VT_POLL_IN) && obey_next())
		return True;
	daemon_is_gone();
	return False;
}

/* Print the text of a packet. @left: signals that were pending before. Return:
   False if a signal asked the program to end while it waited for a reader. */
static Bool print_text(const HChar *packet, UInt bytes, ULong left)
{
	const struct pt_message *m = (const void *)packet;
	const Int which = m->value == 1 ? 1 : 2;
	const HChar *text = packet + sizeof(*m);
	static Bool cut[3];
	Int n;

	for (bytes -= sizeof(*m); bytes > 0 && !cut[which]; bytes -= n) {
		n = vt_print(which, text, bytes, SLICE_MS);
		if (n == 0 && (pending_end_signals() & ~left))
			return False;
		cut[which] = n < 0;
		if (n < 0)
			vt_message("standard output takes no more, "
				   "the text is cut");
		text += n;
	}
	return True;
}

/* Report to the user and to the daemon why the report ends here. */
static void stop_listening(const HChar *why, Bool printed)
{
	HChar text[80];

	VG_(sprintf)
	(text, "%s, %s", why,
	 printed ? "the report is cut" : "there is no report");
	vt_message(text);
	vt_control_send(PT_MSG_BYE, 0);
}

/* Print the texts that the daemon sends. Return: the exit status that the
   daemon asks for, or 0. Signals that the program has blocked and left pending
   do not interrupt it. */
static Int listen_to_the_end(void)
{
	static HChar packet[PT_MAX_MESSAGE];
	const struct pt_message *m = (const void *)packet;
	const ULong left = pending_end_signals();
	Bool printed = False, ended = False;
	UInt bytes;

	while (!ended) {
		if (vt_socket_poll(sock, SLICE_MS) == 0) {
			ended = (pending_end_signals() & ~left) != 0;
			continue;
		}
		bytes = vt_socket_receive(sock, packet, sizeof(packet));
		if (bytes < sizeof(*m)) {
			stop_listening("the daemon is gone", printed);
			return 0;
		}
		if (m->type == PT_MSG_DONE)
			return (Int)m->value;
		if (m->type == PT_MSG_TEXT) {
			printed = True;
			ended = !print_text(packet, bytes, left);
		}
	}
	stop_listening("interrupted", printed);
	return 0;
}

static void report_lost(void)
{
	HChar text[80];

	if (vt_outbox_lost() == 0)
		return;
	vt_ring_set_lost_messages(vt_outbox_lost());
	VG_(sprintf)
	(text, "%u messages to the daemon were lost", vt_outbox_lost());
	vt_message(text);
}

Int vt_control_goodbye(void)
{
	Int status = 0;

	if (sock == VT_NO_SOCKET)
		return 0;
	vt_outbox_add(PT_MSG_BYE, 0);
	vt_control_flush();
	report_lost();
	if (vt_control_reports())
		status = listen_to_the_end();
	else if (vt_socket_poll(sock, 0) & VT_POLL_GONE)
		vt_message("the daemon is gone, the program was not recorded "
			   "to its end");
	return status;
}
