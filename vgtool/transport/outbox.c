/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outbox.c - messages to the daemon that must reach it; see outbox.h */

#include "vgtool/transport/outbox.h"

#include "vgtool/transport/socket.h"

enum { MOST = 256 }; /* messages that wait */

static struct pt_message waiting[MOST];
static UInt n_waiting;
static UInt n_lost; /* messages for which there was no room */

static Bool is_waiting(enum pt_message_type type, ULong value)
{
	UInt i;

	for (i = 0; i < n_waiting; i++)
		if (waiting[i].type == type && waiting[i].value == value)
			return True;
	return False;
}

/* One entry is reserved for PT_MSG_BYE, which comes last. */
Bool vt_outbox_add(enum pt_message_type type, ULong value)
{
	UInt most = type == PT_MSG_BYE ? MOST : MOST - 1;
	Bool alone = n_waiting == 0;

	if (type == PT_MSG_HAPPENED && is_waiting(type, value))
		return False;
	if (n_waiting < most)
		waiting[n_waiting++] =
			(struct pt_message){.type = type, .value = value};
	else
		n_lost++;
	return alone;
}

Bool vt_outbox_flush(Int sock)
{
	enum vt_sent sent = VT_SENT;
	UInt n = 0;

	while (n < n_waiting && sent == VT_SENT) {
		sent = vt_socket_try(sock, &waiting[n], sizeof(waiting[n]));
		n += sent == VT_SENT;
	}
	if (sent == VT_NO_DAEMON)
		n = n_waiting;
	n_waiting -= n;
	VG_(memmove)(waiting, waiting + n, n_waiting * sizeof(*waiting));
	return n_waiting == 0;
}

void vt_outbox_forget(void)
{
	n_waiting = n_lost = 0;
}

UInt vt_outbox_dropped(void)
{
	return n_lost;
}

UInt vt_outbox_lost(void)
{
	return n_lost + n_waiting;
}
