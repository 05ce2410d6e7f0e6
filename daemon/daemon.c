/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon.c - starts and stops a daemon, writes its report, returns its figures
 *
 * Threads: the one that started the daemon; see daemon/client/state.h for the
 *          others.
 */
#include "daemon/daemon.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/system/heap.h"
#include "daemon/adapt/tuner.h"
#include "daemon/client/connection.h"
#include "daemon/client/document_queue.h"
#include "daemon/client/state.h"
#include "daemon/control/live_report.h"
#include "daemon/core/clock.h"

enum { CHECK_MS = 100 };

static int start_server_thread(struct dm_daemon *d)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&d->server, NULL, dm_server_main, d);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

static int create_epoll_and_wake_event(struct dm_daemon *d)
{
	struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &d->wake};

	d->epoll = epoll_create1(EPOLL_CLOEXEC);
	d->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (d->epoll < 0 || d->wake < 0 ||
	    epoll_ctl(d->epoll, EPOLL_CTL_ADD, d->wake, &ev) < 0)
		return -errno;
	return 0;
}

/* Write the absolute form of @socket to @absolute_path [DM_PATH], because other
   processes use it in other directories. Return: 0; -ENAMETOOLONG with
   @message. */
static int make_socket_path_absolute(char *absolute_path, const char *socket,
				     char *message)
{
	char cwd[DM_PATH];
	int n;

	if (socket[0] == '/')
		n = snprintf(absolute_path, DM_PATH, "%s", socket);
	else if (getcwd(cwd, sizeof(cwd)))
		n = snprintf(absolute_path, DM_PATH, "%s/%s", cwd, socket);
	else
		n = DM_PATH;
	if (n < DM_PATH)
		return 0;
	snprintf(message, AL_MESSAGE,
		 "'%s' cannot be a socket's path: it is longer than %d bytes",
		 socket, DM_PATH - 1);
	return -ENAMETOOLONG;
}

static int clean_runtime_dir_and_listen(struct dm_daemon *d, char *message)
{
	int err = dm_runtime_create_and_check_dir(d->directory, message);

	if (err)
		return err;
	dm_runtime_remove_files_of_dead_daemons(d->directory);
	err = make_socket_path_absolute(d->socket, d->options.socket, message);
	return err ? err
		   : dm_runtime_lock_path_and_listen(&d->listener, d->socket,
						     message);
}

static int create_run_and_start_threads(struct dm_daemon *d,
					char *profile_message)
{
	const struct al_settings *s = d->settings;
	int err;

	d->symbols = al_symbols_new();
	if (!d->symbols)
		return -errno;
	d->run = al_run_new(d->settings, d->symbols);
	if (!d->run)
		return -errno;
	err = al_run_begin_shared_profile_if_set(d->run, profile_message);
	if (!err)
		err = create_epoll_and_wake_event(d);
	if (!err)
		err = dm_workers_start(&d->workers, s->workers,
				       s->adaptive.enabled ? s->adaptive.workers
							   : s->workers,
				       DM_LOG_BYTES);
	if (!err && s->adaptive.enabled) {
		err = dm_tuner_start_thread(d);
		d->tuner_started = !err;
	}
	if (!err) {
		err = start_server_thread(d);
		d->server_started = !err;
	}
	return err;
}

struct dm_daemon *dm_daemon_start(const struct al_settings *settings,
				  const struct dm_options *options,
				  char *message)
{
	struct dm_daemon *d = calloc(1, sizeof(*d));
	int err;

	message[0] = '\0';
	al_heap_set_one_arena_and_mmap_limit();
	if (!d) {
		snprintf(message, AL_MESSAGE, "out of memory");
		return NULL;
	}
	d->settings = settings;
	d->documents.task.turn = dm_save_oldest_document_are_more_queued;
	d->options = *options;
	d->started_ns = dm_now_ns();
	d->epoll = d->wake = -1;
	d->listener.fd = d->listener.lock_fd = -1;
	pthread_mutex_init(&d->lock, NULL);
	al_cond_init_monotonic(&d->changed);
	err = clean_runtime_dir_and_listen(d, message);
	if (!err) {
		err = create_run_and_start_threads(d, message);
		if (err && !message[0])
			snprintf(message, AL_MESSAGE, "cannot start: %s",
				 strerror(-err));
	}
	if (!err)
		return d;
	dm_daemon_stop_and_free(d);
	errno = -err;
	return NULL;
}

