/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_image.c - a worker's turn with one process image
 *
 * Room:    daemon.
 * Threads: workers; a client is on one of them at a time.
 *
 * A turn takes the new part of the log and one chunk, so that many programs
 * are served alike. Whoever posts a client has changed something first (a
 * message, the end of the connection), and a turn begins after every post;
 * so nothing needs to be looked at twice.
 */
#include <errno.h>

#include "daemon/dm_client.h"
#include "daemon/dm_state.h"
#include "proto/pt_unit.h"

/* What the server has said about the client, as this turn began. */
struct orders {
	enum dm_stage stage;
	bool over;
	bool stopped;
	bool hurry;
	bool asked;
	uint64_t asked_value;
	const char *fault;
};

static struct orders take_orders(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct orders o;

	pthread_mutex_lock(&d->lock);
	o = (struct orders){
		.stage = c->stage,
		.over = c->over,
		.stopped = c->stopped,
		.hurry = d->hurry && c->over,
		.asked = c->asked,
		.asked_value = c->asked_value,
		.fault = c->fault,
	};
	pthread_mutex_unlock(&d->lock);
	return o;
}

static const char *fault_of(int err)
{
	if (!err)
		return NULL;
	return err == -ENOMEM ? "out of memory" : "protocol error";
}

static int take_log(struct dm_client *c, void *scratch)
{
	size_t bytes;
	int err = dm_ring_log(&c->ring, scratch, &bytes);

	if (!err && bytes)
		err = al_stream_log(c->stream, scratch, bytes);
	return err;
}

static int take_chunk(struct dm_client *c)
{
	int err = al_stream_chunk(c->stream, dm_ring_chunk(&c->ring),
				  c->ring.shape.chunk_bytes, 0);

	if (!err)
		dm_ring_chunk_done(&c->ring);
	return err;
}

/* After the last whole chunk: what there is of the one begun. The cursor is
   read before the log, which then describes everything up to it. */
static int take_rest(struct dm_client *c, const struct orders *o, void *scratch)
{
	size_t end = 0;
	int err;

	if (c->ring.published == c->limit)
		end = dm_ring_rest(&c->ring, o->stopped);
	err = take_log(c, scratch);
	if (!err && end > PT_CHUNK_HEAD)
		err = al_stream_chunk(c->stream, dm_ring_chunk(&c->ring),
				      c->ring.shape.chunk_bytes, end);
	c->drained = true;
	return err;
}

static int feed(struct dm_client *c, const struct orders *o, void *scratch)
{
	int err = dm_ring_look(&c->ring);

	if (err)
		return err;
	if (o->over && !c->limited) {
		c->limit = c->ring.published;
		c->limited = true;
	}
	if (c->limited && c->ring.released == c->limit)
		return take_rest(c, o, scratch);
	err = take_log(c, scratch);
	if (!err && c->ring.released != c->ring.published)
		err = take_chunk(c);
	return err;
}

/* The process that the image belongs to. Context: lock held. */
static struct al_process *find_process(struct dm_client *c,
				       struct dm_client *parent)
{
	struct dm_daemon *d = c->daemon;
	struct al_process *forked_by;
	struct dm_client *old;

	for (old = d->clients; old; old = old->next) {
		if (old->stage != DM_EXECED || old->pid != c->pid ||
		    old->born != c->born)
			continue;
		old->stage = DM_ENDED;
		return old->process;
	}
	forked_by =
		parent ? parent->process
		       : al_run_find(d->run, (pid_t)c->hello.fixed.parent_pid);
	return al_run_process(d->run, c->pid, forked_by);
}

/* The client whose stream it was forked from. Context: lock not held. */
static int find_parent(struct dm_client *c, struct dm_client **parent)
{
	struct dm_daemon *d = c->daemon;
	uint32_t number = c->hello.fixed.parent_stream;
	struct dm_client *p = NULL;

	*parent = NULL;
	if (!(c->hello.fixed.flags & PT_HELLO_FORKED))
		return 0;
	pthread_mutex_lock(&d->lock);
	if (number < d->n_streams && d->streams[number]->stream)
		p = d->streams[number];
	pthread_mutex_unlock(&d->lock);
	*parent = p;
	return p ? 0 : -EPROTO;
}

/* The parent's log, up to where it was at the fork. Context: @p is held. */
static int catch_up(struct dm_client *p, uint64_t log, void *scratch)
{
	if (p->ring.log_tail < log && p->ring.map && take_log(p, scratch))
		return -EPROTO;
	return p->ring.log_tail < log ? -EPROTO : 0;
}

static int make_stream(struct dm_client *c, struct dm_client *parent)
{
	struct dm_daemon *d = c->daemon;
	struct al_image image = {c->hello.argv, c->hello.fixed.valgrind};
	int err = 0;

	pthread_mutex_lock(&d->lock);
	c->process = find_process(c, parent);
	if (c->process)
		c->stream = al_process_image(c->process, &image,
					     parent ? parent->stream : NULL,
					     c->hello.fixed.n_blocks);
	if (!c->stream)
		err = errno == ENOMEM ? -ENOMEM : -EPROTO;
	pthread_mutex_unlock(&d->lock);
	return err;
}

static int start(struct dm_client *c, void *scratch)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client *parent;
	int err = find_parent(c, &parent);

	if (!err && parent) {
		dm_workers_hold(&d->workers, &parent->task);
		err = catch_up(parent, c->hello.fixed.parent_log, scratch);
		if (!err)
			err = make_stream(c, parent);
		dm_workers_let_go(&d->workers, &parent->task);
	} else if (!err) {
		err = make_stream(c, NULL);
	}
	pthread_mutex_lock(&d->lock);
	if (err) {
		dm_client_refuse(c, fault_of(err));
	} else {
		c->stage = DM_LIVE;
		dm_runtime_link(d->directory, c->pid, d->socket);
		dm_client_welcome(c);
	}
	dm_hello_release(&c->hello);
	pthread_mutex_unlock(&d->lock);
	return err;
}

/* Tell the server and the tool what this turn has done. */
static void publish(struct dm_client *c, const struct orders *o)
{
	struct dm_daemon *d = c->daemon;

	pthread_mutex_lock(&d->lock);
	c->used = (unsigned)(c->ring.published - c->ring.released);
	if (o->asked && (c->ring.released > o->asked_value ||
			 o->asked_value == UINT64_MAX)) {
		/* A question that came during the turn is answered by the
		   next one. */
		if (c->asked_value == o->asked_value)
			c->asked = false;
		dm_client_send(c, PT_MSG_ROOM, c->ring.released);
	}
	pthread_mutex_unlock(&d->lock);
}

/* Nothing more is taken from this tool. */
static void give_up(struct dm_client *c, const char *fault)
{
	struct dm_daemon *d = c->daemon;

	pthread_mutex_lock(&d->lock);
	c->fault = fault;
	c->over = true;
	dm_client_hang_up(c);
	pthread_mutex_unlock(&d->lock);
}

bool dm_image_turn(struct dm_task *task, void *scratch)
{
	struct dm_client *c = (struct dm_client *)task;
	struct orders o = take_orders(c);
	int err = 0;

	if (o.stage == DM_EXECED || o.stage == DM_ENDED)
		return false;
	if (o.stage == DM_STARTING)
		err = start(c, scratch);
	if (!err && !o.fault && !o.hurry)
		err = feed(c, &o, scratch);
	if (err)
		give_up(c, fault_of(err));
	else
		publish(c, &o);
	if (err || o.fault || o.hurry || c->drained) {
		dm_ending_decide(c);
		return false;
	}
	return o.over || c->ring.released != c->ring.published;
}
