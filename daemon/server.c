/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * server.c - runs the server thread, which handles messages and deadlines
 *
 * Threads: only the server thread executes this file.
 *
 * The server never waits for a tool or a worker; work that takes time is posted
 * to the workers. For each epoll event it reads at most one packet of the
 * client, so a client that sends many packets does not delay the others.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/system/heap.h"
#include "daemon/accept.h"
#include "daemon/client/admission.h"
#include "daemon/client/ancestry.h"
#include "daemon/client/connection.h"
#include "daemon/client/plan_sender.h"
#include "daemon/client/outbox.h"
#include "daemon/client/report_sender.h"
#include "daemon/client/state.h"
#include "daemon/control/control.h"
#include "daemon/core/clock.h"
#include "daemon/core/proc_info.h"

enum { MAX_EVENTS = 64, TICK_MS = 20, TRIM_AFTER_MS = 300 };

/* Remove the client from dm_daemon.clients and dm_daemon.streams, close its
   connection, free it and its stream, and wake the threads that wait for
   dm_daemon.changed. Context: lock held. */
static void remove_and_free_client(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client **link = &d->clients;

	while (*link != c)
		link = &(*link)->next;
	*link = c->next;
	dm_client_close_connection_if_open(c);
	if (c->stream)
		al_process_free_stream(c->process, c->stream);
	if (c->stage > DM_WAITING)
		d->streams[c->number] = NULL;
	dm_client_close_and_free(c);
	pthread_cond_broadcast(&d->changed);
}

/* Whether no worker uses the client or will use it, and no client forked from
   it has still to create its stream, so that the client can be freed. Context:
   lock held; the client has ended. */
static bool is_client_unused_by_tasks_and_children(struct dm_client *c)
{
	struct dm_workers *w = &c->daemon->workers;
	bool unused = !c->joining_children &&
		      dm_workers_is_task_idle(w, &c->ring_reader);

	for (int i = 0; unused && i < DM_MAX_CHUNK_WORKERS; i++)
		unused = dm_workers_is_task_idle(w, &c->chunk_worker[i].task);
	return unused;
}

/* Handle the first packet of a connection: a hello or a control command. Free
   the client if this closed its connection. Context: lock held. */
static void handle_first_packet_hello_or_command(struct dm_client *c,
						 const void *packet,
						 size_t bytes)
{
	struct dm_daemon *d = c->daemon;
	char reason[PT_REASON];

	if (dm_control_is_command_packet(packet, bytes)) {
		dm_control_execute_command_and_hang_up(c, packet, bytes);
	} else if (dm_hello_parse_packet(packet, bytes, &c->hello, reason)) {
		dm_client_send_refusal_and_hang_up(c, reason);
	} else if (d->options.refusal) {
		dm_client_send_refusal_and_hang_up(c, d->options.refusal);
	} else {
		dm_client_apply_event_or_abort(c, DM_EV_HELLO);
		c->deadline_ns = dm_now_ns() + DM_ADMIT_WAIT_NS;
		dm_admit_or_postpone_refuse_at_deadline(c);
	}
	if (c->fd < 0 && c->stage <= DM_WAITING)
		remove_and_free_client(c);
}

/* Whether each other client has sent PT_MSG_BYE or is analysed, so that @c may
   get the report. Context: lock held. */
static bool will_no_other_daemon_client_send_bye(const struct dm_client *c)
{
	const struct dm_client *other;

	for (other = c->daemon->clients; other; other = other->next)
		if (other != c && !dm_has_tool_sent_bye(other) &&
		    other->stage <= DM_LIVE)
			return false;
	return true;
}

/* Handle a tool's first PT_MSG_BYE. A private daemon immediately sends
   this tool an empty report if another tool may still send PT_MSG_BYE: only
   the last tool waits for the report of the run. Context: lock held. */
static void apply_bye_send_empty_report_if_not_last(struct dm_client *c)
{
	if (!dm_client_try_apply_event(c, DM_EV_BYE))
		return;
	if (c->daemon->options.private &&
	    !will_no_other_daemon_client_send_bye(c)) {
		const struct dm_text none = {NULL, 0};

		dm_client_apply_event_or_abort(c, DM_EV_REPORT);
		dm_report_send_and_close(c, none, none, 0);
	}
}

/* Handle the end of a connection that the tool closed or ended by a second
   PT_MSG_BYE: free a client that has no ring yet; else end its input and note a
   report that was cut. Context: lock held. */
static void free_or_end_input_of_closed_client(struct dm_client *c)
{
	if (c->stage <= DM_WAITING) {
		remove_and_free_client(c);
		return;
	}
	if (dm_report_is_not_fully_sent(c) &&
	    !c->daemon->report_was_abandoned) {
		c->daemon->report_queued = false;
		c->daemon->report_was_cut = true;
	}
	dm_client_close_connection_if_open(c);
	dm_client_apply_event_or_abort(c, DM_EV_CLOSED);
	if (c->stage < DM_EXECED)
		dm_workers_post_task_unless_queued(&c->daemon->workers,
						   &c->ring_reader);
	c->daemon->has_pending_clients = true;
	pthread_cond_broadcast(&c->daemon->changed);
}