const char *dm_daemon_socket_path(const struct dm_daemon *d)
{
	return d->socket;
}

bool dm_client_has_ended_or_exec_timed_out(const struct dm_client *c)
{
	return c->stage == DM_ENDED ||
	       (c->stage == DM_EXECED && dm_now_ns() >= c->deadline_ns);
}

/* Whether each client has ended, or has waited too long for the next exec image
   of its process, and all JSON documents of --json-each are saved. Context:
   lock held. */
static bool are_all_clients_ended_and_saved(const struct dm_daemon *d)
{
	const struct dm_client *c;

	for (c = d->clients; c; c = c->next)
		if (!dm_client_has_ended_or_exec_timed_out(c))
			return false;
	return dm_documents_is_queue_empty(d);
}

bool dm_daemon_wait_clients_end_saved(struct dm_daemon *d, unsigned timeout_ms)
{
	uint64_t end = dm_now_ns() + timeout_ms * DM_MS, now;
	bool quiet;

	dm_lock(d);
	while (!(quiet = are_all_clients_ended_and_saved(d)) &&
	       (now = dm_now_ns()) < end)
		dm_wait_for_changed_signal_or_timeout(
			d, (unsigned)((end - now) / DM_MS) + 1);
	dm_unlock(d);
	return quiet;
}

/* Make the server stop the recording of all clients. @drop_unread: drop the
   contents of rings that are still unread. Context: lock held. */
static void request_clients_stop(struct dm_daemon *d, bool drop_unread)
{
	d->stopping = true;
	d->drop_rings |= drop_unread;
	d->has_pending_clients = true;
	dm_wake_server(d);
}

void dm_daemon_request_recording_stop(struct dm_daemon *d, bool drop_unread)
{
	dm_lock(d);
	request_clients_stop(d, drop_unread);
	dm_unlock(d);
}

/* Whether a client is being recorded, so that a worker may change
   dm_daemon.run. Context: lock held. */
static bool is_any_client_being_recorded(const struct dm_daemon *d)
{
	const struct dm_client *c;

	for (c = d->clients; c; c = c->next)
		if (c->stage == DM_STARTING || c->stage == DM_LIVE)
			return true;
	return false;
}

void dm_reporting_begin_wait_recordings_end(struct dm_daemon *d)
{
	d->reporting = true;
	while (is_any_client_being_recorded(d))
		dm_wait_for_changed_signal_or_timeout(d, CHECK_MS);
	dm_daemon_store_times_in_run(d);
}

void dm_reporting_clear_flag_wake_server(struct dm_daemon *d)
{
	d->reporting = false;
	d->has_pending_clients = true;
	dm_wake_server(d);
}

/* Begin the last report. Before that, request the stop of all recordings
   if a client is still being recorded: it connected after
   dm_daemon_wait_clients_end_saved(). Wait until none is recorded. */
static void stop_clients_wait_and_set_reporting(struct dm_daemon *d)
{
	dm_lock(d);
	if (is_any_client_being_recorded(d))
		request_clients_stop(d, false);
	dm_reporting_begin_wait_recordings_end(d);
	dm_unlock(d);
}

enum al_unwritten
dm_daemon_stop_clients_save_print_report(struct dm_daemon *d,
					 const char *program_name, FILE *out,
					 unsigned display_flags)
{
	enum al_unwritten unwritten;

	stop_clients_wait_and_set_reporting(d);
	al_blocking_check();
	al_run_save_outputs_and_profiles(d->run);
	if (d->settings->json)
		(void)!al_report_save_json(d->run);
	if (d->settings->html)
		(void)!al_report_save_page_to_html_option_path(d->run);
	al_report_print(d->run, out, display_flags);
	unwritten =
		al_report_print_unwritten_outputs(d->run, program_name, out);
	fflush(out);
	dm_lock(d);
	dm_reporting_clear_flag_wake_server(d);
	dm_unlock(d);
	return unwritten;
}

