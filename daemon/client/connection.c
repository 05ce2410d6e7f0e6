/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connection.c - creates clients and sends packets to their tools
 */
#include "daemon/client/connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/client/chunk_worker.h"
#include "daemon/client/outbox.h"
#include "daemon/client/plan_sender.h"
#include "daemon/client/report_sender.h"
#include "daemon/client/ring_reader.h"
#include "daemon/core/proc_info.h"

struct dm_client *dm_client_new_unlinked(struct dm_daemon *d, int fd, pid_t pid)
{
	struct dm_client *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->ring_reader.turn = dm_ring_reader_run_turn;
	for (size_t i = 0; i < DM_MAX_CHUNK_WORKERS; i++) {
		c->chunk_worker[i].task.turn =
			dm_chunk_worker_run_job_has_more_jobs;
		c->chunk_worker[i].client = c;
		c->chunk_worker[i].next = c->idle_chunk_workers;
		c->idle_chunk_workers = &c->chunk_worker[i];
	}
	c->daemon = d;
	c->fd = fd;
	c->pid = pid;
	c->start_time = dm_process_start_ticks_or_0(pid);
	c->parent_pid = dm_process_parent_pid_or_0(pid);
	c->parent_start_time = dm_process_start_ticks_or_0(c->parent_pid);
	if (getrandom(&c->token, sizeof(c->token), 0) != sizeof(c->token)) {
		free(c);
		return NULL;
	}
	c->ring.fd = -1;
	return c;
}

void dm_client_close_and_free(struct dm_client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	dm_ring_close_and_unmap(&c->ring);
	dm_outbox_free_all_commands(c);
	dm_client_free_report(c);
	dm_hello_free_strings(&c->hello);
	free(c);
}

/* Make the server thread try to send again at its next tick, and wake it. Used
   if the kernel is short of memory: no epoll event reports when it has memory
   again. */
static void schedule_send_retry_at_next_tick(struct dm_client *c)
{
	c->lacks_send_memory = true;
	c->daemon->has_pending_clients = true;
	dm_wake_server(c->daemon);
}

enum dm_send_result dm_client_send_without_blocking(struct dm_client *c,
						    const struct msghdr *m)
{
	if (c->fd < 0 || sendmsg(c->fd, m, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
		return DM_SENT;
	switch (errno) {
	case ENOBUFS:
	case ENOMEM:
		schedule_send_retry_at_next_tick(c);
		return DM_FULL;
	case EAGAIN:
	case EINTR:
		return DM_FULL;
	default:
		return DM_NO_PEER;
	}
}

/* Set the client's socket state to DM_BLOCKED or DM_CLEAR. While it is
   DM_BLOCKED, epoll also reports when packets fit into the socket again. */
static void set_blocked_and_watch_writable(struct dm_client *c, bool is_blocked)
{
	struct epoll_event ev = {
		.events = EPOLLIN | (is_blocked ? EPOLLOUT : 0),
		.data.ptr = c,
	};

	if ((c->machine.socket == DM_BLOCKED) != is_blocked)
		epoll_ctl(c->daemon->epoll, EPOLL_CTL_MOD, c->fd, &ev);
	dm_client_apply_event_or_abort(c, is_blocked ? DM_EV_FULL : DM_EV_SENT);
}

static void send_ring_has_room_message(struct dm_client *c)
{
	struct pt_message room = {.type = PT_MSG_ROOM, .value = c->analysed};
	struct iovec part = {&room, sizeof(room)};
	const struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};

	dm_client_send_without_blocking(c, &m);
}

bool dm_client_try_apply_event(struct dm_client *c, enum dm_event event)
{
	bool waited = c->machine.tool == DM_ASKS, waits;
	bool done = dm_machine_try_apply_event(&c->machine, event);

	waits = c->machine.tool == DM_ASKS;
	if (waits != waited)
		dm_workers_update_waiting_tools(&c->daemon->workers, waits);
	return done;
}

void dm_client_apply_event_or_abort(struct dm_client *c, enum dm_event event)
{
	if (!dm_client_try_apply_event(c, event))
		abort();
}

void dm_client_set_fault_and_close_connection(struct dm_client *c,
					      const char *fault)
{
	if (dm_client_try_apply_event(c, DM_EV_FAULT))
		c->fault = fault;
	dm_client_close_connection_if_open(c);
}

void dm_client_answer_wait_if_ring_has_room(struct dm_client *c,
					    bool has_log_room)
{
	bool room = c->wait_value == UINT64_MAX ? has_log_room
						: c->analysed > c->wait_value;

	if (c->machine.tool != DM_ASKS || !room)
		return;
	dm_client_apply_event_or_abort(c, DM_EV_ROOM);
	send_ring_has_room_message(c);
}

enum dm_send_result dm_client_send_packet_with_fd(struct dm_client *c,
						  const void *packet,
						  size_t bytes,
						  int fd_or_minus_1)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {(void *)packet, bytes};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};

	if (fd_or_minus_1 >= 0) {
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.head), &fd_or_minus_1,
		       sizeof(fd_or_minus_1));
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
	}
	return dm_client_send_without_blocking(c, &m);
}

