/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exit_status.c - finds out how a process image ended, and ends its client
 *
 * The tool writes the ending into its page. A process that was killed had no
 * time to write it; the dead process in /proc then shows the ending, as long as
 * no parent has waited for it. A tool whose program died of a signal may not
 * know the number of the signal; its sources are then, in this order, the last
 * exit in the stream and /proc. The status that a recorded parent received from
 * wait() overrides all of these; lib/run applies it.
 */
#include "daemon/client/connection.h"
#include "daemon/client/document_queue.h"
#include "daemon/client/outbox.h"
#include "daemon/client/state.h"
#include "daemon/core/clock.h"
#include "daemon/core/proc_info.h"

#include <signal.h>
#include <sys/wait.h>

#define EXEC_WAIT_NS (2 * DM_SECOND)

/* Facts about the end of an image, collected without dm_daemon.lock. */
struct evidence {
	struct dm_tool_summary summary;
	int last_signal;   /* number of the signal that the exit of the last
			      block executed in the stream raises; 0: none */
	enum dm_life life; /* state of the process in /proc; DM_GONE also if
			      /proc was not read */
	int status; /* status as from waitpid(); valid if life is DM_DEAD */
};

/* Whether /proc must be read: neither the tool's page nor the stream shows how
   the image ended. */
static bool must_read_proc_to_know_image_ending(const struct dm_client *c,
						const struct evidence *e)
{
	if (dm_has_tool_sent_bye(c) || c->machine.input == DM_STOPPED)
		return false;
	if (e->summary.ending == PT_FATAL)
		return !e->summary.exit_value && !e->last_signal;
	return e->summary.ending != PT_EXITED && e->summary.ending != PT_EXEC;
}

/* Collect from the tool's page, the stream and, if needed, /proc how the image
   ended. If /proc is needed and the client has no fault, wait up to 200 ms for
   the process to end. */
static struct evidence
collect_evidence_waiting_200ms_at_most(struct dm_client *c)
{
	struct evidence e = {.life = DM_GONE};

	e.summary = dm_ring_read_tool_summary(&c->ring);
	e.last_signal = al_stream_signal_of_last_block_exit_or_0(c->stream);
	if (must_read_proc_to_know_image_ending(c, &e))
		e.life = c->fault ? dm_process_read_proc_life_state(
					    c->pid, c->start_time, &e.status)
				  : dm_process_poll_end_200ms_at_most(
					    c->pid, c->start_time, &e.status);
	return e;
}

/* Set the ending of a process whose tool wrote none, as /proc shows it: to exec
   if the process is alive, to SIGKILL if /proc does not show it; and mark the
   process as truncated, unless it is alive and the client has a fault. No-op if
   the daemon has stopped the client. */
static void set_ending_and_truncation_from_proc(struct dm_client *c,
						const struct evidence *e)
{
	struct al_process *p = c->process;

	if (c->machine.input == DM_STOPPED)
		return;
	if (e->life == DM_ALIVE) {
		if (!c->fault)
			al_process_set_truncated_once(p, "connection closed");
		al_process_set_ending(p, AL_EXECED, 0);
	} else if (e->life == DM_DEAD && WIFEXITED(e->status)) {
		/* an exit of the program would have been reported by the
		   tool */
		al_process_set_truncated_once(
			p, "valgrind stopped on an error of its "
			   "own, see its message");
		al_process_set_ending(p, AL_EXITED, WEXITSTATUS(e->status));
	} else if (e->life == DM_DEAD && WTERMSIG(e->status) != SIGKILL) {
		al_process_set_truncated_once(
			p, "killed by a signal, unseen by valgrind");
		al_process_set_ending(p, AL_SIGNALLED, WTERMSIG(e->status));
	} else {
		al_process_set_truncated_once(p, "killed by signal 9");
		al_process_set_ending(p, AL_SIGNALLED, SIGKILL);
	}
}

/* Set the ending of a process to the signal that ended it. Its number is taken
   from the tool's page, else from the stream, else from /proc. */
static void set_process_ending_to_signal(struct dm_client *c,
					 const struct evidence *e)
{
	int signal = e->last_signal;

	if (e->summary.exit_value)
		signal = (int)(e->summary.exit_value & 0x7f);
	else if (!signal && e->life == DM_DEAD && WIFSIGNALED(e->status))
		signal = WTERMSIG(e->status);
	al_process_set_ending(c->process, AL_SIGNALLED, signal);
}

/* Set the ending of the client's process. Return: the event to apply to the
   client: DM_EV_EXEC after an exec that the tool reported, else DM_EV_DRAINED.
   Context: lock held. */