struct al_pipeline dm_daemon_get_time_and_buffer_usage(struct dm_daemon *d)
{
	struct al_pipeline p;

	dm_lock(d);
	dm_daemon_store_times_in_run(d);
	p = al_run_time_and_buffer_usage(d->run);
	dm_unlock(d);
	return p;
}

bool dm_daemon_is_run_complete(struct dm_daemon *d)
{
	bool complete;

	dm_lock(d);
	complete = al_run_is_fully_recorded_and_analysed(d->run);
	dm_unlock(d);
	return complete;
}

int dm_daemon_incomplete_exit_code_or_0(struct dm_daemon *d)
{
	int failure;

	dm_lock(d);
	failure = al_run_incomplete_exit_code_or_0(d->run);
	dm_unlock(d);
	return failure;
}

void dm_daemon_set_process_wait_status(struct dm_daemon *d, pid_t pid,
				       int wait_status)
{
	dm_lock(d);
	al_run_set_wait_status_of_oldest_process(d->run, pid, wait_status);
	dm_unlock(d);
}

static void stop_tuner_server_and_workers(struct dm_daemon *d)
{
	if (d->tuner_started)
		dm_tuner_stop_and_set_daemon_quit(d);
	if (d->server_started) {
		dm_lock(d);
		d->quit = true;
		dm_unlock(d);
		dm_wake_server(d);
		pthread_join(d->server, NULL);
	}
	if (d->workers.worker)
		dm_workers_stop_join_and_release(&d->workers);
}

/* Free the clients that were not admitted yet, those with a stream, and the
   table of streams. Remove the links of processes that have not ended. */
static void free_clients(struct dm_daemon *d)
{
	struct dm_client *c, *next;

	for (c = d->clients; c; c = next) {
		next = c->next;
		if (c->stage <= DM_WAITING)
			dm_client_close_and_free(c);
	}
	for (uint32_t i = 0; i < d->n_streams; i++) {
		c = d->streams[i];
		if (!c)
			continue;
		if (c->stage < DM_ENDED)
			dm_runtime_remove_pid_link_to_socket(d->directory,
							     c->pid, d->socket);
		dm_client_close_and_free(c);
	}
	free(d->streams);
}

static void close_descriptors(struct dm_daemon *d)
{
	dm_runtime_close_listener(&d->listener);
	if (d->epoll >= 0)
		close(d->epoll);
	if (d->wake >= 0)
		close(d->wake);
}

void dm_daemon_stop_and_free(struct dm_daemon *d)
{
	dm_snapshot_kill_join_forbid_reports(d);
	stop_tuner_server_and_workers(d);
	free_clients(d);
	close_descriptors(d);
	if (d->run)
		al_run_free(d->run);
	if (d->symbols)
		al_symbols_free(d->symbols);
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

struct dm_figures dm_daemon_get_progress_figures(struct dm_daemon *d)
{
	struct dm_figures f = {.elapsed_ns = dm_now_ns() - d->started_ns};
	struct al_counts counts;
	const struct dm_client *c;
	uint64_t used = 0, chunks = 0;

	dm_lock(d);
	counts = al_run_counts(d->run);
	for (c = d->clients; c; c = c->next) {
		f.programs += c->stage == DM_LIVE;
		f.running +=
			c->stage == DM_LIVE && !dm_is_no_more_input_accepted(c);
		used += c->published - c->analysed;
		chunks += c->chunks;
	}
	f.recorded = d->n_streams;
	dm_unlock(d);
	f.accesses = al_counts_data_accesses_modify_once(&counts);
	f.fill_percent = chunks ? (unsigned)(100 * used / chunks) : 0;
	return f;
}
