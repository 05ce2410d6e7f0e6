/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_reader.c - executes the turns of a client's ring reader
 *
 * Threads: workers; each task of a client is on one worker at a time. A live
 * report calls dm_ring_reader_analyse_live_ring() in its child process.
 *
 * A turn of the ring reader reads the new part of the log and one chunk; it is
 * this short so that many programs are served equally. Threads change the
 * client first (message, end of the connection, analysed chunk) and post the
 * ring reader afterwards, and a turn begins after every post, so a turn sees
 * every change without checking again.
 *
 * The ring reader reads at most al_stream_max_chunks_in_flight() chunks more
 * than are analysed. If it can do nothing before the next chunk is analysed,
 * the client enters DM_WAITS and the turn ends.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "daemon/client/chunk_worker.h"
#include "daemon/client/connection.h"
#include "daemon/client/ring_growth.h"
#include "daemon/client/ring_reader.h"
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
	int stream_error;  /* 0, or -errno of the stream's analysis or profile,
			      see al_stream_error() */
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
		.input_is_over = dm_is_no_more_input_accepted(c),
		.stopped = c->machine.input == DM_STOPPED,
		.drop_rings = d->drop_rings && dm_is_no_more_input_accepted(c),
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

int dm_ring_reader_read_new_log(struct dm_client *c, void *scratch)
{
	size_t bytes;
	int err = dm_ring_copy_and_consume_log(&c->ring, scratch, &bytes);

	if (!err && bytes)
		err = al_stream_parse_and_store_log(c->stream, scratch, bytes);
	return err;
}

/* Pass the oldest chunk that was not passed yet to the analysis, count it as
   consumed, and post idle chunk workers for the jobs that it creates. */
static void pass_oldest_chunk_to_analysis(struct dm_client *c)
{
	dm_lock(c->daemon);
	al_stream_begin_chunk(
		c->stream, dm_ring_start_of_oldest_unconsumed_chunk(&c->ring),
		c->ring.shape.chunk_bytes, 0);
	dm_ring_increment_local_consumed_chunks(&c->ring);
	dm_chunk_workers_post_idle_to_pool(
		c, al_stream_count_runnable_jobs(c->stream));
	dm_unlock(c->daemon);
}

/* Return the chunk with the units that the tool has not published. If
   @is_tool_alive, the units are copied to *@copy, which the caller frees, and
   the copy is returned; otherwise *@copy is NULL. *@end_offset_or_0: receives
   the offset of the units' end in the chunk [bytes]; 0: there are none. */
static const uint64_t *
find_or_copy_unpublished_units_in_ring(struct dm_client *c, bool is_tool_alive,
				       void **copy, size_t *end_offset_or_0)
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
		units = find_or_copy_unpublished_units_in_ring(c, o->stopped,
							       &copy, &end);
	err = dm_ring_reader_read_new_log(c, scratch);
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

/* Once the input is over, store the number of chunks to read. */
static void set_chunk_limit_if_input_is_over(struct dm_client *c,
					     bool input_is_over)
{
	if (!input_is_over || c->has_chunk_limit)
		return;
	c->chunk_limit = c->ring.published;
	c->has_chunk_limit = true;
}

/* Whether the number of chunks to read is known, and all were passed to the
   analysis. */
static bool has_read_all_chunks(const struct dm_client *c)
{
	return c->has_chunk_limit && c->ring.consumed == c->chunk_limit;
}

/* Read the new part of the log, and pass a published chunk to the analysis if
   there is one and fewer than the maximum are in flight. @analysed_chunk_count:
   number of chunks whose analysis is finished. Return: 0; -errno. */
static int read_log_and_pass_chunk_to_analysis(struct dm_client *c,
					       uint64_t analysed_chunk_count,
					       void *scratch)
{
	int err = dm_ring_reader_read_new_log(c, scratch);

	if (!err && c->ring.consumed != c->ring.published &&
	    c->ring.consumed - analysed_chunk_count <
		    al_stream_max_chunks_in_flight(c->stream))
		pass_oldest_chunk_to_analysis(c);
	return err;
}