/* Handle a tool's second PT_MSG_BYE, by which it ends its wait for its report:
   note that the report was abandoned, unless it was sent completely, and close
   the connection. Context: lock held. */
static void close_connection_after_second_bye(struct dm_client *c)
{
	if (c->machine.tool == DM_LEAVING || dm_report_is_not_fully_sent(c))
		c->daemon->report_was_abandoned = true;
	free_or_end_input_of_closed_client(c);
}

/* Whether the ring reader need not be posted for a message: it waits until a
   chunk is analysed, and the chunk worker that analyses the chunk will post it
   and answer the tool. Context: lock held. */
static bool is_ring_reader_posted_by_chunk_worker(const struct dm_client *c,
						  const struct pt_message *m)
{
	return c->machine.feeding == DM_WAITS &&
	       (m->type == PT_MSG_CHUNK ||
		(m->type == PT_MSG_WAIT && m->value != UINT64_MAX));
}

/* Handle a packet of a client that has a ring. Context: lock held. */
static void handle_packet_of_client_with_ring(struct dm_client *c,
					      const void *packet, size_t bytes)
{
	const struct pt_message *m = packet;

	if (bytes >= sizeof(*m) && m->type == PT_MSG_BYE &&
	    dm_has_tool_sent_bye(c)) {
		close_connection_after_second_bye(c);
		return;
	}
	if (c->stage >= DM_EXECED)
		return; /* nothing of the image is left to analyse */
	if (bytes < sizeof(*m)) {
		dm_client_set_fault_and_close_connection(c, "protocol error");
	} else if (m->type == PT_MSG_WAIT &&
		   dm_client_try_apply_event(c, DM_EV_ASK)) {
		c->wait_value = m->value;
		dm_client_answer_wait_if_ring_has_room(c, false);
	} else if (m->type == PT_MSG_BYE) {
		apply_bye_send_empty_report_if_not_last(c);
	} else if (m->type == PT_MSG_DECODE) {
		dm_answer_decode_request(c, m, bytes);
		if (!c->fault)
			return;
	} else if (m->type == PT_MSG_HAPPENED) {
		dm_outbox_send_tool_event_to_tree(c, m->value);
	} else if (m->type == PT_MSG_LOST) {
		dm_ancestry_mark_unconnected_child_lossy(c, (pid_t)m->value);
	}
	if (bytes < sizeof(*m) || !is_ring_reader_posted_by_chunk_worker(c, m))
		dm_workers_post_task_unless_queued(&c->daemon->workers,
						   &c->ring_reader);
}

/* Send the client's queued packets, because its socket is writable again. Close
   the connection when its report has been sent. */
static void send_queued_packets_close_after_report(struct dm_client *c)
{
	dm_lock(c->daemon);
	dm_client_send_queued_packets(c);
	dm_unlock(c->daemon);
}

/* Read one packet of a client, or the end of its connection, and handle it. */
static void receive_and_handle_packet(struct dm_client *c)
{
	static _Alignas(8) char packet[PT_MAX_MESSAGE];
	struct dm_daemon *d = c->daemon;
	size_t bytes;
	ssize_t n;

	dm_lock(d);
	if (c->fd < 0) {
		dm_unlock(d);
		return;
	}
	n = recv(c->fd, packet, sizeof(packet), MSG_DONTWAIT | MSG_TRUNC);
	/* A packet that is too long is treated as empty, hence invalid. */
	bytes = n < 0 || (size_t)n > sizeof(packet) ? 0 : (size_t)n;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		n = 0; /* there is no packet */
	else if (n <= 0)
		free_or_end_input_of_closed_client(c);
	else if (c->stage == DM_SILENT)
		handle_first_packet_hello_or_command(c, packet, bytes);
	else if (c->stage == DM_WAITING)
		/* The tool sent a packet before its welcome, which is an error:
		   free the client. */
		remove_and_free_client(c);
	else
		handle_packet_of_client_with_ring(c, packet, bytes);
	dm_unlock(d);
}

/* Whether a private daemon that is to stop must still send the client's tool
   its report. Context: lock held. */
static bool must_private_daemon_still_send_report(const struct dm_client *c)
{
	return c->daemon->options.private && !c->daemon->drop_rings &&
	       (c->machine.tool == DM_LEAVING ||
		dm_report_is_not_fully_sent(c));
}

/* End a client because the daemon stops: refuse it if it is not recorded yet,
   else stop its recording; when it has ended, close its connection unless its
   report must still be sent. Context: lock held. */
static void refuse_or_end_client_at_daemon_stop(struct dm_client *c)
{
	if (c->stage <= DM_WAITING) {
		dm_client_send_refusal_and_hang_up(c, "daemon is stopping");
		remove_and_free_client(c);
	} else if (c->stage <= DM_LIVE) {
		dm_client_apply_event_or_abort(c, DM_EV_STOP);
		dm_workers_post_task_unless_queued(&c->daemon->workers,
						   &c->ring_reader);
	} else if (c->stage == DM_EXECED && !c->daemon->reporting) {
		dm_client_set_ended_without_next_image(c);
	} else if (c->stage == DM_ENDED &&
		   !must_private_daemon_still_send_report(c)) {
		dm_client_close_connection_if_open(c);
	}
}

