/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.c - decides when a program is recorded, and with how much memory
 */
#include "daemon/client/admission.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "daemon/client/ancestry.h"
#include "daemon/client/connection.h"

/* Return how many bytes one program may use, of @free_bytes that are free:
   @free_bytes / 12, times the square of the free part of @total_bytes (so
   @free_bytes / 48 if half is free). */
static size_t max_bytes_for_one_program(size_t free_bytes, size_t total_bytes)
{
	double part = (double)free_bytes / (double)total_bytes;

	return (size_t)((double)free_bytes * part * part / 12);
}

bool dm_ring_shape_try_shrink_to_fit_memory(struct dm_shape *s,
					    size_t memory_limit_bytes,
					    size_t used_bytes)
{
	size_t available = memory_limit_bytes > used_bytes
				   ? memory_limit_bytes - used_bytes
				   : 0;
	size_t share = used_bytes ? max_bytes_for_one_program(
					    available, memory_limit_bytes)
				  : available;

	while (dm_ring_bytes_before_growth(s) > share)
		if (!dm_ring_shape_shrink_one_step(s))
			break;
	return dm_ring_bytes_before_growth(s) <= available;
}

/* Return another client with the process id of @c whose data are not completely
   analysed yet, normally that of the process's previous image; NULL: there is
   none. Context: lock held. */
static const struct dm_client *
find_unfinished_client_of_same_pid(const struct dm_client *c)
{
	const struct dm_client *other;

	for (other = c->daemon->clients; other; other = other->next)
		if (other != c && other->pid == c->pid &&
		    other->stage >= DM_STARTING && other->stage <= DM_LIVE)
			return other;
	return NULL;
}

/* Whether RLIMIT_FSIZE, which also limits memory files, is below @bytes. */
static bool is_file_size_limit_below(size_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes;
}

/* Print a warning on standard error if @ring_bytes, the size of a new ring, is
   less than @wanted_bytes, because memory is short or file sizes are limited.
   Context: lock not held, since standard error may block. */
static void warn_if_ring_is_smaller(size_t ring_bytes, size_t wanted_bytes)
{
	al_blocking_check();
	if (ring_bytes < wanted_bytes)
		fprintf(stderr,
			"alleria: %s: a program's ring has %zu KiB, not %zu\n",
			is_file_size_limit_below(wanted_bytes)
				? "file sizes are limited (ulimit "
				  "-f)"
				: "memory is short",
			ring_bytes >> 10, wanted_bytes >> 10);
}

/* Return a text that explains a negative errno from
   reserve_memory_create_ring_shrunk_to_fit(). */
static const char *ring_creation_error_text(int negative_errno)
{
	switch (-negative_errno) {
	case EFBIG:
		return "file sizes are limited (ulimit -f) below that of a "
		       "ring";
	case EMFILE:
	case ENFILE:
		return "no descriptor is free for another ring";
	default:
		return "no memory for another ring";
	}
}

/* Create the client's ring, smaller than the settings request if memory is
   short, and count its memory in ring_bytes. Return: 0; -ENOSPC: the memory for
   all rings is used up; another -errno. Context: lock held; released while the
   ring is created. */
static int reserve_memory_create_ring_shrunk_to_fit(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct dm_shape shape = {
		.chunk_bytes =
			(uint32_t)d->settings->chunk_bytes & ~(PT_PAGE - 1u),
		.n_chunks = d->settings->chunks,
		.log_bytes = DM_LOG_BYTES,
		.max_chunks = c->hello.fixed.flags & PT_HELLO_FIXED_RING
				      ? 0
				      : d->settings->max_chunks,
	};
	size_t bytes;
	int err;

	if (!dm_ring_shape_try_shrink_to_fit_memory(&shape, d->settings->memory,
						    d->ring_bytes))
		return -ENOSPC;
	bytes = dm_ring_bytes_before_growth(&shape);
	d->ring_bytes += bytes;
	dm_unlock(d);
	err = dm_ring_create_shrinking_to_fit(&c->ring, &shape);
	if (!err)
		warn_if_ring_is_smaller(c->ring.allocated, bytes);
	dm_lock(d);
	d->ring_bytes -= bytes;
	if (err)
		return err;
	d->ring_bytes += c->ring.allocated;
	return 0;
}

