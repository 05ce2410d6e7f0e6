/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pump.c - executes the turns of a client's ring reader and chunk workers
 *
 * Threads: workers; each task of a client is on one worker at a time.
 *
 * The ring reader and the chunk workers are tasks, executed in turns. A turn of
 * the ring reader reads the new part of the log and one chunk. A turn of a
 * chunk worker executes one job of the analysis. Turns are this short so that
 * many programs are served equally. Threads change the client first (message,
 * end of the connection, analysed chunk) and post the ring reader afterwards,
 * and a turn begins after every post, so a turn sees every change without
 * checking again. A chunk worker that finds no job becomes idle; the thread
 * that creates jobs posts idle chunk workers.
 *
 * The ring reader reads at most al_stream_max_chunks_in_flight() chunks more
 * than are analysed. If it can do nothing before the next chunk is analysed,
 * the client enters DM_WAITS and the turn ends.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "daemon/client/ancestry.h"
#include "daemon/client/connection.h"
#include "daemon/client/outbox.h"
#include "daemon/client/ring_growth.h"
#include "daemon/client/state.h"
#include "lib/recover/memory_bounds.h"
#include "proto/unit.h"

/* A copy of the client's state, made under the lock when the turn began. */
struct turn_input {
	enum dm_stage stage;
	bool input_is_over; /* the tool sends nothing more, or is ignored */
	bool stopped;	    /* the daemon stops this client */
	bool drop_rings;    /* the unread part of the ring is not analysed */
	bool tool_waits;    /* the tool waits for space in its ring */
	uint64_t wait_value;
	const char *fault;
	int stream_error;  /* result of al_stream_error() */
	uint64_t analysed; /* number of chunks whose analysis is finished */
	unsigned target_chunks; /* number of chunks that the ring shall grow
				   to */
};

static struct turn_input copy_client_state_for_turn(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct turn_input o;

	dm_lock(d);
	o = (struct turn_input){
		.stage = c->stage,
		.input_is_over = dm_input_is_over(c),
		.stopped = c->machine.input == DM_STOPPED,
		.drop_rings = d->drop_rings && dm_input_is_over(c),
		.tool_waits = c->machine.tool == DM_ASKS,
		.wait_value = c->wait_value,
		.fault = c->fault,
		.stream_error = c->stream ? al_stream_error(c->stream) : 0,
		.analysed = c->analysed,
		.target_chunks = c->target_chunks,
	};
	dm_unlock(d);
	return o;
}

/* Read the new part of the log into the stream. @scratch: [DM_LOG_BYTES].
   Return: 0; -errno. */
static int read_new_log_into_stream(struct dm_client *c, void *scratch)
{
	size_t bytes;
	int err = dm_ring_copy_and_consume_log(&c->ring, scratch, &bytes);

	if (!err && bytes)
		err = al_stream_parse_and_store_log(c->stream, scratch, bytes);
	return err;
}

/* Post at most @max_count idle chunk workers, one for each job. Context: lock
   held. */
static void post_idle_chunk_workers(struct dm_client *c, unsigned max_count)
{
	for (; max_count > 0 && c->idle_chunk_workers != NULL; max_count--) {
		struct dm_chunk_worker *h = c->idle_chunk_workers;

		c->idle_chunk_workers = h->next;
		dm_workers_post_task_unless_queued(&c->daemon->workers,
						   &h->task);
	}
}

/* Pass the oldest chunk that was not passed yet to the analysis, count it as
   consumed, and post idle chunk workers for the jobs that it creates. */
static void pass_oldest_chunk_to_analysis(struct dm_client *c)
{
	dm_lock(c->daemon);
	al_stream_begin_chunk(c->stream,
			      dm_ring_oldest_unconsumed_chunk(&c->ring),
			      c->ring.shape.chunk_bytes, 0);
	dm_ring_increment_local_consumed(&c->ring);
	post_idle_chunk_workers(c, al_stream_count_runnable_jobs(c->stream));
	dm_unlock(c->daemon);
}

