/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connection.h - the connection to the daemon
 *
 * Never raises SIGPIPE, never blocks without a bound, never kills the
 * program: when the daemon goes away the program goes on unrecorded, and says
 * so once.
 */
#ifndef VGTOOL_TRANSPORT_CONNECTION_H
#define VGTOOL_TRANSPORT_CONNECTION_H

#include "proto/hello.h"
#include "vgtool/core/prelude.h"

struct pt_plan;

struct vt_fork_info {
	UInt parent_pid;
	UInt parent_stream;
	UInt n_blocks;
	ULong parent_log;
};

/* What is done with what the daemon sends, by the parts above. */
struct vt_control_calls {
	/* Record by a plan from now on; NULL: everything. It is the callee's,
	   for VG_(free)(). */
	void (*plan)(struct pt_plan *);

	/* Do what a message asks for. Those of unknown types only wake the
	   tool. */
	void (*message)(const struct pt_message *, UInt bytes);
};

/* Set them, before the first connection. */
void vt_control_set_calls(const struct vt_control_calls *);

enum vt_join { VT_JOINED, VT_NOBODY, VT_REFUSED };

/**
 * vt_control_join() - Connect, shake hands and attach the ring.
 * @path: of the daemon's socket.
 * @later: an image after exec, which waits for the one before to be analysed.
 * @reason: [PT_REASON] why not.
 *
 * Return: VT_JOINED; VT_NOBODY when nobody listens; VT_REFUSED with @reason.
 */
enum vt_join vt_control_join(const HChar *path, Bool later, HChar *reason);

/* As vt_control_join() by the socket joined last. @fork: of a forked child. */
enum vt_join vt_control_rejoin(const struct vt_fork_info *fork, HChar *reason);

/* The socket joined last. */
const HChar *vt_control_path(void);

/* In a forked child: there is no connection. The parent's stays open, though,
   until the daemon has answered, or until vt_control_left(). */
void vt_control_leave(void);
void vt_control_left(void);

/* What the daemon said when it accepted. */
UInt vt_control_fields(void); /* enum pt_fields */
UInt vt_control_stream(void);

/* Send a message. PT_MSG_LOST, PT_MSG_HAPPENED and PT_MSG_BYE wait for room, if
   need be beyond this call (outbox.h); others are hints and are lost without
   it. */
void vt_control_send(enum pt_message_type type, ULong value);

/* Wait until all is sent that must be, while the daemon lives and no signal asks
   the program to end: it is about to become another by exec. */
void vt_control_flush(void);

/**
 * vt_control_wait() - Wait for any message of the daemon's.
 *
 * Return: False when the daemon is gone; the ring is detached then.
 */
Bool vt_control_wait(UInt timeout_ms);

/**
 * vt_control_ask() - Send @bytes of a message and wait for its answer.
 * @type: enum pt_message_type of the answer.
 *
 * Return: the words behind the answer's head, as many as its value says; valid
 *         until the next call. NULL: the daemon is gone, the ring detached.
 */
const ULong *vt_control_ask(const struct pt_message *, UInt bytes, UInt type);

/* Takes what the daemon has sent, without waiting. */
void vt_control_listen(void);

/* Whether the daemon's report will come through vt_control_goodbye(). */
Bool vt_control_reports(void);

/* At the very end: says goodbye and, when the daemon wants to be waited for,
   prints what it sends. Return: exit status that it asks for, or 0. */
Int vt_control_goodbye(void);

/* Monotonic clock. */
ULong vt_control_now_ns(void);

#endif
