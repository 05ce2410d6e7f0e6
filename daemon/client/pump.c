/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pump.c - workers' turns with one process image
 *
 * Threads: workers; each of a client's tasks is on one of them at a time.
 *
 * A turn of the intake takes the new part of the log and one chunk, one of a
 * hand does one job with what was taken in, so that many programs are served
 * alike. Whoever posts the intake has changed something first (a message, the
 * end of the connection, a chunk that is analysed), and a turn begins after
 * every post; so nothing needs to be looked at twice. A hand that finds
 * nothing to do becomes idle; whoever makes jobs posts idle ones.
 *
 * The intake stays at most al_stream_ahead() ahead. When it can do nothing
 * before the next chunk is analysed it is in DM_WAITS, and its turn ends.
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

/* What the server has said about the client, as this turn began. */
struct orders {
	enum dm_stage stage;
	bool over;
	bool stopped;
	bool hurry;
	bool asked;
	uint64_t asked_value;
	const char *fault;
	int broken;
	uint64_t analysed;
	unsigned wanted; /* chunks of the ring */
};

static struct orders take_orders(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct orders o;

	dm_lock(d);
	o = (struct orders){
		.stage = c->stage,
		.over = dm_input_is_over(c),
		.stopped = c->machine.input == DM_STOPPED,
		.hurry = d->hurry && dm_input_is_over(c),
		.asked = c->machine.tool == DM_ASKS,
		.asked_value = c->asked_value,
		.fault = c->fault,
		.broken = c->stream ? al_stream_error(c->stream) : 0,
		.analysed = c->analysed,
		.wanted = c->wanted,
	};
	dm_unlock(d);
	return o;
}

static int take_log(struct dm_client *c, void *scratch)
{
	size_t bytes;
	int err = dm_ring_log(&c->ring, scratch, &bytes);

	if (!err && bytes)
		err = al_stream_log(c->stream, scratch, bytes);
	return err;
}

/* There are so many jobs. Context: lock held. */
static void wake_hands(struct dm_client *c, unsigned ready)
{
	for (; ready > 0 && c->idle != NULL; ready--) {
		struct dm_hand *h = c->idle;

		c->idle = h->next;
		dm_workers_post(&c->daemon->workers, &h->task);
	}
}

static void take_chunk(struct dm_client *c)
{
	dm_lock(c->daemon);
	al_stream_begin(c->stream, dm_ring_chunk(&c->ring),
			c->ring.shape.chunk_bytes, 0);
	dm_ring_chunk_taken(&c->ring);
	wake_hands(c, al_stream_ready(c->stream));
	dm_unlock(c->daemon);
}

/* Find the units that are not published; those of a tool that goes on are copied
   to *@copy [for free()]. *@end: 0 when there are none. */
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

/* After the last whole chunk, when all are analysed: analyse the units that were
   not published. The cursor is read before the log, which then describes
   everything up to it. */
static int take_rest(struct dm_client *c, const struct orders *o, void *scratch)
{
	const uint64_t *units = NULL;
	void *copy = NULL;
	size_t end = 0;
	int err;

	if (c->ring.published == c->limit)
		units = find_unpublished(c, o->stopped, &copy, &end);
	err = take_log(c, scratch);
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

static int feed(struct dm_client *c, const struct orders *o, void *scratch)
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
		return o->analysed == c->limit ? take_rest(c, o, scratch) : 0;
	err = take_log(c, scratch);
	if (!err && c->ring.taken != c->ring.published &&
	    c->ring.taken - o->analysed < al_stream_ahead(c->stream))
		take_chunk(c);
	return err;
}

/* Return the process that the image belongs to, a new one if need be. Context:
   lock held. */
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

/* The client whose stream it was forked from; it stays until it is let go.
   Context: lock not held. */
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

/* The parent's log, up to where it was at the fork. Context: @p's intake is
   held. */
static int catch_up(struct dm_client *p, uint64_t log, void *scratch)
{
	if (p->ring.log_tail < log && p->ring.map && take_log(p, scratch))
		return -EPROTO;
	return p->ring.log_tail < log ? -EPROTO : 0;
}

static int make_stream(struct dm_client *c, struct dm_client *parent)
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

