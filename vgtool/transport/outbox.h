/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox.h - messages to the daemon that must reach it
 *
 * Most messages are hints. These are not (PT_MSG_BYE, PT_MSG_LOST,
 * PT_MSG_HAPPENED): they wait here, in order, while the socket has no room or the
 * kernel no memory. A message that finds the outbox full is dropped and counted.
 */
#ifndef VGTOOL_TRANSPORT_OUTBOX_H
#define VGTOOL_TRANSPORT_OUTBOX_H

#include "vgtool/core/prelude.h"

/* Add a message. PT_MSG_HAPPENED of an event that already waits is not added
   again, since both would have one effect. Return: whether no other message
   waits. */
Bool vt_outbox_add(enum pt_message_type type, ULong value);

/* Send messages as far as there is room. Return: whether none waits any more;
   True also when the daemon is gone. */
Bool vt_outbox_flush(Int sock);

/* Drop all messages that wait, and reset the counts, as in a forked child. */
void vt_outbox_forget(void);

/* Return the number of messages that were dropped. */
UInt vt_outbox_dropped(void);

/* Return the number of messages that were never sent; waiting ones count. */
UInt vt_outbox_lost(void);

#endif