/* Return the chunk with the units that the tool has not published. If
   @is_tool_alive, the units are copied to *@copy, which the caller frees, and
   the copy is returned; otherwise *@copy is NULL. *@end_offset_or_0: receives
   the offset of the units' end in the chunk [bytes]; 0: there are none. */
static const uint64_t *find_or_copy_unpublished_units(struct dm_client *c,
						      bool is_tool_alive,
						      void **copy,
						      size_t *end_offset_or_0)
{
	*copy = NULL;
	if (!is_tool_alive)
		return dm_ring_find_unpublished_chunk(&c->ring, false,
						      end_offset_or_0);
	*copy = malloc(c->ring.shape.chunk_bytes);
	*end_offset_or_0 =
		*copy ? dm_ring_copy_unpublished_units(&c->ring, *copy) : 0;
	return *copy;
}

/* Analyse the units that the tool did not publish, after all published chunks
   were analysed. The tool's cursor is read before the log, so the log describes
   all units up to the cursor. Return: 0; -errno. */
static int analyse_log_and_unpublished_units(struct dm_client *c,
					     const struct turn_input *o,
					     void *scratch)
{
	const uint64_t *units = NULL;
	void *copy = NULL;
	size_t end = 0;
	int err;

	if (c->ring.published == c->chunk_limit)
		units = find_or_copy_unpublished_units(c, o->stopped, &copy,
						       &end);
	err = read_new_log_into_stream(c, scratch);
	c->drained = true;
	if (!err && end > PT_CHUNK_HEAD) {
		dm_lock(c->daemon);
		dm_client_apply_event_or_abort(c, DM_EV_DRAIN);
		dm_unlock(c->daemon);
		err = al_stream_process_chunk_in_this_thread(
			c->stream, units, c->ring.shape.chunk_bytes, end);
	}
	free(copy);
	return err;
}

/* Read the new part of the log and pass at most one published chunk to the
   analysis. If the input is over and all published chunks are analysed, analyse
   the log and the unpublished units instead. Also grow the ring if that was
   requested. Return: 0; -errno. */
static int read_log_and_pass_chunk_or_analyse_rest(struct dm_client *c,
						   const struct turn_input *o,
						   void *scratch)
{
	int err = dm_ring_update_published_if_valid(&c->ring);

	if (err)
		return err;
	if (!o->input_is_over)
		dm_ring_growth_grow_to_chunk_count(c, o->target_chunks);
	if (o->input_is_over && !c->has_chunk_limit) {
		c->chunk_limit = c->ring.published;
		c->has_chunk_limit = true;
	}
	if (c->has_chunk_limit && c->ring.consumed == c->chunk_limit)
		return o->analysed == c->chunk_limit
			       ? analyse_log_and_unpublished_units(c, o,
								   scratch)
			       : 0;
	err = read_new_log_into_stream(c, scratch);
	if (!err && c->ring.consumed != c->ring.published &&
	    c->ring.consumed - o->analysed <
		    al_stream_max_chunks_in_flight(c->stream))
		pass_oldest_chunk_to_analysis(c);
	return err;
}

/* Return the process that the client's image belongs to. If the process has
   executed another program, that is the process of its previous image, whose
   client enters DM_ENDED; otherwise it is a new process, added to the run.
   NULL: no memory. Context: lock held. */
static struct al_process *end_old_image_or_create_process(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct al_process *p;
	struct dm_client *old;

	for (old = d->clients; old; old = old->next) {
		if (old->stage != DM_EXECED || old->pid != c->pid ||
		    old->start_time != c->start_time)
			continue;
		dm_client_apply_event_or_abort(old, DM_EV_SUCCEEDED);
		return old->process;
	}
	p = al_run_add_process(d->run, c->pid,
			       dm_ancestry_find_parent_process(c));
	if (p)
		al_process_set_start_time(p, c->start_time);
	return p;
}

