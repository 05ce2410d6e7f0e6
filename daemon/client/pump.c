/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pump.c - executes the turns of a client's intake and hands
 *
 * Threads: workers; each task of a client is on one worker at a time.
 *
 * A turn of the intake reads the new part of the log and one chunk. A turn of a
 * hand executes one job. Turns are this short so that many programs are served
 * equally. Threads change the client first (message, end of the connection,
 * analysed chunk) and post the intake afterwards, and a turn begins after every
 * post, so a turn sees every change without checking again. A hand that finds
 * no job becomes idle; the thread that creates jobs posts idle hands.
 *
 * The intake reads at most al_stream_ahead() chunks more than are analysed. If
 * it can do nothing before the next chunk is analysed, it enters DM_WAITS and
 * its turn ends.
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
	bool over;    /* the tool sends no more, or is ignored */
	bool stopped; /* the daemon stops this client */
	bool hurry;   /* the rest of the ring is dropped */
	bool asked;   /* the tool waits for room */
	uint64_t asked_value;
	const char *fault;
	int stream_error; /* of al_stream_error() */
	uint64_t analysed;
	unsigned wanted; /* chunks that the ring shall have */
};

static struct turn_input read_turn_input(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct turn_input o;

	dm_lock(d);
	o = (struct turn_input){
		.stage = c->stage,
		.over = dm_input_is_over(c),
		.stopped = c->machine.input == DM_STOPPED,
		.hurry = d->hurry && dm_input_is_over(c),
		.asked = c->machine.tool == DM_ASKS,
		.asked_value = c->asked_value,
		.fault = c->fault,
		.stream_error = c->stream ? al_stream_error(c->stream) : 0,
		.analysed = c->analysed,
		.wanted = c->wanted,
	};
	dm_unlock(d);
	return o;
}

/* Read the new part of the log into the stream. @scratch: [DM_LOG_BYTES].
   Return: 0; -errno. */
static int read_log(struct dm_client *c, void *scratch)
{
	size_t bytes;
	int err = dm_ring_log(&c->ring, scratch, &bytes);

	if (!err && bytes)
		err = al_stream_log(c->stream, scratch, bytes);
	return err;
}

/* Post at most @ready idle hands, one for each job. Context: lock held. */
static void wake_hands(struct dm_client *c, unsigned ready)
{
	for (; ready > 0 && c->idle != NULL; ready--) {
		struct dm_hand *h = c->idle;

		c->idle = h->next;
		dm_workers_post(&c->daemon->workers, &h->task);
	}
}

/* Begin the analysis of the next chunk. */
static void begin_chunk(struct dm_client *c)
{
	dm_lock(c->daemon);
	al_stream_begin(c->stream, dm_ring_chunk(&c->ring),
			c->ring.shape.chunk_bytes, 0);
	dm_ring_chunk_taken(&c->ring);
	wake_hands(c, al_stream_ready(c->stream));
	dm_unlock(c->daemon);
}

/* Find the units that are not published. If the tool is @alive they are copied
   to *@copy, which the caller frees. *@end: receives where they end [bytes]; 0:
   there are none. */
static const uint64_t *find_unpublished(struct dm_client *c, bool alive,
					void **copy, size_t *end)
{
	*copy = NULL;
	if (!alive)
		return dm_ring_open_chunk(&c->ring, false, end);
	*copy = malloc(c->ring.shape.chunk_bytes);
	*end = *copy ? dm_ring_copy_open(&c->ring, *copy) : 0;
	return *copy;
}

/* Analyse the units that the tool did not publish. Call it when all published
   chunks are analysed. The cursor is read before the log, so the log describes
   all units up to the cursor. Return: 0; -errno. */
static int analyse_unpublished(struct dm_client *c, const struct turn_input *o,
			       void *scratch)
{
	const uint64_t *units = NULL;
	void *copy = NULL;
	size_t end = 0;
	int err;

	if (c->ring.published == c->limit)
		units = find_unpublished(c, o->stopped, &copy, &end);
	err = read_log(c, scratch);
	c->drained = true;
	if (!err && end > PT_CHUNK_HEAD) {
		dm_lock(c->daemon);
		dm_client_must_step(c, DM_EV_DRAIN);
		dm_unlock(c->daemon);
		err = al_stream_chunk(c->stream, units,
				      c->ring.shape.chunk_bytes, end);
	}
	free(copy);
	return err;
}

/* Read what the tool has sent: one chunk and the log or, when the input is over
   and all chunks are analysed, the unpublished units. Return: 0; -errno. */