static enum dm_send_result fill_version_and_send_welcome(struct dm_client *c,
							 struct pt_welcome *w,
							 int fd_or_minus_1)
{
	w->magic = PT_MAGIC;
	w->major = PT_MAJOR;
	w->minor = PT_MINOR;
	return dm_client_send_packet_with_fd(c, w, sizeof(*w), fd_or_minus_1);
}

/* Send the welcome with the ring's descriptor if welcome_due is set; then close
   the descriptor unless the ring can grow. Return: false if the packet was not
   sent (DM_FULL), so that the welcome is still due. */
static bool try_send_due_welcome_close_fixed_ring_fd(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct pt_welcome w = {
		.fields = al_settings_fields_tool_must_emit(d->settings),
		.stream = c->number,
		.bytes = c->ring.bytes,
		.wants = d->options.private ? PT_WANT_GOODBYE : 0,
		.plan_bytes = dm_plan_byte_count_of_client(c),
		.allocator_bytes = dm_allocator_list_byte_count_of_client(c),
		.token = c->token,
	};

	if (!c->welcome_due)
		return true;
	if (fill_version_and_send_welcome(c, &w, c->ring.fd) == DM_FULL)
		return false;
	c->welcome_due = false;
	dm_ring_close_fd_unless_growable(&c->ring);
	return true;
}

/* Close the connection, and wake the server thread and the waiters for
   dm_daemon.changed, so that the server frees the client. */
static void hang_up_and_wake_server(struct dm_client *c)
{
	dm_client_close_connection_if_open(c);
	c->daemon->has_pending_clients = true;
	dm_wake_server(c->daemon);
	pthread_cond_broadcast(&c->daemon->changed);
}

void dm_client_send_queued_packets(struct dm_client *c)
{
	bool all_sent;

	c->lacks_send_memory = false;
	if (c->fd < 0)
		return;
	all_sent = try_send_due_welcome_close_fixed_ring_fd(c) &&
		   dm_plan_send_rest_unless_socket_full(c) &&
		   dm_plan_send_allocators(c) && dm_outbox_send_commands(c) &&
		   dm_report_send_rest(c);
	set_blocked_and_watch_writable(c, !all_sent && !c->lacks_send_memory);
	if (all_sent && c->report)
		hang_up_and_wake_server(c);
}

void dm_client_queue_and_send_welcome(struct dm_client *c)
{
	c->welcome_due = true;
	dm_client_send_queued_packets(c);
}

void dm_client_send_refusal_and_hang_up(struct dm_client *c, const char *reason)
{
	struct pt_welcome w = {0};

	snprintf(w.reason, sizeof(w.reason), "%s", reason);
	fill_version_and_send_welcome(c, &w, -1);
	dm_client_close_connection_if_open(c);
}

void dm_client_close_connection_if_open(struct dm_client *c)
{
	if (c->fd < 0)
		return;
	dm_client_apply_event_or_abort(c, DM_EV_HUNG_UP);
	epoll_ctl(c->daemon->epoll, EPOLL_CTL_DEL, c->fd, NULL);
	close(c->fd);
	c->fd = -1;
}

/* Read the names of generated code into the client's stream, unless it has
   some: from perf-PID.map in @directory or, if that has none, from
   jit-PID.dump. @pid_in_file_names: PID. */
static void read_perf_map_and_jitdump_files(struct dm_client *c,
					    const char *directory,
					    pid_t pid_in_file_names)
{
	char path[80];

	snprintf(path, sizeof(path), "%s/perf-%d.map", directory,
		 (int)pid_in_file_names);
	al_stream_read_perfmap_if_empty(c->stream, path);
	snprintf(path, sizeof(path), "%s/jit-%d.dump", directory,
		 (int)pid_in_file_names);
	al_stream_read_perfmap_if_empty(c->stream, path);
}

void dm_client_read_jit_names(struct dm_client *c)
{
	char dir[40];

	snprintf(dir, sizeof(dir), "/proc/%d/root/tmp", (int)c->pid);
	read_perf_map_and_jitdump_files(
		c, dir, dm_process_innermost_namespace_pid(c->pid));
	read_perf_map_and_jitdump_files(c, "/tmp", c->pid);
}
