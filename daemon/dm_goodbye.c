/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_goodbye.c - a private daemon's life: it reports through its last program
 *
 * Room:    daemon.
 */
#include "daemon/dm_goodbye.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "daemon/dm_client.h"
#include "daemon/dm_clock.h"
#include "daemon/dm_state.h"

#define FIRST_WAIT_NS (10 * DM_SECOND)

enum { SEND_WAIT_MS = 5000 };

/* Sends one packet, waiting for a reader that is slow. */
static int send_packet(int fd, const void *packet, size_t bytes)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	while (send(fd, packet, bytes, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
		if (errno == EAGAIN && poll(&p, 1, SEND_WAIT_MS) == 0)
			return -ETIMEDOUT;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
	}
	return 0;
}

static void send_text(int fd, uint64_t descriptor, const char *text, size_t len)
{
	char packet[PT_MAX_MESSAGE / 2];
	struct pt_message head = {.type = PT_MSG_TEXT, .value = descriptor};
	size_t n, room = sizeof(packet) - sizeof(head);

	memcpy(packet, &head, sizeof(head));
	for (; len; text += n, len -= n) {
		n = len < room ? len : room;
		memcpy(packet + sizeof(head), text, n);
		if (send_packet(fd, packet, sizeof(head) + n))
			return;
	}
}

/* Context: lock held. */
static void print_report(struct dm_daemon *d, FILE *out)
{
	al_run_print(d->run, out, false);
	al_run_print_unwritten(d->run, "alleria", out);
	fflush(out);
}

/* Context: lock held. */
static void send_report(struct dm_daemon *d, int fd)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return;
	print_report(d, f);
	fclose(f);
	send_text(fd, 2, text, len);
	free(text);
}

/* Context: lock held. */
static void send_json(struct dm_daemon *d, int fd)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int err;

	if (!f)
		return;
	err = al_run_write_json(d->run, f);
	fclose(f);
	if (!err)
		send_text(fd, 1, text, len);
	free(text);
}

static bool json_is_output(const struct dm_daemon *d)
{
	return d->settings->json && !strcmp(d->settings->json, "-");
}

/* Context: lock held, which keeps the server waiting; but this is the last
   program. */
static void answer_last(struct dm_daemon *d, struct dm_client *c)
{
	dm_daemon_sum_up(d);
	al_run_save(d->run);
	if (json_is_output(d))
		send_json(d, c->fd);
	else if (d->settings->json)
		(void)!al_run_save_json(d->run);
	send_report(d, c->fd);
	c->answered = true;
	d->reported = true;
	dm_client_send(c, PT_MSG_DONE, (uint64_t)al_run_failure(d->run));
}

/* Somebody to report to, when everything that was said is analysed. Context:
   lock held. */
static struct dm_client *find_last(struct dm_daemon *d)
{
	struct dm_client *c, *last = NULL;

	for (c = d->clients; c; c = c->next) {
		if (c->stage < DM_EXECED)
			return NULL;
		if (c->bye && !c->answered && c->fd >= 0)
			last = c;
	}
	return last;
}

/* Context: lock held. */
static bool is_needed(const struct dm_daemon *d)
{
	const struct dm_client *c;

	for (c = d->clients; c; c = c->next)
		if (c->fd >= 0 || !dm_is_over(c))
			return true;
	return (!d->seen && dm_now_ns() - d->started_ns < FIRST_WAIT_NS);
}

/* Whether a tool was interrupted when it waited; it has said that there is no
   report. Context: lock held. */
static bool was_left(const struct dm_daemon *d)
{
	const struct dm_client *c;

	for (c = d->clients; c; c = c->next)
		if (c->bye && !c->answered)
			return true;
	return false;
}

/* Nobody is there to send anything to. Context: lock held. */
static void report_alone(struct dm_daemon *d)
{
	dm_daemon_sum_up(d);
	al_run_save(d->run);
	if (d->settings->json && !json_is_output(d))
		(void)!al_run_save_json(d->run);
	if (!d->options.report || was_left(d))
		return;
	print_report(d, d->options.report);
}

bool dm_goodbye_serve(struct dm_daemon *d, unsigned timeout_ms)
{
	uint64_t end = dm_now_ns() + timeout_ms * DM_MS;
	struct dm_client *last;
	bool needed;

	pthread_mutex_lock(&d->lock);
	while ((needed = is_needed(d)) && dm_now_ns() < end) {
		last = find_last(d);
		if (last)
			answer_last(d, last);
		else
			dm_wait_changed(d, timeout_ms);
	}
	if (!needed && d->n_streams && !d->reported)
		report_alone(d);
	pthread_mutex_unlock(&d->lock);
	return needed;
}