static int feed_stream(struct dm_client *c, const struct turn_input *o,
		       void *scratch)
{
	int err = dm_ring_look(&c->ring);

	if (err)
		return err;
	if (!o->over)
		dm_growth_turn(c, o->wanted);
	if (o->over && !c->limited) {
		c->limit = c->ring.published;
		c->limited = true;
	}
	if (c->limited && c->ring.taken == c->limit)
		return o->analysed == c->limit
			       ? analyse_unpublished(c, o, scratch)
			       : 0;
	err = read_log(c, scratch);
	if (!err && c->ring.taken != c->ring.published &&
	    c->ring.taken - o->analysed < al_stream_ahead(c->stream))
		begin_chunk(c);
	return err;
}

/* Return the process that the image belongs to. After an exec that is the
   process of the previous image, which ends here; otherwise a new one. NULL: no
   memory. Context: lock held. */
static struct al_process *find_process(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct al_process *p;
	struct dm_client *old;

	for (old = d->clients; old; old = old->next) {
		if (old->stage != DM_EXECED || old->pid != c->pid ||
		    old->born != c->born)
			continue;
		dm_client_must_step(old, DM_EV_SUCCEEDED);
		return old->process;
	}
	p = al_run_process(d->run, c->pid, dm_family_parent(c));
	if (p)
		al_process_set_born(p, c->born);
	return p;
}

/* Find the client that @c was forked from; *@parent is NULL if @c was not
   forked. The parent is not freed until its `joining` is decremented. Return:
   0; -EPROTO: there is no proven parent. Context: lock not held. */
static int find_parent(struct dm_client *c, struct dm_client **parent)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client *p;

	*parent = NULL;
	if (!(c->hello.fixed.flags & PT_HELLO_FORKED))
		return 0;
	dm_lock(d);
	p = dm_family_forker(c);
	if (p)
		p->joining++;
	dm_unlock(d);
	*parent = p;
	return p ? 0 : -EPROTO;
}

/* Read the log of the parent @p up to @log_end, its length at the fork [bytes].
   Return: 0; -EPROTO. Context: @p's intake is held. */
static int read_parent_log(struct dm_client *p, uint64_t log_end, void *scratch)
{
	if (p->ring.log_tail < log_end && p->ring.map && read_log(p, scratch))
		return -EPROTO;
	return p->ring.log_tail < log_end ? -EPROTO : 0;
}

/* Create the client's process and stream. @parent: the client that it was
   forked from, or NULL. Return: 0; -EPROTO; -ENOMEM. */
static int create_stream(struct dm_client *c, struct dm_client *parent)
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
	c->process = find_process(c);
	if (c->process)
		c->stream = al_process_image(c->process, &image,
					     parent ? &fork : NULL);
	if (!c->stream)
		err = errno == ENOMEM ? -ENOMEM : -EPROTO;
	dm_unlock(d);
	if (!err)
		al_process_write(c->process);
	if (!err && parent)
		al_process_inherit(&fork, c->stream);
	return err;
}

/* Create the client's stream, then welcome or refuse the tool. Return: 0;
   -errno: the tool was refused. */
static int start_client(struct dm_client *c, void *scratch)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client *parent;
	int err = find_parent(c, &parent);

	if (!err && parent) {
		dm_workers_hold(&d->workers, &parent->intake);
		err = read_parent_log(parent, c->hello.fixed.parent_log,
				      scratch);
		if (!err)
			err = create_stream(c, parent);
		dm_workers_let_go(&d->workers, &parent->intake);
	} else if (!err) {
		err = create_stream(c, NULL);
	}
	dm_lock(d);
	if (parent)
		parent->joining--;
	if (err) {
		dm_client_refuse(c, al_bounds_reason(err));
	} else {
		dm_orders_life(c, PT_EVENT_CREATION);
		dm_client_must_step(c, DM_EV_WELCOMED);
		dm_runtime_link(d->directory, c->pid, d->socket);
		dm_client_welcome(c);
	}
	dm_hello_release(&c->hello);
	dm_unlock(d);
	return err;
}

/* Whether the intake can read nothing before a chunk is analysed. Context: lock
   held. */
static bool must_wait(const struct dm_client *c, bool over)
{
	uint64_t ahead = c->ring.taken - c->analysed;

	over = over || (c->limited && c->ring.taken == c->limit);
	return ahead == al_stream_ahead(c->stream) || (over && ahead);
}

/*
 * Store the progress of this turn in the client and answer a tool that waits
 * for room. A request for room in the log that arrived during the turn is
 * answered by the next turn.
 *
 * Return: whether there is more to do now.
 */
static bool store_progress(struct dm_client *c, const struct turn_input *o,
			   bool over)
{
	struct dm_daemon *d = c->daemon;
	bool more = over || o->over || c->ring.taken != c->ring.published;
	bool waits;

	dm_lock(d);
	if (!c->published && c->ring.published)
		pthread_cond_broadcast(&d->changed); /* for the tuner */
	c->published = c->ring.published;
	dm_client_answer(c, o->asked && o->asked_value == UINT64_MAX);
	waits = more && must_wait(c, over);
	dm_client_must_step(c, waits ? DM_EV_WAIT : DM_EV_FEED);
	more = more && !waits;
	dm_unlock(d);
	return more;
}