/* Handle the client's deadline; try again to admit it; free it if it is unused.
   Return: whether this must be repeated later. Context: lock held. */
static bool apply_client_deadline_is_still_pending(struct dm_client *c,
						   uint64_t now_ns)
{
	int status;

	if (c->daemon->reporting && c->stage >= DM_EXECED)
		return true;
	switch (c->stage) {
	case DM_SILENT:
		if (now_ns < c->deadline_ns)
			return true;
		remove_and_free_client(c);
		return false;
	case DM_WAITING:
		dm_admit_or_postpone_refuse_at_deadline(c);
		if (c->fd < 0)
			remove_and_free_client(c);
		return true;
	case DM_EXECED:
		if (dm_process_read_proc_life_state(c->pid, c->start_time,
						    &status) == DM_ALIVE)
			return now_ns < c->deadline_ns;
		dm_client_set_ended_without_next_image(c);
		return true;
	case DM_ENDED:
		if (c->fd >= 0)
			return false;
		if (!is_client_unused_by_tasks_and_children(c))
			return true;
		remove_and_free_client(c);
		return false;
	default:
		return false;
	}
}

/* Handle the deadlines of all clients, and retry sends for which the kernel had
   no memory. If the daemon stops, end the clients and close the listening
   socket. Watch the listening socket again if accept_ns has passed. */
static void apply_client_deadlines_and_retry_sends(struct dm_daemon *d)
{
	struct dm_client *c, *next;
	bool pending = false;
	uint64_t now = dm_now_ns();

	dm_lock(d);
	d->has_pending_clients = false;
	for (c = d->clients; c; c = next) {
		next = c->next;
		if (c->lacks_send_memory)
			dm_client_send_queued_packets(c);
		pending |= c->lacks_send_memory;
		if (d->stopping)
			refuse_or_end_client_at_daemon_stop(c);
		else
			pending |=
				apply_client_deadline_is_still_pending(c, now);
	}
	d->has_pending_clients |= pending || (d->stopping && d->clients);
	if (d->stopping) {
		dm_accept_set_listener_watched(d, false);
		dm_runtime_close_listener(&d->listener);
	}
	dm_unlock(d);
	if (now >= d->accept_ns)
		dm_accept_set_listener_watched(d, true);
}

/* Return the milliseconds until apply_client_deadlines_and_retry_sends() must
   be called: TICK_MS if clients are pending or the listening socket is not
   watched; -1: only after an event; -2: the server shall end. */
static int get_epoll_timeout_ms_or_quit_code(struct dm_daemon *d)
{
	int ms;

	dm_lock(d);
	ms = d->quit		      ? -2
	     : d->has_pending_clients ? TICK_MS
	     : d->accepting	      ? -1
				      : TICK_MS;
	dm_unlock(d);
	return ms;
}

/* Handle an epoll event. @source: &d->listener, &d->wake, or a client. */
static void handle_listener_wake_or_client_event(struct dm_daemon *d,
						 void *source, uint32_t events)
{
	uint64_t count;

	if (source == &d->listener)
		dm_accept_up_to_16_connections(d);
	else if (source == &d->wake)
		(void)!read(d->wake, &count, sizeof(count));
	else if (events == EPOLLOUT)
		send_queued_packets_close_after_report(source);
	else
		receive_and_handle_packet(source);
}

/* Whether the daemon has no client. */
static bool has_no_client(struct dm_daemon *d)
{
	bool deserted;

	dm_lock(d);
	deserted = !d->clients;
	dm_unlock(d);
	return deserted;
}

/* Wait for events, at most @timeout_ms; -1: without limit. If there is no limit
   and no client, and no event comes for TRIM_AFTER_MS, return free memory to
   the kernel; then not again before the next event. Return: number of
   events. */
static int wait_events_or_trim_heap(struct dm_daemon *d,
				    struct epoll_event *events, int timeout_ms)
{
	bool may_trim =
		timeout_ms < 0 && !d->memory_trimmed && has_no_client(d);
	int n = epoll_wait(d->epoll, events, MAX_EVENTS,
			   may_trim ? TRIM_AFTER_MS : timeout_ms);

	if (may_trim && n == 0)
		al_heap_trim();
	d->memory_trimmed = n == 0 && (may_trim || d->memory_trimmed);
	return n;
}

void *dm_server_main(void *daemon)
{
	struct dm_daemon *d = daemon;
	struct epoll_event events[MAX_EVENTS];
	int i, n, ms;

	dm_accept_set_listener_watched(d, true);
	while ((ms = get_epoll_timeout_ms_or_quit_code(d)) >= -1) {
		n = wait_events_or_trim_heap(d, events, ms);
		for (i = 0; i < n; i++)
			handle_listener_wake_or_client_event(
				d, events[i].data.ptr, events[i].events);
		apply_client_deadlines_and_retry_sends(d);
	}
	return NULL;
}
