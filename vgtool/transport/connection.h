/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connection.h - joins a daemon and exchanges messages with it
 *
 * The connection never raises SIGPIPE, and never ends the program. Each wait
 * has a time limit, except those before exec and at the end, which a signal
 * ends. If the daemon ends, the program goes on unrecorded, and one message
 * reports that.
 */
#ifndef VGTOOL_TRANSPORT_CONNECTION_H
#define VGTOOL_TRANSPORT_CONNECTION_H

#include "proto/hello.h"
#include "vgtool/core/prelude.h"

struct pt_allocators;
struct pt_plan;

/* State of the parent at a fork, which the child's hello sends. */
struct vt_fork_info {
	UInt parent_pid;
	UInt parent_stream; /* number of the parent's stream */
	UInt n_blocks;	    /* blocks described so far, which the child
			       inherits */
	ULong parent_log;   /* [bytes] vt_ring_n_logged_bytes() of the parent */
};

/* Callbacks that handle the data received from the daemon. */
struct vt_connection_callbacks {
	/* Record by @plan from now on; NULL: record everything. The callee owns
	   the plan and frees it with VG_(free)(). */
	void (*plan)(struct pt_plan *plan);

	/* Execute a message of @bytes; ignore unknown types. */
	void (*message)(const struct pt_message *, UInt bytes);
};

/* Set the callbacks. Call before the first connection. */
void vt_connection_set_callbacks(const struct vt_connection_callbacks *);

enum vt_join_result { VT_JOINED, VT_NO_LISTENER, VT_REFUSED };

/**
 * vt_connection_join() - Connect to a daemon, exchange hello and welcome, and
 * attach the ring.
 * @socket_path: path of the daemon's socket.
 * @waits_longer_after_exec: whether exec started this program; the daemon then
 *                 answers only when it has analysed what ran before the exec.
 * @refusal_reason: [PT_REASON] receives the reason of VT_REFUSED.
 *
 * Return: VT_JOINED; VT_NO_LISTENER if the path is too long or no daemon of
 *         this user can be reached there; VT_REFUSED if the daemon refuses or
 *         the exchange fails.
 */
enum vt_join_result vt_connection_join(const HChar *socket_path,
				       Bool waits_longer_after_exec,
				       HChar *refusal_reason);

/* Join the daemon again, in a forked child, by the path joined last, as
   vt_connection_join() does. @fork: state of the parent. */
enum vt_join_result
vt_connection_join_after_fork(const struct vt_fork_info *fork, HChar *reason);

/* Return the absolute path of the socket joined last. */
const HChar *vt_connection_socket_path(void);

/* Stop using the connection in a forked child, which has inherited it from the
   parent, and empty the outbox. The descriptor stays open until the daemon has
   answered the child's hello, or until vt_connection_close_parent_socket(). */
void vt_connection_detach_in_child(void);

/* Close the parent's connection that vt_connection_detach_in_child() has left
   open, if any. */
void vt_connection_close_parent_socket(void);

/* Return the fields to record (bits of enum pt_fields), which the daemon has
   sent in its welcome. */
UInt vt_connection_field_bits_from_welcome(void);

/* Return the number of this process's stream, which the daemon has sent in its
   welcome. */
UInt vt_connection_stream_number(void);

/* Return the allocator functions that the user has named, which the daemon has
   sent after its welcome, complete and with a NUL at the end; NULL: none. */
const struct pt_allocators *vt_connection_allocators_or_null(void);

/* Send a message. PT_MSG_LOST, PT_MSG_HAPPENED and PT_MSG_BYE wait for room in
   the socket, and stay in the outbox if there is none in time (outbox.h). Other
   messages are hints, which are dropped if there is no room. */
void vt_connection_send_await_or_drop_if_full(enum pt_message_type type,
					      ULong value);

/* Send the messages that wait in the outbox (outbox.h). Return when it is
   empty, when the daemon has ended, or when a signal asks the program to end.
   Call before exec and before the end. */
void vt_connection_send_outbox(void);

/**
 * vt_connection_execute_msg_is_connected() - Wait for a message from the
 * daemon and execute it.
 * @timeout_ms: the longest time to wait.
 *
 * Return: True, also if no message came; False if the daemon has ended, then
 *         the ring is detached.
 */
Bool vt_connection_execute_msg_is_connected(UInt timeout_ms);

/**
 * vt_connection_ask_and_await_answer() - Send @question and wait for its
 * answer.
 * @question_bytes: size of @question with the data that follows it.
 * @answer_type: enum pt_message_type of the answer.
 *
 * Return: the words that follow the answer's header, as many as @question has
 *         in its member `value`. Valid until the next call. NULL if there is no
 *         connection, or no answer in time; then the ring is detached.
 */
const ULong *
vt_connection_ask_and_await_answer(const struct pt_message *question,
				   UInt question_bytes, UInt answer_type);

/* Execute all messages that the daemon has sent, without waiting. */
void vt_connection_execute_all_messages(void);

/* Whether vt_connection_send_bye_get_exit_status() waits for the daemon and
   prints its report. */
Bool vt_connection_must_await_report(void);

/* End the recording: send PT_MSG_BYE and, if vt_connection_must_await_report(),
   print the texts that the daemon sends. Return: the exit status that the
   daemon asks for, or 0. */
Int vt_connection_send_bye_get_exit_status(void);

/* Return the time of the monotonic clock [ns]. */
ULong vt_clock_monotonic_now_ns(void);

#endif
