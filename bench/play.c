/* SPDX-License-Identifier: GPL-2.0-or-later */
/* play.c - plays a dump to a daemon; see play.h */

#include "bench/play.h"

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/core/clock.h"
#include "tests/fixtures/fake_ring.h"

struct player {
	const struct play *p;
	struct tool tool;
	uint64_t n_places, chunk_bytes, log_bytes; /* of the ring */
	const void **held; /* [n_places] data in the dump that a slot of the
			      ring holds a copy of; NULL: none */
	uint64_t written;  /* number of chunks copied into the ring */
	uint64_t published;
	uint64_t total;
	uint64_t due_ns; /* with a rate: when to publish the next chunk */
	uint64_t log_head;
};

__attribute__((format(printf, 1, 2))) static int
print_error_return_minus_1(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("feeder: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	return -1;
}

/* Send PT_MSG_WAIT with @value, and wait for the daemon's answer. Return: 0;
   -1, with a message, if the daemon has closed the connection. */
static int request_wait_until_answered(struct player *y, uint64_t value)
{
	int type;

	say(&y->tool, PT_MSG_WAIT, value);
	do
		type = hear(&y->tool);
	while (type < 0);
	return type ? 0 : print_error_return_minus_1("the daemon hung up");
}

static int connect_and_check_ring_fits_dump(struct player *y)
{
	struct packet hello = good_hello();
	const struct pt_daemon_page *page;
	const struct dump_head *head = &y->p->dump->head;
	int fd = dial_at(y->p->socket);

	if (fd < 0)
		return print_error_return_minus_1("cannot connect to '%s': %s",
						  y->p->socket,
						  strerror(errno));
	hello.hello.flags |= PT_HELLO_FIXED_RING;
	join_on(&y->tool, fd, &hello);
	if (!y->tool.map)
		return print_error_return_minus_1("the daemon refuses: %s",
						  y->tool.welcome.reason);
	page = (const struct pt_daemon_page *)y->tool.map;
	y->n_places = page->n_chunks;
	y->chunk_bytes = page->chunk_bytes;
	y->log_bytes = page->log_bytes;
	if (y->tool.welcome.fields & ~head->fields)
		return print_error_return_minus_1(
			"the dump was made with other analyses");
	if (y->chunk_bytes != head->chunk_bytes)
		return print_error_return_minus_1(
			"the dump's buffers are of %u bytes, the daemon's "
			"of %lu",
			head->chunk_bytes, (unsigned long)y->chunk_bytes);
	y->held = calloc(y->n_places, sizeof(*y->held));
	/* The daemon must analyse published chunks only. */
	y->tool.page->running = 1;
	return y->held ? 0 : print_error_return_minus_1("out of memory");
}

static void append_to_ring_log(struct player *y,
			       const struct dump_buffer *piece)
{
	char *log = (char *)y->tool.map + 2 * PT_PAGE;
	uint64_t offset = y->log_head & (y->log_bytes - 1);
	uint64_t to_end = y->log_bytes - offset;

	if (piece->bytes <= to_end) {
		memcpy(log + offset, piece->data, piece->bytes);
	} else {
		memcpy(log + offset, piece->data, to_end);
		memcpy(log, (const char *)piece->data + to_end,
		       piece->bytes - to_end);
	}
	y->log_head += piece->bytes;
	set_log_head(&y->tool, y->log_head);
}

static int write_log_wait_until_consumed(struct player *y)
{
	const struct dump *d = y->p->dump;
	size_t i;

	for (i = 0; i < d->n_log; i++) {
		if (d->log[i].bytes > y->log_bytes)
			return print_error_return_minus_1(
				"the daemon's log is too small");
		append_to_ring_log(y, &d->log[i]);
		while (log_taken(&y->tool) != y->log_head)
			if (request_wait_until_answered(y, UINT64_MAX))
				return -1;
	}
	return 0;
}

/* Copy the next chunk of the dump to its slot of the ring, unless the slot
   still holds a copy of this chunk from an earlier repetition. */
static void copy_next_chunk_to_its_slot_if_new(struct player *y)
{
	const struct dump *d = y->p->dump;
	const struct dump_buffer *c = &d->chunk[y->written % d->n_chunks];
	uint64_t place = y->written++ % y->n_places;

	if (y->held[place] == c->data)
		return;
	memcpy((char *)y->tool.chunk0 + place * y->chunk_bytes, c->data,
	       c->bytes);
	y->held[place] = c->data;
}

static void sleep_until_monotonic_ns(uint64_t ns)
{
	struct timespec t = {(time_t)(ns / DM_SECOND), (long)(ns % DM_SECOND)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* If the player has a rate, sleep until the next chunk may be published. */
static void sleep_until_next_chunk_is_due(struct player *y)
{
	const struct dump *d = y->p->dump;
	const struct dump_buffer *c = &d->chunk[y->published % d->n_chunks];

	if (y->p->rate) {
		y->due_ns += c->bytes * DM_SECOND / y->p->rate;
		sleep_until_monotonic_ns(y->due_ns);
	}
}

/* Publish chunks until the ring is full or the last chunk is published. Send
   the daemon a message for each chunk if there is a rate, else only for the
   last one that this call publishes. */
static void publish_chunks_while_ring_has_room(struct player *y)
{
	uint64_t end = released(&y->tool) + y->n_places;

	if (end > y->total)
		end = y->total;
	while (y->published < end) {
		sleep_until_next_chunk_is_due(y);
		while (y->written <= y->published)
			copy_next_chunk_to_its_slot_if_new(y);
		publish(&y->tool, ++y->published);
		if (y->p->rate || y->published == end)
			say(&y->tool, PT_MSG_CHUNK, y->published);
	}
}

static int wait_until_chunks_are_released(struct player *y,
					  uint64_t chunk_count)
{
	while (released(&y->tool) < chunk_count)
		if (request_wait_until_answered(y, chunk_count - 1))
			return -1;
	return 0;
}

/* Wait until a quarter of the ring's slots, rounded up, is free, and count the
   wait and its time in the tool's page. The other slots keep the daemon busy.
   */
static int wait_until_quarter_of_ring_is_free(struct player *y)
{
	struct pt_tool_page *page = y->tool.page;
	uint64_t start = dm_now_ns();
	int err = wait_until_chunks_are_released(
		y, y->published - y->n_places + (y->n_places + 3) / 4);

	pt_store_relaxed(&page->waits, pt_load_relaxed(&page->waits) + 1);
	pt_store_relaxed(&page->wait_ns,
			 pt_load_relaxed(&page->wait_ns) + dm_now_ns() - start);
	return err;
}

static int publish_all_chunks_wait_released(struct player *y)
{
	int err = 0;

	y->due_ns = dm_now_ns();
	publish_chunks_while_ring_has_room(y);
	while (!err && y->published < y->total) {
		err = wait_until_quarter_of_ring_is_free(y);
		publish_chunks_while_ring_has_room(y);
	}
	return err ? err : wait_until_chunks_are_released(y, y->total);
}

static int read_byte_and_check_signal(int channel, enum play_signal expected)
{
	char c;

	if (read(channel, &c, 1) != 1 || c != (char)expected)
		return -1;
	return 0;
}

static int write_signal_byte(int channel, enum play_signal signal)
{
	char c = (char)signal;

	return write(channel, &c, 1) == 1 ? 0 : -1;
}

static int play_dump_on_signals(struct player *y, int channel)
{
	if (read_byte_and_check_signal(channel, PLAY_CONNECT) ||
	    connect_and_check_ring_fits_dump(y) ||
	    write_log_wait_until_consumed(y))
		return -1;
	while (y->written < y->n_places && y->written < y->total)
		copy_next_chunk_to_its_slot_if_new(y);
	if (write_signal_byte(channel, PLAY_READY) ||
	    read_byte_and_check_signal(channel, PLAY_GO) ||
	    publish_all_chunks_wait_released(y) ||
	    write_signal_byte(channel, PLAY_DONE) ||
	    read_byte_and_check_signal(channel, PLAY_LEAVE))
		return -1;
	y->tool.page->ending = PT_EXITED;
	say(&y->tool, PT_MSG_BYE, 0);
	return 0;
}

int play(const struct play *p, int channel)
{
	struct player y = {.p = p, .total = p->repeat * p->dump->n_chunks};
	int err = play_dump_on_signals(&y, channel);

	if (y.tool.fd > 0)
		leave(&y.tool);
	free(y.held);
	return err;
}
