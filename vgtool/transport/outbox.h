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
   since both would have one effect. Return: whether the outbox was empty. */
Bool vt_outbox_add_was_empty(enum pt_message_type type, ULong value);

/* Send waiting messages without blocking. Return: whether the outbox is empty
   now. If the daemon has ended, all messages are removed. */
Bool vt_outbox_try_send_all(Int sock);

/* Remove all waiting messages and reset the counts. Call in a forked child. */
void vt_outbox_clear(void);

/* Return the number of messages that were dropped. */
UInt vt_outbox_n_dropped(void);

/* Return the number of messages that were dropped or still wait. */
UInt vt_outbox_n_dropped_or_waiting(void);

#endif