/* Append the client to daemon->streams and store its index there in c->number.
   Return: 0; -ENOMEM. Context: lock held. */
static int append_client_to_daemon_streams(struct dm_client *c)
{
	struct dm_daemon *d = c->daemon;
	struct dm_client **more;

	/* Double the array when n_streams reaches its size, a power of two. */
	if (!(d->n_streams & (d->n_streams - 1))) {
		more = realloc(d->streams,
			       (d->n_streams ? 2 * d->n_streams : 1) *
				       sizeof(*more));
		if (!more)
			return -ENOMEM;
		d->streams = more;
	}
	c->number = d->n_streams;
	d->streams[d->n_streams++] = c;
	return 0;
}

/* Refuse the client because its ring could not be created, close its
   connection, and mark its process as lossy and ended; see
   dm_ancestry_end_process_as_lossy(). @ring_error: negative errno from
   reserve_memory_create_ring_shrunk_to_fit(). Context: lock held. */
static void refuse_client_and_mark_process_lossy(struct dm_client *c,
						 int ring_error)
{
	char reason[PT_REASON];

	if (ring_error == -ENOSPC)
		snprintf(reason, sizeof(reason),
			 "no memory for another ring: the %zu MiB that all "
			 "programs share are used up, see --memory in "
			 "alleriad(1)",
			 c->daemon->settings->memory >> 20);
	else
		snprintf(reason, sizeof(reason), "%s",
			 ring_creation_error_text(ring_error));
	dm_ancestry_end_process_as_lossy(c,
					 ring_creation_error_text(ring_error));
	dm_client_send_refusal_and_hang_up(c, reason);
}

static bool is_fork_ancestor(const struct dm_client *ancestor,
			     const struct dm_client *c)
{
	const struct dm_client *parent = c;

	do
		parent = dm_ancestry_find_fork_parent_by_token(parent);
	while (parent && parent != ancestor);
	return parent != NULL;
}

/* Whether all rings are those of processes that @c was forked from, which may
   wait for its end. Context: lock held. */
static bool is_every_ring_of_fork_ancestor_of_client(const struct dm_client *c)
{
	const struct dm_client *other;

	for (other = c->daemon->clients; other; other = other->next)
		if (other->ring.allocated && !is_fork_ancestor(other, c))
			return false;
	return true;
}

/* Whether @c, for whose ring there is no memory, shall not wait any longer.
   Context: lock held. */
static bool has_waited_for_memory_long_enough(const struct dm_client *c)
{
	uint64_t now = dm_now_ns();

	return !c->daemon->ring_bytes || now >= c->deadline_ns ||
	       (now >= c->deadline_ns - DM_ADMIT_WAIT_NS +
				DM_ADMIT_CHILD_WAIT_NS &&
		is_every_ring_of_fork_ancestor_of_client(c));
}

void dm_admit_or_postpone_refuse_at_deadline(struct dm_client *c)
{
	const struct dm_client *previous =
		find_unfinished_client_of_same_pid(c);
	bool late = dm_now_ns() >= c->deadline_ns;
	int err;

	if (c->daemon->reporting) {
		c->deadline_ns = dm_now_ns() + DM_ADMIT_WAIT_NS;
		return;
	}
	if (previous) {
		/* The previous image has ended: its data will be analysed
		   completely, however long that takes. */
		if (dm_is_no_more_input_accepted(previous))
			c->deadline_ns = dm_now_ns() + DM_ADMIT_WAIT_NS;
		else if (late)
			dm_client_send_refusal_and_hang_up(
				c, "this process is recorded already");
		return;
	}
	err = reserve_memory_create_ring_shrunk_to_fit(c);
	if (err) {
		if (has_waited_for_memory_long_enough(c))
			refuse_client_and_mark_process_lossy(c, err);
		return;
	}
	if (append_client_to_daemon_streams(c)) {
		c->daemon->ring_bytes -= c->ring.allocated;
		dm_client_send_refusal_and_hang_up(c,
						   "daemon is out of memory");
		return;
	}
	c->chunks = c->ring.shape.n_chunks;
	dm_client_apply_event_or_abort(c, DM_EV_ADMITTED);
	c->daemon->report_queued = false;
	dm_workers_post_task_unless_queued(&c->daemon->workers,
					   &c->ring_reader);
}
