/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_outbox.h - messages to the daemon that must reach it
 *
 * Most messages are hints. These are not (PT_MSG_BYE, PT_MSG_LOST,
 * PT_MSG_HAPPENED): they wait here, in order, while the socket has no room or the
 * kernel no memory. One that finds the outbox full is counted.
 */
#ifndef VT_OUTBOX_H
#define VT_OUTBOX_H

#include "vgtool/vt_room.h"

/* Add a message. PT_MSG_HAPPENED of an event that waits already is added once:
   nobody could tell the two apart. Return: whether no other message waits. */
Bool vt_outbox_add(enum pt_message_type type, ULong value);

/* Send what there is room for. Return: whether nothing waits any more, also
   because the daemon is gone. */
Bool vt_outbox_flush(Int sock);

/* Forget what waits, as in a forked child. */
void vt_outbox_forget(void);

/* Number of messages that were never sent, those that still wait included. */
UInt vt_outbox_lost(void);

#endif