/* Store in *@parent the client that @c was forked from, or NULL if @c was not
   forked, and increment the parent's joining_children: the parent is not freed
   until the caller decrements it. Return: 0; -EPROTO: @c was forked, but does
   not prove from which client. Context: lock not held. */
static int find_and_pin_fork_parent(struct dm_client *c,
				    struct dm_client **parent)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client *p;

	*parent = NULL;
	if (!(c->hello.fixed.flags & PT_HELLO_FORKED))
		return 0;
	dm_lock(d);
	p = dm_ancestry_find_proven_fork_parent(c);
	if (p)
		p->joining_children++;
	dm_unlock(d);
	*parent = p;
	return p ? 0 : -EPROTO;
}

/* Make sure that the log of the parent @p has been read up to @log_end, its
   length at the fork [bytes]; read its new part if not. Return: 0; -EPROTO: the
   log cannot be read that far. Context: the ring reader task of @p is held, so
   that no worker executes it. */
static int read_parent_log_to_fork(struct dm_client *p, uint64_t log_end,
				   void *scratch)
{
	if (p->ring.log_tail < log_end && p->ring.map &&
	    read_new_log_into_stream(p, scratch))
		return -EPROTO;
	return p->ring.log_tail < log_end ? -EPROTO : 0;
}

/* Find or create the client's process, and create the stream of its new image.
   @parent: the client that @c was forked from, or NULL. Return: 0; -EPROTO;
   -ENOMEM. */
static int assign_process_and_create_stream(struct dm_client *c,
					    struct dm_client *parent)
{
	struct dm_daemon *d = c->daemon;
	struct al_image image = {.argv = c->hello.argv,
				 .directory = c->hello.directory,
				 .valgrind = c->hello.fixed.valgrind};
	struct al_fork fork = {
		.parent = parent ? parent->stream : NULL,
		.n_blocks = c->hello.fixed.n_blocks,
		.log = c->hello.fixed.parent_log,
	};
	int err = 0;

	dm_lock(d);
	c->process = end_old_image_or_create_process(c);
	if (c->process)
		c->stream = al_process_add_and_record_image(
			c->process, &image, parent ? &fork : NULL);
	if (!c->stream)
		err = errno == ENOMEM ? -ENOMEM : -EPROTO;
	dm_unlock(d);
	if (!err)
		al_process_write_own_or_shorten_shared_queue(c->process);
	if (!err && parent)
		al_fork_copy_parent_log_if_own_profile(&fork, c->stream);
	return err;
}

/* Create the client's stream, then send the tool a welcome or a refusal.
   Return: 0; -errno: the tool was refused. */
static int create_stream_welcome_or_refuse(struct dm_client *c, void *scratch)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client *parent;
	int err = find_and_pin_fork_parent(c, &parent);

	if (!err && parent) {
		dm_workers_wait_and_hold_task(&d->workers,
					      &parent->ring_reader);
		err = read_parent_log_to_fork(parent, c->hello.fixed.parent_log,
					      scratch);
		if (!err)
			err = assign_process_and_create_stream(c, parent);
		dm_workers_release_task_requeue_if_posted(&d->workers,
							  &parent->ring_reader);
	} else if (!err) {
		err = assign_process_and_create_stream(c, NULL);
	}
	dm_lock(d);
	if (parent)
		parent->joining_children--;
	if (err) {
		dm_client_send_refusal_and_hang_up(
			c, al_truncation_reason_null_if_0(err));
	} else {
		dm_outbox_send_process_event_in_whole_tree(c,
							   PT_EVENT_CREATION);
		dm_client_apply_event_or_abort(c, DM_EV_WELCOMED);
		dm_runtime_link_pid_to_socket(d->directory, c->pid, d->socket);
		dm_client_queue_and_send_welcome(c);
	}
	dm_hello_free_strings(&c->hello);
	dm_unlock(d);
	return err;
}

