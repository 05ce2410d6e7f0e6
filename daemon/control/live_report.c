/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live_report.c - makes a report on running programs; see live_report.h */

#include "daemon/control/live_report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system/lock_check.h"
#include "daemon/client/connection.h"
#include "daemon/client/ring_reader.h"
#include "lib/report/report.h"
#include "lib/run/snapshot.h"

enum { WRONG_USAGE = 2 };

struct snapshot {
	struct dm_daemon *daemon;
	int fd;	  /* connection of the command that requested the report */
	int text; /* memory file to which the child writes the report */
	int done; /* writing end of a pipe: the child writes a byte to it when
		     it no longer needs the rings; the parent's read also ends
		     when the child has ended */
	struct al_process *process; /* process to report on; NULL: all */
	bool json;
};

/* ---- in the child process ---- */

/* Whether the report includes the client: it is in DM_LIVE, and its process is
   the requested one, or all are requested. */
static bool is_client_in_report(const struct dm_client *c,
				const struct snapshot *s)
{
	return c->stage == DM_LIVE && c->stream &&
	       (!s->process || c->process == s->process);
}

/* Redirect descriptors 0 to 2 to /dev/null, move s->text to 3 and s->done to 4,
   and close all others, so that the child neither holds the daemon's
   connections and files open nor writes to them. */
static void close_inherited_fds(struct snapshot *s)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	s->text = dup2(s->text, 3) < 0 ? -1 : 3;
	s->done = dup2(s->done, 4) < 0 ? -1 : 4;
	close_range(5, ~0u, 0);
}

/* Duplicate @fd to a descriptor of 5 or above and close @fd, because
   close_inherited_fds() overwrites descriptors 0 to 4. Return: the new
   descriptor; -1 on error. */
static int move_fd_to_5_or_above(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, 5);

	close(fd);
	return high;
}

/* Finish the child's copy of a client's stream, and add its image and the
   tool's figures to its process, as if the program had ended now. */
static void finish_image_as_if_ended(struct dm_client *c)
{
	struct dm_tool_summary f = dm_ring_read_tool_summary(&c->ring);
	char title[PT_TITLE];

	dm_ring_read_program_title(&c->ring, title);
	al_process_set_title(c->process, title);
	al_process_set_environment_once(
		c->process, &(struct al_environment){f.environment_variables,
						     f.environment_bytes,
						     f.environment_hash});
	dm_client_read_jit_names(c);
	al_stream_finish_counts_and_analyses(c->stream);
	al_process_add_waits(c->process, f.wait_ns, f.waits);
	al_process_add_lost_messages(c->process, f.lost_messages);
	if (f.skipped)
		al_process_add_lost_accesses(
			c->process, f.skipped,
			"accesses that the tool could not describe");
	al_process_end_image(c->process, c->stream);
}

/* Write the report on the run, as JSON or text, to @out, a stream in memory.
   Return: 0; -errno. */
static int write_run_report_json_or_text(const struct snapshot *s, FILE *out)
{
	struct al_run *run = s->daemon->run;

	if (s->json)
		return al_report_write_json(run, out);
	al_report_print(run, out, false);
	return ferror(out) ? -ENOMEM : 0;
}

/* Write all @bytes bytes of @text to @fd. Return: 0; -errno. */
static int write_all_bytes(int fd, const char *text, size_t bytes)
{
	ssize_t n;

	for (; bytes > 0; text += n, bytes -= (size_t)n) {
		n = write(fd, text, bytes);
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
	}
	return 0;
}

/* Make the report in memory, then write it to the memory file s->text. Return:
   0; -errno. */
static int write_report_to_snapshot_text_fd(const struct snapshot *s)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int err = out ? write_run_report_json_or_text(s, out) : -errno;

	if (out && fclose(out) && !err)
		err = -ENOMEM;
	if (!err)
		err = write_all_bytes(s->text, text, bytes);
	free(text);
	return err;
}

/* In the child: analyse the rings, write a byte to s->done, finish the streams,
   write the report, and exit. The exit status is 0 or the errno of the error,
   which is below 256. */
static void run_report_child_and_exit(struct snapshot *s)
{
	struct dm_daemon *d = s->daemon;
	void *scratch = malloc(DM_LOG_BYTES);
	int err;
	/* the child has a copy of the lock, which no other thread holds */

	al_lock_check_end_blocking_ban();
	s->text = move_fd_to_5_or_above(s->text);
	s->done = move_fd_to_5_or_above(s->done);
	close_inherited_fds(s);
	err = scratch ? al_snapshot_prepare_child(d->run, s->process) : -ENOMEM;
	if (err)
		_exit(-err);
	for (struct dm_client *c = d->clients; c; c = c->next)
		if (is_client_in_report(c, s))
			(void)!dm_ring_reader_analyse_live_ring(c, scratch);
	(void)!write(s->done, "", 1);
	for (struct dm_client *c = d->clients; c; c = c->next)
		if (is_client_in_report(c, s))
			finish_image_as_if_ended(c);
	_exit(-write_report_to_snapshot_text_fd(s));
}

/* ---- in the daemon's process ---- */

/* Fork, with dm_daemon.lock and the locks of the symbols held, and run
   run_report_child_and_exit() in the child. The caller has paused the workers.
   Return: process id of the child; -EAGAIN if no more reports are made; another
   -errno. */