static int start(struct dm_client *c, void *scratch)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client *parent;
	int err = find_parent(c, &parent);

	if (!err && parent) {
		dm_workers_hold(&d->workers, &parent->intake);
		err = catch_up(parent, c->hello.fixed.parent_log, scratch);
		if (!err)
			err = make_stream(c, parent);
		dm_workers_let_go(&d->workers, &parent->intake);
	} else if (!err) {
		err = make_stream(c, NULL);
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

/* Whether there is nothing to take in before a chunk is analysed. Context:
   lock held. */
static bool must_wait(const struct dm_client *c, bool over)
{
	uint64_t ahead = c->ring.taken - c->analysed;

	over = over || (c->limited && c->ring.taken == c->limit);
	return ahead == al_stream_ahead(c->stream) || (over && ahead);
}

/*
 * Tell the server and the tool what this turn has done. A
 * question for room in the log that came during the turn is answered by the
 * next one.
 *
 * Return: whether there is more to do now.
 */
static bool publish(struct dm_client *c, const struct orders *o, bool over)
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

/* Nothing more is taken from this tool. */
static void give_up(struct dm_client *c, const char *fault)
{
	struct dm_daemon *d = c->daemon;

	dm_lock(d);
	dm_client_fail(c, fault);
	dm_unlock(d);
}

bool dm_intake_turn(struct dm_task *task, struct dm_worker *me)
{
	struct dm_client *c = (struct dm_client *)task;
	struct orders o = take_orders(c);
	bool over;
	int err = 0;

	if (o.stage == DM_EXECED || o.stage == DM_ENDED)
		return false;
	if (o.stage == DM_STARTING)
		err = start(c, me->scratch);
	if (!err && !o.fault)
		err = o.broken;
	if (!err && !o.fault && !o.hurry && !c->drained)
		err = feed(c, &o, me->scratch);
	if (err)
		give_up(c, al_bounds_reason(err));
	over = err || o.fault || o.hurry || c->drained;
	if (over && c->ring.taken == o.analysed) {
		dm_ending_decide(c);
		return false;
	}
	return publish(c, &o, over);
}

/* A chunk is analysed. The intake looks once more: what the tool has published
   since it last did need not have been said. Context: lock held. */
static void release_chunk(struct dm_client *c)
{
	dm_ring_chunk_done(&c->ring);
	c->analysed++;
	dm_client_answer(c, false);
	dm_client_must_step(c, DM_EV_FEED);
	dm_workers_post(&c->daemon->workers, &c->intake);
}

/* Context: lock held. */
static void rest(struct dm_hand *h)
{
	h->next = h->client->idle;
	h->client->idle = h;
}

/* The next job, unless there is none; the hand is idle then. Context: lock
   held. */
static bool find_job(struct dm_hand *h, struct al_job *job, unsigned worker)
{
	struct dm_client *c = h->client;
	bool found = c->machine.feeding != DM_ALONE &&
		     al_stream_next(c->stream, job, worker);

	if (!found)
		rest(h);
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
		rest(h);
	dm_unlock(d);
	return ready > 0;
}

/* Do the jobs that are left of the pieces being analysed. */
static void finish_pieces(struct al_stream *s)
{
	struct al_job job;

	while (al_stream_next(s, &job, 1)) {
		al_stream_do(s, &job);
		al_stream_done(s, &job);
	}
}

/* Analyse all chunks that are published. */
static int drain_published(struct dm_client *c, void *scratch)
{
	struct dm_ring *r = &c->ring;
	int err = dm_ring_look(r);

	while (!err && r->taken != r->published) {
		err = take_log(c, scratch);
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

	finish_pieces(c->stream);
	/* The tool goes on: a chunk that it publishes meanwhile is read from its
	   place. None is released, so these are no more than the ring holds. */
	do {
		free(copy);
		if (!err)
			err = drain_published(c, scratch);
		units = find_unpublished(c, true, &copy, &end);
		if (!err)
			err = dm_ring_look(r);
	} while (!err && r->taken != r->published);
	if (!err)
		err = take_log(c, scratch);
	if (!err && end > PT_CHUNK_HEAD)
		err = al_stream_chunk(c->stream, units, r->shape.chunk_bytes,
				      end);
	free(copy);
	return err;
}
