/* SPDX-License-Identifier: GPL-2.0-or-later */
/* connection.c - joins a daemon and exchanges messages; see connection.h */

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
	SLICE_MS = 50,	   /* between two checks for pending signals */
	ROOM_MS = 5000,	   /* longest wait for room for a message */
	ANSWER_MS = 15000, /* longest wait for the daemon's next message
			      while its answer is awaited */
};

static const struct vt_connection_callbacks *calls;
static Int sock = VT_NO_SOCKET;
static Int parent_sock = VT_NO_SOCKET; /* in a forked child: the parent's
					  `sock`, until the daemon has
					  answered */
static HChar joined_path[VT_SOCKET_PATH];
static struct pt_welcome welcome;
static struct pt_allocators *allocators; /* allocator functions that the user
					    has named; or NULL */
void vt_connection_set_callbacks(
	const struct vt_connection_callbacks *plan_and_message_callbacks)
{
	calls = plan_and_message_callbacks;
}

ULong vt_clock_monotonic_now_ns(void)
{
	struct vki_timespec ts = {0, 0};

	vt_syscall3(__NR_clock_gettime, VKI_CLOCK_MONOTONIC, (UWord)&ts, 0);
	return (ULong)ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static void close_daemon_socket(void)
{
	if (sock != VT_NO_SOCKET)
		VG_(close)(sock);
	sock = VT_NO_SOCKET;
}

/* Close the connection and copy @why to @reason_buffer. Return VT_REFUSED. */
static enum vt_join_result close_and_refuse_join(HChar *reason_buffer,
						 const HChar *why)
{
	VG_(strncpy)(reason_buffer, why, PT_REASON - 1);
	reason_buffer[PT_REASON - 1] = 0;
	close_daemon_socket();
	return VT_REFUSED;
}

/* Return the reason why the daemon refuses this process, or NULL if it does
   not. */
static const HChar *refusal_reason_or_null(const struct pt_welcome *answer)
{
	if (answer->magic != PT_MAGIC)
		return "no Alleria daemon listens there";
	return answer->bytes == 0 ? answer->reason : NULL;
}

/* Receive the user's allocator functions, if the welcome @answer announces
   them, and store them, unless a forked child has inherited them. Return: False
   if they do not arrive. */
static Bool try_receive_allocators_if_any(const struct pt_welcome *answer)
{
	struct pt_allocators *list;

	if (answer->allocator_bytes == 0)
		return True;
	list = vt_hello_receive_allocators_or_null(sock,
						   answer->allocator_bytes);
	if (list != NULL && allocators == NULL)
		allocators = list;
	else
		VG_(free)(list);
	return list != NULL;
}

const struct pt_allocators *vt_connection_allocators_or_null(void)
{
	return allocators;
}

/* Receive the recording plan, if the welcome @answer announces one, set @plan
   to it, receive the user's allocators, attach the ring, and close @ring_fd.
   The plan is received first, because units may be written as soon as the ring
   is attached. Return: NULL on success, else the reason of the failure; then
   @plan may have been set. */
static const HChar *
receive_plan_attach_ring_or_reason(const struct pt_welcome *answer, Int ring_fd,
				   struct pt_plan **plan)
{
	const HChar *why = NULL;

	if (ring_fd != VT_NO_SOCKET)
		ring_fd = vt_move_to_reserved_fd(ring_fd);
	if (ring_fd == VT_NO_SOCKET)
		return "no file descriptor is left";
	if (answer->plan_bytes != 0)
		*plan = vt_hello_receive_plan_or_null(sock, answer->plan_bytes);
	if (answer->plan_bytes != 0 && *plan == NULL)
		why = "the daemon's windows do not arrive";
	else if (!try_receive_allocators_if_any(answer))
		why = "the daemon's allocators do not arrive";
	else if (!vt_ring_try_attach(ring_fd, answer->bytes))
		why = "cannot map the daemon's memory";
	VG_(close)(ring_fd);
	return why;
}

/* Exchange hello and welcome with the daemon, and attach the ring. If this
   fails, the last welcome stays valid: a forked child has inherited code that
   was translated for the fields in it. */
static enum vt_join_result
exchange_hello_and_attach_ring(const struct vt_fork_info *fork,
			       Bool is_after_exec, HChar *reason)
{
	struct pt_welcome answer;
	struct pt_plan *plan = NULL;
	const HChar *why;
	Int ring_fd;

	if (!vt_hello_send(sock, fork, &welcome) ||
	    !vt_hello_receive_welcome_close_parent(sock, is_after_exec, &answer,
						   &ring_fd))
		return close_and_refuse_join(reason,
					     "the daemon does not answer");
	answer.reason[PT_REASON - 1] = 0;
	why = refusal_reason_or_null(&answer);
	if (why == NULL)
		why = receive_plan_attach_ring_or_reason(&answer, ring_fd,
							 &plan);
	else if (ring_fd != VT_NO_SOCKET)
		VG_(close)(ring_fd);
	if (why != NULL) {
		VG_(free)(plan);
		return close_and_refuse_join(reason, why);
	}
	welcome = answer;
	calls->plan(plan);
	return VT_JOINED;
}

/* Store @path as an absolute path, because the program may change its working
   directory before it forks or executes another one. Return: False if the path
   is too long for a socket, or if the working directory is unknown. */
static Bool try_make_absolute_and_store_socket_path(const HChar *path)
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

static enum vt_join_result
connect_and_join_daemon(const struct vt_fork_info *fork, Bool is_after_exec,
			HChar *reason)
{
	sock = vt_socket_connect_same_user_or_none(joined_path);
	if (sock == VT_NO_SOCKET)
		return VT_NO_LISTENER;
	return exchange_hello_and_attach_ring(fork, is_after_exec, reason);
}

enum vt_join_result vt_connection_join(const HChar *socket_path,
				       Bool waits_longer_after_exec,
				       HChar *refusal_reason)
{
	return try_make_absolute_and_store_socket_path(socket_path)
		       ? connect_and_join_daemon(NULL, waits_longer_after_exec,
						 refusal_reason)
		       : VT_NO_LISTENER;
}

enum vt_join_result
vt_connection_join_after_fork(const struct vt_fork_info *fork, HChar *reason)
{
	return connect_and_join_daemon(fork, False, reason);
}

const HChar *vt_connection_socket_path(void)
{
	return joined_path;
}

void vt_connection_detach_in_child(void)
{
	parent_sock = sock;
	sock = VT_NO_SOCKET;
	vt_outbox_clear();
}

void vt_connection_close_parent_socket(void)
{
	if (parent_sock != VT_NO_SOCKET)
		VG_(close)(parent_sock);
	parent_sock = VT_NO_SOCKET;
}

UInt vt_connection_field_bits_from_welcome(void)
{
	return welcome.fields;
}

Bool vt_connection_must_await_report(void)
{
	return (welcome.wants & PT_WANT_GOODBYE) != 0;
}

UInt vt_connection_stream_number(void)
{
	return welcome.stream;
}

/* Return the pending signals that ask the program to end: bit n - 1 for signal
   n. */
static ULong pending_termination_signal_mask(void)
{
	vki_sigset_t set = {{0}};
	const ULong to_end =
		1ULL << (VKI_SIGHUP - 1) | 1ULL << (VKI_SIGINT - 1) |
		1ULL << (VKI_SIGQUIT - 1) | 1ULL << (VKI_SIGTERM - 1);

	vt_syscall3(__NR_rt_sigpending, (UWord)&set, sizeof(set), 0);
	return set.sig[0] & to_end;
}

/* Send the messages that wait in the outbox, for at most @timeout_ms. Return
   early if a signal that was not pending before asks the program to end. */
static void send_outbox_with_timeout(UInt timeout_ms)
{
	const ULong pending_before = pending_termination_signal_mask();

	while (!vt_outbox_try_send_all_is_empty(sock) &&
	       timeout_ms >= SLICE_MS) {
		if (pending_termination_signal_mask() & ~pending_before)
			return;
		/* If the socket has room, the kernel is short of memory. poll()
		   cannot wait for memory, so just wait for a slice. */
		if (vt_socket_poll_output_event_mask(sock, SLICE_MS) ==
		    VT_POLL_OUT)
			vt_socket_poll_input_event_mask(VT_NO_SOCKET, SLICE_MS);
		timeout_ms -= SLICE_MS;
	}
}

static Bool may_drop_message_if_socket_full(enum pt_message_type type)
{
	return type != PT_MSG_HAPPENED && type != PT_MSG_LOST &&
	       type != PT_MSG_BYE;
}

void vt_connection_send_await_or_drop_if_full(enum pt_message_type type,
					      ULong value)
{
	struct pt_message m = {.type = type, .value = value};

	if (sock == VT_NO_SOCKET)
		return;
	if (may_drop_message_if_socket_full(type)) {
		vt_outbox_try_send_all_is_empty(sock);
		vt_socket_try_send(sock, &m, sizeof(m));
		return;
	}
	/* Do not wait if other messages are in the outbox: the program has
	   already waited ROOM_MS for them. */
	send_outbox_with_timeout(
		vt_outbox_add_or_drop_message_was_empty(type, value) ? ROOM_MS
								     : 0);
	vt_ring_store_lost_message_count(vt_outbox_n_dropped_messages());
}

void vt_connection_send_outbox(void)
{
	if (sock != VT_NO_SOCKET)
		send_outbox_with_timeout(~0u);
}

/* Close the connection, detach the ring, and report to the user that the daemon
   is gone. */
static void detach_and_report_daemon_gone(void)
{
	close_daemon_socket();
	vt_ring_detach_to_sink();
	vt_message_print(
		"the daemon is gone, the program goes on unrecorded; if "
		"memory was short: MEMORY in alleriad(1)");
}

/* Buffer for a message that the daemon sends while the program runs, except the
   answer to a question. */
union packet {
	struct pt_message m;
	HChar bytes[sizeof(struct pt_message) + PT_MAX_NAME + 1];
};

/* Receive a message without waiting, and execute it. Return: False if there is
   none, or if the daemon has ended. */
static Bool try_receive_and_execute_message(void)
{
	union packet p;
	UInt n = vt_socket_receive_no_wait_or_0(sock, &p, sizeof(p));

	if (n != 0)
		calls->message(&p.m, n);
	return n != 0;
}

void vt_connection_execute_all_messages(void)
{
	while (sock != VT_NO_SOCKET && try_receive_and_execute_message())
		;
}

const ULong *
vt_connection_ask_and_await_answer(const struct pt_message *question,
				   UInt question_bytes, UInt answer_type)
{
	static ULong packet[PT_MAX_MESSAGE / 8];
	const struct pt_message *m = (const void *)packet;
	UInt n;

	if (sock == VT_NO_SOCKET)
		return NULL;
	vt_socket_send(sock, question, question_bytes, True);
	while (vt_socket_poll_input_event_mask(sock, ANSWER_MS) & VT_POLL_IN) {
		n = vt_socket_receive_no_wait_or_0(sock, packet,
						   sizeof(packet));
		if (n == 0)
			break;
		if (m->type == answer_type && n == sizeof(*m) + 8 * m->value &&
		    m->value == question->value)
			return packet + sizeof(*m) / 8;
		calls->message(m, n);
	}
	detach_and_report_daemon_gone();
	return NULL;
}

Bool vt_connection_execute_msg_is_connected(UInt timeout_ms)
{
	Int events = vt_socket_poll_input_event_mask(sock, timeout_ms);

	if (events == 0)
		return True;
	if ((events & VT_POLL_IN) && try_receive_and_execute_message())
		return True;
	detach_and_report_daemon_gone();
	return False;
}

/* Print the text of a packet from the daemon on the standard output or error
   that the tool started with, or up to the place where no more can be written.
   Return: True; False if a signal that is not in @signals_pending_before asked
   the program to end while the text waited for a reader. */
static Bool print_daemon_text_false_if_new_signal(const HChar *packet,
						  UInt packet_bytes,
						  ULong signals_pending_before)
{
	const struct pt_message *m = (const void *)packet;
	const Int which = m->value == 1 ? 1 : 2;
	const HChar *text = packet + sizeof(*m);
	static Bool is_cut[3]; /* by descriptor: no more can be written */
	Int n;

	for (packet_bytes -= sizeof(*m); packet_bytes > 0 && !is_cut[which];
	     packet_bytes -= n) {
		n = vt_print_part_to_standard_fd(which, text, packet_bytes,
						 SLICE_MS);
		if (n == 0 && (pending_termination_signal_mask() &
			       ~signals_pending_before))
			return False;
		is_cut[which] = n < 0;
		if (n < 0)
			vt_message_print(
				"standard output accepts no more text, "
				"the text is cut");
		text += n;
	}
	return True;
}

/* Print that the report is cut (if @was_partly_printed) or else missing because
   of @why, and send PT_MSG_BYE, so that the daemon knows that the tool does not
   wait any more. */
static void stop_waiting_for_report(const HChar *why, Bool was_partly_printed)
{
	HChar text[80];

	VG_(sprintf)
	(text, "%s, %s", why,
	 was_partly_printed ? "the report is cut" : "there is no report");
	vt_message_print(text);
	vt_connection_send_await_or_drop_if_full(PT_MSG_BYE, 0);
}

/* Print the texts that the daemon sends until PT_MSG_DONE. A signal that asks
   the program to end interrupts this, unless it was pending before the call
   because the program has blocked it. Return: the exit status that PT_MSG_DONE
   requests; 0 if it does not arrive. */
static Int print_daemon_report_return_its_status(void)
{
	static HChar packet[PT_MAX_MESSAGE];
	const struct pt_message *m = (const void *)packet;
	const ULong pending_before = pending_termination_signal_mask();
	Bool printed = False, ended = False;
	UInt bytes;

	while (!ended) {
		if (vt_socket_poll_input_event_mask(sock, SLICE_MS) == 0) {
			ended = (pending_termination_signal_mask() &
				 ~pending_before) != 0;
			continue;
		}
		bytes = vt_socket_receive_no_wait_or_0(sock, packet,
						       sizeof(packet));
		if (bytes < sizeof(*m)) {
			stop_waiting_for_report("the daemon is gone", printed);
			return 0;
		}
		if (m->type == PT_MSG_DONE)
			return (Int)m->value;
		if (m->type == PT_MSG_TEXT) {
			printed = True;
			ended = !print_daemon_text_false_if_new_signal(
				packet, bytes, pending_before);
		}
	}
	stop_waiting_for_report("interrupted", printed);
	return 0;
}

/* Report the number of messages that were dropped or still wait in the outbox,
   unless it is 0: print it, and store it in the ring for the daemon. */
static void report_lost_messages_if_any(void)
{
	HChar text[80];

	if (vt_outbox_n_dropped_or_waiting_messages() == 0)
		return;
	vt_ring_store_lost_message_count(
		vt_outbox_n_dropped_or_waiting_messages());
	VG_(sprintf)
	(text, "%u messages to the daemon were lost",
	 vt_outbox_n_dropped_or_waiting_messages());
	vt_message_print(text);
}

Int vt_connection_send_bye_get_exit_status(void)
{
	Int status = 0;

	if (sock == VT_NO_SOCKET)
		return 0;
	vt_outbox_add_or_drop_message_was_empty(PT_MSG_BYE, 0);
	vt_connection_send_outbox();
	report_lost_messages_if_any();
	if (vt_connection_must_await_report())
		status = print_daemon_report_return_its_status();
	else if (vt_socket_poll_input_event_mask(sock, 0) & VT_POLL_GONE)
		vt_message_print(
			"the daemon is gone, the program was not recorded "
			"to its end");
	return status;
}