static enum dm_event store_process_ending_return_event(struct dm_client *c,
						       const struct evidence *e)
{
	switch (e->summary.ending) {
	case PT_EXITED:
		al_process_set_ending(c->process, AL_EXITED,
				      (int)(e->summary.exit_value & 0xff));
		return DM_EV_DRAINED;
	case PT_FATAL:
		set_process_ending_to_signal(c, e);
		return DM_EV_DRAINED;
	case PT_EXEC:
		/* The process is unrecorded until its next image connects. */
		al_process_set_ending(c->process, AL_EXECED, 0);
		return DM_EV_EXEC;
	default:
		set_ending_and_truncation_from_proc(c, e);
		return DM_EV_DRAINED;
	}
}

/* Store in the process the tool's figures, the lost accesses and, if the
   recording is truncated, the reason. Context: lock held. */
static void store_tool_figures_and_losses_in_process(struct dm_client *c,
						     const struct evidence *e)
{
	const struct dm_tool_summary *f = &e->summary;
	/* If the rest of the ring was read too, the last chunk, which the tool
	   began but did not publish, counts as one more. */
	uint64_t buffers = c->ring.consumed + c->drained;
	char title[PT_TITLE];

	dm_ring_read_program_title(&c->ring, title);
	al_process_set_title(c->process, title);
	al_process_set_environment_once(
		c->process, &(struct al_environment){f->environment_variables,
						     f->environment_bytes,
						     f->environment_hash});
	al_process_add_waits(c->process, f->wait_ns, f->waits);
	al_process_add_lost_messages(c->process, f->lost_messages);
	al_process_add_buffer_counts(c->process, buffers,
				     buffers * c->ring.shape.chunk_bytes);
	if (f->skipped)
		al_process_add_lost_accesses(
			c->process, f->skipped,
			"accesses that the tool could not describe");
	if (c->fault)
		al_process_set_truncated_once(c->process, c->fault);
	else if (f->overfull)
		al_process_set_truncated_once(
			c->process, "descriptions of its code took too much "
				    "memory");
	else if (c->machine.input == DM_STOPPED && f->ending == PT_ALIVE)
		al_process_set_truncated_once(c->process, "daemon was stopped");
	else if (!c->drained)
		al_process_set_truncated_once(c->process, "daemon was stopped");
}

/* Mark the process of @c, whose image never had a stream, as truncated, and
   store that this image ended by exec. Do nothing if @c has no process.
   Context: lock held. */
static void set_process_truncated_and_ended_by_exec(struct dm_client *c)
{
	if (!c->process)
		return;
	al_process_set_truncated_once(c->process, c->fault);
	al_process_set_ending(c->process, AL_EXECED, 0);
}

/* After the end of a process: queue its JSON document, remove the link from its
   process id to the daemon's socket, and send the event PT_EVENT_TERMINATION to
   the other processes of its tree. Context: lock held. */
static void queue_json_and_announce_process_end(struct dm_client *c)
{
	dm_documents_queue_process_json(c->daemon, c->process);
	dm_runtime_remove_pid_link_to_socket(c->daemon->directory, c->pid,
					     c->daemon->socket);
	dm_outbox_send_process_event_to_tree(c, PT_EVENT_TERMINATION);
}

/* Finish the stream, store how the image ended, add its results to those
   of the run, and write the rest of its profile. Return: the event to apply to
   the client: DM_EV_EXEC or DM_EV_DRAINED. Context: lock not held. */
static enum dm_event
finish_stream_store_ending_return_event(struct dm_client *c)
{
	enum dm_event event = DM_EV_DRAINED;
	struct evidence e;

	if (c->stream) {
		dm_client_read_jit_names(c);
		al_stream_finish_counts_and_analyses(c->stream);
		e = collect_evidence_waiting_200ms_at_most(c);
	}
	dm_lock(c->daemon);
	if (c->stream) {
		store_tool_figures_and_losses_in_process(c, &e);
		event = store_process_ending_return_event(c, &e);
		al_process_end_image(c->process, c->stream);
	} else {
		set_process_truncated_and_ended_by_exec(c);
	}
	dm_unlock(c->daemon);
	if (c->stream)
		al_process_write_profile_queue(c->process);
	return event;
}

void dm_client_finish_image_free_ring(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	enum dm_event event = finish_stream_store_ending_return_event(c);

	dm_lock(d);
	if (event == DM_EV_EXEC)
		c->deadline_ns = dm_now_ns() + EXEC_WAIT_NS;
	dm_client_apply_event_or_abort(c, event);
	if (c->stage == DM_ENDED)
		queue_json_and_announce_process_end(c);
	if (c->machine.input == DM_STOPPED || c->fault)
		dm_client_close_connection_if_open(c);
	d->ring_bytes -= c->ring.allocated;
	dm_ring_close_and_unmap(&c->ring);
	c->published = c->analysed;
	c->chunks = 0;
	d->has_pending_clients = true;
	pthread_cond_broadcast(&d->changed);
	dm_unlock(d);
	dm_wake_server(d);
}

void dm_client_set_ended_without_next_image(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;

	dm_client_apply_event_or_abort(c, DM_EV_SUCCEEDED);
	queue_json_and_announce_process_end(c);
	pthread_cond_broadcast(&d->changed);
}