/* Read the new part of the log and pass at most one published chunk to the
   analysis. If the input is over and all published chunks are analysed, analyse
   the log and the unpublished units instead. Also grow the ring if that was
   requested. Return: 0; -errno. */
static int analyse_new_log_and_next_ring_chunk(struct dm_client *c,
					       const struct turn_input *o,
					       void *scratch)
{
	int err = dm_ring_update_published_if_valid(&c->ring);

	if (err)
		return err;
	if (!o->input_is_over)
		dm_ring_growth_grow_to_chunk_count(c, o->target_chunks);
	set_chunk_limit_if_input_is_over(c, o->input_is_over);
	if (!has_read_all_chunks(c))
		return read_log_and_pass_chunk_to_analysis(c, o->analysed,
							   scratch);
	if (o->analysed != c->chunk_limit)
		return 0;
	return analyse_log_and_unpublished_units(c, o, scratch);
}

/* Whether the ring reader can do nothing before the analysis of a chunk is
   finished: the maximum number of chunks is in flight, or no more chunks will
   be read and at least one is in flight. Context: lock held. */
static bool can_ring_reader_only_wait_for_analysis(const struct dm_client *c,
						   bool input_is_over)
{
	uint64_t in_flight = c->ring.consumed - c->analysed;

	input_is_over = input_is_over || has_read_all_chunks(c);
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
static bool
store_progress_answer_tool_has_more_work(struct dm_client *c,
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
	dm_client_answer_wait_if_ring_has_room(
		c, o->tool_waits && o->wait_value == UINT64_MAX);
	waits = more && can_ring_reader_only_wait_for_analysis(
				c, input_is_over_or_failed);
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
	dm_client_set_fault_and_close_connection(c, fault_text);
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
		err = dm_client_create_stream_and_welcome(c, worker->scratch);
	if (!err && !o.fault)
		err = o.stream_error;
	if (!err && !o.fault && !o.drop_rings && !c->drained)
		err = analyse_new_log_and_next_ring_chunk(c, &o,
							  worker->scratch);
	if (err)
		fail_client_and_close_connection(
			c, al_truncation_reason_null_if_0(err));
	over = err || o.fault || o.drop_rings || c->drained;
	if (over && c->ring.consumed == o.analysed) {
		dm_client_finish_image_free_ring(c);
		return false;
	}
	return store_progress_answer_tool_has_more_work(c, &o, over);
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
static int read_log_and_analyse_published_chunks(struct dm_client *c,
						 void *scratch)
{
	struct dm_ring *r = &c->ring;
	int err = dm_ring_update_published_if_valid(r);

	while (!err && r->consumed != r->published) {
		err = dm_ring_reader_read_new_log(c, scratch);
		if (!err)
			err = al_stream_process_chunk_in_this_thread(
				c->stream,
				dm_ring_start_of_oldest_unconsumed_chunk(r),
				r->shape.chunk_bytes, 0);
		dm_ring_increment_local_consumed_chunks(r);
	}
	return err;
}

int dm_ring_reader_analyse_live_ring(struct dm_client *c, void *scratch)
{
	struct dm_ring *r = &c->ring;
	const uint64_t *units;
	void *copy = NULL;
	size_t end = 0;
	int err = dm_ring_privatize_daemon_page(r);

	run_all_stream_jobs_on_this_thread(c->stream);
	/* While published chunks are analysed, the tool may publish more:
	   repeat until all published ones are analysed; each time, copy the
	   units that are not published. No chunk is released meanwhile, so the
	   tool overwrites none. */
	do {
		free(copy);
		if (!err)
			err = read_log_and_analyse_published_chunks(c, scratch);
		units = find_or_copy_unpublished_units_in_ring(c, true, &copy,
							       &end);
		if (!err)
			err = dm_ring_update_published_if_valid(r);
	} while (!err && r->consumed != r->published);
	if (!err)
		err = dm_ring_reader_read_new_log(c, scratch);
	if (!err && end > PT_CHUNK_HEAD)
		err = al_stream_process_chunk_in_this_thread(
			c->stream, units, r->shape.chunk_bytes, end);
	free(copy);
	return err;
}
