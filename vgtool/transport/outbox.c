/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outbox.c - queues the messages that must reach the daemon; see outbox.h */

#include "vgtool/transport/outbox.h"

#include "vgtool/transport/socket.h"

enum { MAX_WAITING = 256 }; /* messages */

static struct pt_message waiting[MAX_WAITING];
static UInt n_waiting;
static UInt n_dropped; /* messages that found the outbox full */

static Bool is_same_message_in_outbox(enum pt_message_type type, ULong value)
{
	UInt i;

	for (i = 0; i < n_waiting; i++)
		if (waiting[i].type == type && waiting[i].value == value)
			return True;
	return False;
}

/* The last entry is reserved for PT_MSG_BYE, the last message. */
Bool vt_outbox_add_or_drop_message_was_empty(enum pt_message_type type,
					     ULong value)
{
	UInt limit = type == PT_MSG_BYE ? MAX_WAITING : MAX_WAITING - 1;
	Bool was_empty = n_waiting == 0;

	if (type == PT_MSG_HAPPENED && is_same_message_in_outbox(type, value))
		return False;
	if (n_waiting < limit)
		waiting[n_waiting++] =
			(struct pt_message){.type = type, .value = value};
	else
		n_dropped++;
	return was_empty;
}

Bool vt_outbox_try_send_all_is_empty(Int sock)
{
	enum vt_send_result sent = VT_SENT;
	UInt n = 0;

	while (n < n_waiting && sent == VT_SENT) {
		sent = vt_socket_try_send(sock, &waiting[n],
					  sizeof(waiting[n]));
		n += sent == VT_SENT;
	}
	if (sent == VT_NO_DAEMON)
		n = n_waiting;
	n_waiting -= n;
	VG_(memmove)(waiting, waiting + n, n_waiting * sizeof(*waiting));
	return n_waiting == 0;
}

void vt_outbox_clear(void)
{
	n_waiting = n_dropped = 0;
}

UInt vt_outbox_n_dropped_messages(void)
{
	return n_dropped;
}

UInt vt_outbox_n_dropped_or_waiting_messages(void)
{
	return n_dropped + n_waiting;
}
