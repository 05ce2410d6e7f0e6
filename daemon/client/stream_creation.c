/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream_creation.c - creates the stream of a new client and welcomes its tool
 *
 * Threads: the worker that executes the client's ring reader. The client's
 *          parent may be freed by another thread unless it is pinned.
 */
#include <errno.h>
#include <stddef.h>

#include "daemon/client/ancestry.h"
#include "daemon/client/connection.h"
#include "daemon/client/outbox.h"
#include "daemon/client/ring_reader.h"
#include "daemon/client/state.h"
#include "lib/recover/memory_bounds.h"

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
	p = dm_ancestry_find_fork_parent_by_token(c);
	if (p)
		p->joining_children++;
	dm_unlock(d);
	*parent = p;
	return p ? 0 : -EPROTO;
}

/* Make sure that the log of @parent has been read up to @log_end, its length at
   the fork [bytes]; read its new part if not. Return: 0; -EPROTO: the log
   cannot be read that far. Context: the ring reader task of @parent is held, so
   that no worker executes it. */
static int make_sure_parent_log_is_read_up_to_fork(struct dm_client *parent,
						   uint64_t log_end,
						   void *scratch)
{
	if (parent->ring.log_tail < log_end && parent->ring.map &&
	    dm_ring_reader_read_new_log(parent, scratch))
		return -EPROTO;
	return parent->ring.log_tail < log_end ? -EPROTO : 0;
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
		al_process_write_profile_queue(c->process);
	if (!err && parent)
		al_fork_copy_parent_log_if_own_profile(&fork, c->stream);
	return err;
}

int dm_client_create_stream_and_welcome(struct dm_client *c,
					void *parent_log_buffer)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client *parent;
	int err = find_and_pin_fork_parent(c, &parent);

	if (!err && parent) {
		dm_workers_pause_task(&d->workers, &parent->ring_reader);
		err = make_sure_parent_log_is_read_up_to_fork(
			parent, c->hello.fixed.parent_log, parent_log_buffer);
		if (!err)
			err = assign_process_and_create_stream(c, parent);
		dm_workers_resume_task_requeue_if_posted(&d->workers,
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
		dm_outbox_send_process_event_to_tree(c, PT_EVENT_CREATION);
		dm_client_apply_event_or_abort(c, DM_EV_WELCOMED);
		dm_runtime_link_pid_to_socket(d->directory, c->pid, d->socket);
		dm_client_queue_and_send_welcome(c);
	}
	dm_hello_free_strings(&c->hello);
	dm_unlock(d);
	return err;
}