/* Whether the ring reader can do nothing before the analysis of a chunk is
   finished: the maximum number of chunks is in flight, or no more chunks will
   be read and at least one is in flight. Context: lock held. */
static bool is_ring_reader_blocked_by_analysis(const struct dm_client *c,
					       bool input_is_over)
{
	uint64_t in_flight = c->ring.consumed - c->analysed;

	input_is_over = input_is_over || (c->has_chunk_limit &&
					  c->ring.consumed == c->chunk_limit);
	return in_flight == al_stream_max_chunks_in_flight(c->stream) ||
	       (input_is_over && in_flight);
}

/*
 * Store the progress of this turn in the client and answer a tool that waits
 * for space. A request for space in the log that arrived during the turn is
 * answered by the next turn.
 *
 * Return: whether there is more to do now.
 */
static bool store_progress_has_more_work(struct dm_client *c,
					 const struct turn_input *o,
					 bool input_is_over_or_failed)
{
	struct dm_daemon *d = c->daemon;
	bool more = input_is_over_or_failed || o->input_is_over ||
		    c->ring.consumed != c->ring.published;
	bool waits;

	dm_lock(d);
	if (!c->published && c->ring.published)
		/* first chunk published: the tuner begins to measure */
		pthread_cond_broadcast(&d->changed);
	c->published = c->ring.published;
	dm_client_send_room_if_waiting(c, o->tool_waits &&
						  o->wait_value == UINT64_MAX);
	waits = more &&
		is_ring_reader_blocked_by_analysis(c, input_is_over_or_failed);
	dm_client_apply_event_or_abort(c, waits ? DM_EV_WAIT : DM_EV_FEED);
	more = more && !waits;
	dm_unlock(d);
	return more;
}

/* Mark the client as faulty and close its connection. @fault_text: a literal.
   */
static void fail_client_and_close_connection(struct dm_client *c,
					     const char *fault_text)
{
	struct dm_daemon *d = c->daemon;

	dm_lock(d);
	dm_client_set_fault_and_close(c, fault_text);
	dm_unlock(d);
}

bool dm_ring_reader_run_turn(struct dm_task *task, struct dm_worker *worker)
{
	struct dm_client *c = (struct dm_client *)task;
	struct turn_input o = copy_client_state_for_turn(c);
	bool over;
	int err = 0;

	if (o.stage == DM_EXECED || o.stage == DM_ENDED)
		return false;
	if (o.stage == DM_STARTING)
		err = create_stream_welcome_or_refuse(c, worker->scratch);
	if (!err && !o.fault)
		err = o.stream_error;
	if (!err && !o.fault && !o.drop_rings && !c->drained)
		err = read_log_and_pass_chunk_or_analyse_rest(c, &o,
							      worker->scratch);
	if (err)
		fail_client_and_close_connection(
			c, al_truncation_reason_null_if_0(err));
	over = err || o.fault || o.drop_rings || c->drained;
	if (over && c->ring.consumed == o.analysed) {
		dm_client_finish_image_free_ring(c);
		return false;
	}
	return store_progress_has_more_work(c, &o, over);
}

/* Release the oldest chunk, which is analysed, to the tool, and answer the tool
   if it waits for space. Post the ring reader, because the tool may have
   published chunks without a message since the last turn. Context: lock
   held. */
static void release_chunk_and_post_ring_reader_task(struct dm_client *c)
{
	dm_ring_release_oldest_chunk_to_tool(&c->ring);
	c->analysed++;
	dm_client_send_room_if_waiting(c, false);
	dm_client_apply_event_or_abort(c, DM_EV_FEED);
	dm_workers_post_task_unless_queued(&c->daemon->workers,
					   &c->ring_reader);
}