/* Mark the client as faulty and close its connection. @fault: a literal. */
static void fail_client(struct dm_client *c, const char *fault)
{
	struct dm_daemon *d = c->daemon;

	dm_lock(d);
	dm_client_fail(c, fault);
	dm_unlock(d);
}

bool dm_intake_turn(struct dm_task *task, struct dm_worker *me)
{
	struct dm_client *c = (struct dm_client *)task;
	struct turn_input o = read_turn_input(c);
	bool over;
	int err = 0;

	if (o.stage == DM_EXECED || o.stage == DM_ENDED)
		return false;
	if (o.stage == DM_STARTING)
		err = start_client(c, me->scratch);
	if (!err && !o.fault)
		err = o.stream_error;
	if (!err && !o.fault && !o.hurry && !c->drained)
		err = feed_stream(c, &o, me->scratch);
	if (err)
		fail_client(c, al_bounds_reason(err));
	over = err || o.fault || o.hurry || c->drained;
	if (over && c->ring.taken == o.analysed) {
		dm_ending_decide(c);
		return false;
	}
	return store_progress(c, &o, over);
}

/* Release an analysed chunk to the tool and post the intake: the tool may have
   published chunks without a message since the intake last checked. Context:
   lock held. */
static void release_chunk(struct dm_client *c)
{
	dm_ring_chunk_done(&c->ring);
	c->analysed++;
	dm_client_answer(c, false);
	dm_client_must_step(c, DM_EV_FEED);
	dm_workers_post(&c->daemon->workers, &c->intake);
}

/* Add the hand to the client's idle hands. Context: lock held. */
static void add_idle(struct dm_hand *h)
{
	h->next = h->client->idle;
	h->client->idle = h;
}

/* Find the hand's next job. Return: false if there is none; the hand is idle
   then. Context: lock held. */
static bool find_job(struct dm_hand *h, struct al_job *job, unsigned worker)
{
	struct dm_client *c = h->client;
	bool found = c->machine.feeding != DM_ALONE &&
		     al_stream_next(c->stream, job, worker);

	if (!found)
		add_idle(h);
	return found;
}

bool dm_hand_turn(struct dm_task *task, struct dm_worker *me)
{
	struct dm_hand *h = (struct dm_hand *)task;
	struct dm_client *c = h->client;
	struct dm_daemon *d = c->daemon;
	struct al_job job;
	unsigned ready;
	bool found;

	dm_lock(d);
	found = find_job(h, &job, dm_worker_number(me));
	dm_unlock(d);
	if (!found)
		return false;
	al_stream_do(c->stream, &job);
	dm_lock(d);
	if (al_stream_done(c->stream, &job))
		release_chunk(c);
	ready = al_stream_ready(c->stream);
	if (ready > 0)
		wake_hands(c, ready - 1);
	else
		add_idle(h);
	dm_unlock(d);
	return ready > 0;
}

/* Execute all remaining jobs of the chunks being analysed. */
static void finish_chunks(struct al_stream *s)
{
	struct al_job job;

	while (al_stream_next(s, &job, 1)) {
		al_stream_do(s, &job);
		al_stream_done(s, &job);
	}
}

/* Analyse all published chunks. Return: 0; -errno. */
static int drain_published(struct dm_client *c, void *scratch)
{
	struct dm_ring *r = &c->ring;
	int err = dm_ring_look(r);

	while (!err && r->taken != r->published) {
		err = read_log(c, scratch);
		if (!err)
			err = al_stream_chunk(c->stream, dm_ring_chunk(r),
					      r->shape.chunk_bytes, 0);
		dm_ring_chunk_taken(r);
	}
	return err;
}

int dm_image_drain(struct dm_client *c, void *scratch)
{
	struct dm_ring *r = &c->ring;
	const uint64_t *units;
	void *copy = NULL;
	size_t end = 0;
	int err = dm_ring_separate(r);

	finish_chunks(c->stream);
	/* The tool goes on; chunks that it publishes during this are read from
	   their places. None is released, so there are no more of them than
	   the ring holds. */
	do {
		free(copy);
		if (!err)
			err = drain_published(c, scratch);
		units = find_unpublished(c, true, &copy, &end);
		if (!err)
			err = dm_ring_look(r);
	} while (!err && r->taken != r->published);
	if (!err)
		err = read_log(c, scratch);
	if (!err && end > PT_CHUNK_HEAD)
		err = al_stream_chunk(c->stream, units, r->shape.chunk_bytes,
				      end);
	free(copy);
	return err;
}