static pid_t fork_and_run_report_child(struct snapshot *s)
{
	struct dm_daemon *d = s->daemon;
	pid_t pid = -EAGAIN;

	al_snapshot_lock_symbols_before_fork(d->run);
	dm_lock(d);
	dm_daemon_store_times_in_run(d);
	if (!d->snapshot.stopped)
		pid = fork();
	if (pid == 0)
		run_report_child_and_exit(s);
	if (pid == -1)
		pid = -errno;
	d->snapshot.pid = pid > 0 ? pid : 0;
	dm_unlock(d);
	al_snapshot_unlock_symbols(d->run);
	return pid;
}

/* Send the memory file with the report, or with a line on the error if @err, a
   negative errno, is not 0, to the peer whose command requested the report.
   No-op if there is no memory file. Context: lock held, so that a command sent
   after this answer finds the report ended. */
static void send_report_or_error(const struct snapshot *s, int err)
{
	struct pt_message m = {.type = PT_MSG_DONE,
			       .value = err ? WRONG_USAGE : 0};
	struct dm_client to = {.daemon = s->daemon, .fd = s->fd};

	if (s->text < 0)
		return;
	if (err && !ftruncate(s->text, 0)) {
		lseek(s->text, 0, SEEK_SET);
		dprintf(s->text, "no report: %s\n",
			err == -ECHILD ? "the process that makes it was killed"
				       : strerror(-err));
	}
	dm_client_send_packet_with_fd(&to, &m, sizeof(m), s->text);
}

/* Wait until the child has ended. Return: 0: it wrote the report; -ECHILD: a
   signal ended it; another -errno, that of the child. */
static int wait_for_child_return_0_or_its_neg_errno(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFSIGNALED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}

/* Send the report, or the error @err, mark the report as ended, and wake the
   waiters for dm_daemon.changed. Close the descriptors of @s and free @s. */
static void send_report_and_free_snapshot(struct snapshot *s, int err)
{
	struct dm_daemon *d = s->daemon;

	dm_lock(d);
	send_report_or_error(s, err);
	d->snapshot.pid = 0;
	d->snapshot.ended = true;
	pthread_cond_broadcast(&d->changed);
	dm_unlock(d);
	if (s->text >= 0)
		close(s->text);
	close(s->fd);
	free(s);
}

/* Thread function: pause the workers, fork the child that makes the report,
   resume the workers when the child no longer needs the rings, wait for the
   child, and send the report. Frees @snapshot_state. */
static void *fork_report_child_and_send_report(void *snapshot_state)
{
	struct snapshot *s = snapshot_state;
	struct dm_daemon *d = s->daemon;
	int ends[2] = {-1, -1};
	pid_t pid = -EMFILE;
	char byte;

	dm_workers_pause_and_wait_for_turns(&d->workers);
	s->text = memfd_create("alleria-report", MFD_CLOEXEC);
	if (s->text >= 0 && !pipe2(ends, O_CLOEXEC)) {
		s->done = ends[1];
		pid = fork_and_run_report_child(s);
		close(ends[1]);
		while (pid > 0 && read(ends[0], &byte, 1) < 0 && errno == EINTR)
			;
		close(ends[0]);
	}
	dm_workers_resume_turns_after_pause(&d->workers);
	send_report_and_free_snapshot(
		s,
		pid > 0 ? wait_for_child_return_0_or_its_neg_errno(pid) : pid);
	return NULL;
}

/* Set *@p to the recorded process with the process id @pid_or_0; to NULL if
   @pid_or_0 is 0, for a report on all processes. Return: 0; -ESRCH: no such
   process is being recorded. Context: lock held. */
static int find_process_or_null_for_all(struct dm_daemon *d, pid_t pid_or_0,
					struct al_process **p)
{
	const struct dm_client *c = d->clients;

	*p = NULL;
	if (!pid_or_0)
		return 0;
	while (c && (c->pid != pid_or_0 || c->stage != DM_LIVE || !c->stream))
		c = c->next;
	if (!c)
		return -ESRCH;
	*p = c->process;
	return 0;
}

static int start_live_report_thread(struct dm_daemon *d, struct snapshot *s)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&d->snapshot.thread, NULL,
			     fork_report_child_and_send_report, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

/* Join the thread of the previous report, if there is one and it has ended.
   Return: 0: a new report may be started; -EBUSY: the previous report is still
   being made, or no more reports are made. Context: lock held. */
static int join_previous_report_thread_if_ended(struct dm_daemon *d)
{
	if (d->snapshot.started && !d->snapshot.ended)
		return -EBUSY;
	if (d->snapshot.started)
		pthread_join(d->snapshot.thread, NULL);
	d->snapshot.started = d->snapshot.ended = false;
	return d->snapshot.stopped ? -EBUSY : 0;
}

int dm_snapshot_start_live_report(struct dm_daemon *d, int owned_connection_fd,
				  pid_t pid_or_0, bool json)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	int err = s ? join_previous_report_thread_if_ended(d) : -ENOMEM;

	if (!err)
		err = find_process_or_null_for_all(d, pid_or_0, &s->process);
	if (!err) {
		s->daemon = d;
		s->fd = owned_connection_fd;
		s->json = json;
		err = start_live_report_thread(d, s);
	}
	if (err) {
		free(s);
		close(owned_connection_fd);
		return err;
	}
	d->snapshot.started = true;
	return 0;
}

void dm_snapshot_kill_join_forbid_reports(struct dm_daemon *d)
{
	bool started;

	dm_lock(d);
	d->snapshot.stopped = true;
	started = d->snapshot.started;
	if (d->snapshot.pid > 0)
		kill(d->snapshot.pid, SIGKILL);
	dm_unlock(d);
	if (started)
		pthread_join(d->snapshot.thread, NULL);
	d->snapshot.started = false;
}
