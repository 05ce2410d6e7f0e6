/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_sender.h - sends a report to the tool that waits for it
 *
 * The report consists of texts (PT_MSG_TEXT) and a status (PT_MSG_DONE), which
 * ends the tool's wait. Packets that do not fit into the tool's socket are sent
 * later, for as long as the tool lives. When all were sent, the connection is
 * closed; the tool can still read the packets after that.
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
 * dm_report_send_and_close() - Send a tool its report, then
 * close the connection.
 * @json: text for the tool's standard output; the client becomes the owner of
 *        its data.
 * @text: text for the tool's standard error; the client becomes the owner of
 *        its data.
 * @exit_status: exit status that the tool uses if it is not 0.
 *
 * Queued commands are dropped, because the program has ended. If there is no
 * memory, the connection is closed at once. Call it once for each client, while
 * its connection is open.
 */
void dm_report_send_and_close(struct dm_client *, struct dm_text json,
			      struct dm_text text, uint64_t exit_status);

/* Send as much of the report as fits into the socket; no-op without a report.
   Return: false if a packet was not sent (DM_FULL), so that the rest is to be
   sent later; true also if the peer can receive nothing any more. */
bool dm_report_send_rest(struct dm_client *);

/* Whether a report was queued and is not yet sent completely. */
bool dm_report_is_not_fully_sent(const struct dm_client *);

/* Free the client's report; no-op if it has none. */
void dm_client_free_report(struct dm_client *);

#endif
