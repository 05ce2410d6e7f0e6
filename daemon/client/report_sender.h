/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_sender.h - a report on its way to a tool
 *
 * The texts and the status that end a tool's wait (PT_MSG_TEXT, PT_MSG_DONE)
 * wait for room in its socket as orders do, for as long as the tool lives;
 * then its connection is closed. A socket keeps what was sent before that.
 *
 * Threads: any, with dm_daemon.lock held.
 */
#ifndef DAEMON_CLIENT_REPORT_SENDER_H
#define DAEMON_CLIENT_REPORT_SENDER_H

#include "daemon/client/state.h"

struct dm_text {
	char *data; /* owned; NULL: no text */
	size_t bytes;
};

/**
 * dm_report_queue() - Send a tool its report, and close behind it.
 * @json: for its standard output; its data become the client's.
 * @text: for its standard error; likewise.
 * @status: exit status that the tool uses when it is not 0.
 *
 * Orders that still wait are dropped: the program has ended. Once for each
 * client, whose connection must be open.
 */
void dm_report_queue(struct dm_client *, struct dm_text json,
		     struct dm_text text, uint64_t status);

/* Send as much of the report as the socket has room for. Return: whether
   nothing is left to send. */
bool dm_report_flush(struct dm_client *);

/* Whether a report was queued and is not yet sent completely. */
bool dm_report_is_unsent(const struct dm_client *);

void dm_report_release(struct dm_client *);

#endif
