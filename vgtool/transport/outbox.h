/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox.h - queues the messages that must reach the daemon
 *
 * Most messages are hints and may be lost. PT_MSG_BYE, PT_MSG_LOST and
 * PT_MSG_HAPPENED are not: they wait in the outbox, in order, while the socket
 * has no room or the kernel is short of memory. If the outbox is full, a
 * further message is dropped and counted.
 */
#ifndef VGTOOL_TRANSPORT_OUTBOX_H
#define VGTOOL_TRANSPORT_OUTBOX_H

#include "vgtool/core/prelude.h"

/* Add a message. PT_MSG_HAPPENED is not added if the same event already waits,
   since both would have one effect. If the outbox is full, the message is
   dropped and counted. Return: whether the outbox was empty before the call. */
Bool vt_outbox_add_or_drop_message_was_empty(enum pt_message_type type,
					     ULong value);

/* Send the waiting messages, oldest first, without blocking, until the socket
   has no room, and remove those that were sent. If the daemon has ended, remove
   all messages. Return: whether the outbox is empty now. */
Bool vt_outbox_try_send_all_is_empty(Int sock);

/* Remove all waiting messages, and set the number of dropped messages to 0.
   Call in a forked child. */
void vt_outbox_clear(void);

/* Return the number of messages that were dropped because the outbox was
   full. */
UInt vt_outbox_n_dropped_messages(void);

/* Return the number of messages to the daemon that were dropped or still wait
   in the outbox. */
UInt vt_outbox_n_dropped_or_waiting_messages(void);

#endif