/* Add the chunk worker to the client's idle ones. Context: lock held. */
static void add_to_idle_chunk_workers(struct dm_chunk_worker *worker)
{
	worker->next = worker->client->idle_chunk_workers;
	worker->client->idle_chunk_workers = worker;
}

/* Store the next job for a chunk worker in *@job. If there is none, or the ring
   reader does the remaining work alone, add the chunk worker to the client's
   idle ones and return false. Context: lock held. */
static bool find_job_or_become_idle(struct dm_chunk_worker *h,
				    struct al_job *job, unsigned worker_number)
{
	struct dm_client *c = h->client;
	bool found =
		c->machine.feeding != DM_ALONE &&
		al_stream_choose_job_for_worker(c->stream, job, worker_number);

	if (!found)
		add_to_idle_chunk_workers(h);
	return found;
}

bool dm_chunk_worker_run_turn(struct dm_task *task, struct dm_worker *worker)
{
	struct dm_chunk_worker *h = (struct dm_chunk_worker *)task;
	struct dm_client *c = h->client;
	struct dm_daemon *d = c->daemon;
	struct al_job job;
	unsigned jobs;
	bool found;

	dm_lock(d);
	found = find_job_or_become_idle(h, &job,
					dm_worker_number_from_1(worker));
	dm_unlock(d);
	if (!found)
		return false;
	al_stream_run_and_time_job(c->stream, &job);
	dm_lock(d);
	if (al_stream_finish_job_return_chunk_ended(c->stream, &job))
		release_chunk_and_post_ring_reader_task(c);
	jobs = al_stream_count_runnable_jobs(c->stream);
	if (jobs > 0)
		post_idle_chunk_workers(c, jobs - 1);
	else
		add_to_idle_chunk_workers(h);
	dm_unlock(d);
	return jobs > 0;
}

/* Execute all remaining jobs of the chunks being analysed, on this thread. */
static void run_all_stream_jobs_on_this_thread(struct al_stream *s)
{
	struct al_job job;

	while (al_stream_choose_job_for_worker(s, &job, 1)) {
		al_stream_run_and_time_job(s, &job);
		al_stream_finish_job_return_chunk_ended(s, &job);
	}
}

/* Analyse on this thread all published chunks that are not consumed, and before
   each of them the new part of the log. Return: 0; -errno. */
static int analyse_published_chunks_and_log(struct dm_client *c, void *scratch)
{
	struct dm_ring *r = &c->ring;
	int err = dm_ring_update_published_if_valid(r);

	while (!err && r->consumed != r->published) {
		err = read_new_log_into_stream(c, scratch);
		if (!err)
			err = al_stream_process_chunk_in_this_thread(
				c->stream, dm_ring_oldest_unconsumed_chunk(r),
				r->shape.chunk_bytes, 0);
		dm_ring_increment_local_consumed(r);
	}
	return err;
}

int dm_pump_analyse_rest_in_fork(struct dm_client *c, void *scratch)
{
	struct dm_ring *r = &c->ring;
	const uint64_t *units;
	void *copy = NULL;
	size_t end = 0;
	int err = dm_ring_privatize_daemon_page(r);

	run_all_stream_jobs_on_this_thread(c->stream);
	/* The tool may publish more chunks during this loop; repeat it until
	   all of them are read. No chunk is released meanwhile, so none is
	   overwritten. */
	do {
		free(copy);
		if (!err)
			err = analyse_published_chunks_and_log(c, scratch);
		units = find_or_copy_unpublished_units(c, true, &copy, &end);
		if (!err)
			err = dm_ring_update_published_if_valid(r);
	} while (!err && r->consumed != r->published);
	if (!err)
		err = read_new_log_into_stream(c, scratch);
	if (!err && end > PT_CHUNK_HEAD)
		err = al_stream_process_chunk_in_this_thread(
			c->stream, units, r->shape.chunk_bytes, end);
	free(copy);
	return err;
}
