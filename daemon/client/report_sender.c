/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_sender.c - sends the report of a private daemon to the tool that waits
   for it; see report_sender.h */

#include "daemon/client/report_sender.h"

#include <stdlib.h>

#include "daemon/client/connection.h"
#include "daemon/client/outbox.h"

enum {
	TEXTS = 2,
	/* maximum length of the text in a packet [bytes] */
	PACKET_BYTES = PT_MAX_MESSAGE / 2 - sizeof(struct pt_message),
};

struct dm_report {
	struct dm_text text[TEXTS]; /* the tool prints text[i] on its descriptor
				       i + 1 */
	unsigned number;	    /* index of the text being sent */
	size_t sent;		    /* bytes of text[number] that were sent */
	uint64_t status;
	bool is_done; /* PT_MSG_DONE was sent */
};

void dm_client_free_report(struct dm_client *c)
{
	struct dm_report *r = c->report;

	for (unsigned i = 0; r && i < TEXTS; i++)
		free(r->text[i].data);
	free(r);
	c->report = NULL;
}

void dm_report_send_and_close(struct dm_client *c, struct dm_text json,
			      struct dm_text text, uint64_t exit_status)
{
	struct dm_report *r = calloc(1, sizeof(*r));

	dm_outbox_free_all_commands(c);
	dm_client_free_report(c);
	if (!r) { /* no report: the tool prints that its connection ended */
		free(json.data);
		free(text.data);
		dm_client_close_connection_if_open(c);
		return;
	}
	*r = (struct dm_report){.text = {json, text}, .status = exit_status};
	c->report = r;
	dm_client_send_queued_packets(c);
}

/* Send the next packet of r->text[r->number], which is the JSON report (0) or
   the text report (1). Add the packet's length to r->sent if it was sent. */
static enum dm_send_result send_next_json_or_text_packet(struct dm_client *c,
							 struct dm_report *r)
{
	const struct dm_text *t = &r->text[r->number];
	size_t remaining = t->bytes - r->sent,
	       n = remaining < PACKET_BYTES ? remaining : PACKET_BYTES;
	struct pt_message head = {.type = PT_MSG_TEXT, .value = r->number + 1};
	struct iovec part[2] = {{&head, sizeof(head)}, {t->data + r->sent, n}};
	const struct msghdr m = {.msg_iov = part, .msg_iovlen = 2};
	enum dm_send_result sent = dm_client_send_without_blocking(c, &m);

	if (sent == DM_SENT)
		r->sent += n;
	return sent;
}

static enum dm_send_result send_report_done_message(struct dm_client *c,
						    struct dm_report *r)
{
	struct pt_message done = {.type = PT_MSG_DONE, .value = r->status};
	struct iovec part = {&done, sizeof(done)};
	const struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	enum dm_send_result sent = dm_client_send_without_blocking(c, &m);

	r->is_done = sent == DM_SENT;
	return sent;
}

static enum dm_send_result send_next_report_packet(struct dm_client *c,
						   struct dm_report *r)
{
	while (r->number < TEXTS && r->sent == r->text[r->number].bytes) {
		r->number++;
		r->sent = 0;
	}
	return r->number < TEXTS ? send_next_json_or_text_packet(c, r)
				 : send_report_done_message(c, r);
}

bool dm_report_send_rest(struct dm_client *c)
{
	struct dm_report *r = c->report;
	enum dm_send_result sent = DM_SENT;

	while (r && !r->is_done && sent == DM_SENT)
		sent = send_next_report_packet(c, r);
	return sent != DM_FULL;
}

bool dm_report_is_not_fully_sent(const struct dm_client *c)
{
	return c->report && !c->report->is_done;
}
