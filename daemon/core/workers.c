/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.c - runs a pool of threads that execute turns of tasks
 */
#include "daemon/core/workers.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system/clock.h"
#include "base/system/lock_check.h"
#include "daemon/core/clock.h"
#include "proto/shared/time_slice.h"

#define LONG_TURN_NS DM_SECOND

/* Append a task to the queue and wake a worker. Context: lock held. */
static void enqueue_and_wake_worker(struct dm_workers *w, struct dm_task *t)
{
	t->queued = true;
	t->next = NULL;
	*w->queue_end = t;
	w->queue_end = &t->next;
	pthread_cond_signal(&w->posted);
}

/* Remove the oldest task from the queue. Return: the task; NULL: the queue is
   empty. Context: lock held. */
static struct dm_task *dequeue_oldest_task(struct dm_workers *w)
{
	struct dm_task *t = w->queue_head;

	if (!t)
		return NULL;
	w->queue_head = t->next;
	if (!w->queue_head)
		w->queue_end = &w->queue_head;
	t->queued = false;
	return t;
}

/* End the turn or the hold of task @t, queue it if it has more to do
   (@has_more) or was posted during the turn or hold, and wake the threads that
   wait for task_released. Context: lock held. */
static void end_busy_and_requeue_if_more_or_posted(struct dm_workers *w,
						   struct dm_task *t,
						   bool has_more)
{
	t->busy = false;
	if (has_more || t->is_reposted)
		enqueue_and_wake_worker(w, t);
	t->is_reposted = false;
	pthread_cond_broadcast(&w->task_released);
}

/* Execute one turn of task @t, add its duration to busy_ns, and queue the task
   again if it has more to do or was posted meanwhile. Context: lock held;
   released during the turn. */
static void execute_turn(struct dm_worker *me, struct dm_task *t)
{
	struct dm_workers *w = me->pool;
	bool more;

	t->busy = true;
	w->n_turns++;
	me->turn_ns = dm_now_ns();
	pthread_mutex_unlock(&w->lock);
	more = t->turn(t, me);
	pthread_mutex_lock(&w->lock);
	w->busy_ns += dm_now_ns() - me->turn_ns;
	me->turn_ns = 0;
	w->n_turns--;
	end_busy_and_requeue_if_more_or_posted(w, t, more);
}

unsigned dm_worker_number_from_1(const struct dm_worker *me)
{
	return (unsigned)(me - me->pool->worker) + 1;
}

/* Wait until a task may have been queued; the time counts as idle. Context:
   lock held, released during the wait. */
static void wait_for_posted_task(struct dm_worker *me)
{
	struct dm_workers *w = me->pool;

	me->idle_ns = dm_now_ns();
	pthread_cond_wait(&w->posted, &w->lock);
	w->idle_ns += dm_now_ns() - me->idle_ns;
	me->idle_ns = 0;
}

/* Wait for condition `resumed`, in a worker whose number is above `active`,
   while no program waits for space, so that the worker executes no tasks.
   Before that, if a task is queued and turns are not paused, signal `posted` to
   another worker, because this worker may have consumed the signal for that
   task. Context: lock held, released during the wait. */
static void wait_in_inactive_worker_until_activated(struct dm_workers *w)
{
	if (w->queue_head && !w->paused)
		pthread_cond_signal(&w->posted);
	pthread_cond_wait(&w->resumed, &w->lock);
}

/* Request longer time slices from the scheduler for this thread. If the kernel
   refuses, the worker is only slower. */
static void try_lengthen_own_kernel_time_slice(void)
{
	struct pt_sched_attr s;

	if (syscall(SYS_sched_getattr, 0, &s, sizeof(s), 0) == 0 &&
	    pt_sched_attr_lengthen_slice(&s))
		syscall(SYS_sched_setattr, 0, &s, 0);
}

static void *worker_main(void *worker)
{
	struct dm_worker *me = worker;
	struct dm_workers *w = me->pool;
	struct dm_task *t;

	try_lengthen_own_kernel_time_slice();
	pthread_mutex_lock(&w->lock);
	while (!w->quit) {
		bool is_active = dm_worker_number_from_1(me) <= w->active;

		if (!is_active && !w->n_waiters) {
			wait_in_inactive_worker_until_activated(w);
			continue;
		}
		t = w->paused ? NULL : dequeue_oldest_task(w);
		if (t)
			execute_turn(me, t);
		else if (is_active)
			wait_for_posted_task(me);
		else
			pthread_cond_wait(&w->posted, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Start one more worker thread. Return: 0; -errno. Context: lock held. */
static int start_next_worker_thread(struct dm_workers *w)
{
	struct dm_worker *me = &w->worker[w->n_threads];
	int err;

	me->pool = w;
	me->scratch = malloc(w->scratch_bytes);
	if (!me->scratch)
		return -ENOMEM;
	err = pthread_create(&me->thread, NULL, worker_main, me);
	if (err) {
		free(me->scratch);
		return -err;
	}
	w->n_threads++;
	return 0;
}

int dm_workers_set_active_start_missing(struct dm_workers *w,
					unsigned active_count)
{
	sigset_t all, old;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_mutex_lock(&w->lock);
	while (w->n_threads < active_count && !err)
		err = start_next_worker_thread(w);
	w->active = err ? w->n_threads : active_count;
	pthread_cond_broadcast(&w->resumed);
	/* Wake all workers, because one that this call suspends (its number is
	   above `active`) may have consumed the signal for a queued task. */
	pthread_cond_broadcast(&w->posted);
	pthread_mutex_unlock(&w->lock);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

void dm_workers_update_waiting_tools(struct dm_workers *w, bool is_added)
{
	pthread_mutex_lock(&w->lock);
	w->n_waiters += is_added ? 1 : -1u;
	if (w->n_waiters == 1 && is_added)
		pthread_cond_broadcast(&w->resumed);
	pthread_mutex_unlock(&w->lock);
}

int dm_workers_start(struct dm_workers *w, unsigned active_count,
		     unsigned thread_limit, size_t scratch_bytes)
{
	*w = (struct dm_workers){.scratch_bytes = scratch_bytes,
				 .max_threads = thread_limit};
	w->queue_end = &w->queue_head;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->posted, NULL);
	pthread_cond_init(&w->resumed, NULL);
	al_cond_init_monotonic(&w->task_released);
	w->worker = calloc(thread_limit, sizeof(*w->worker));
	if (!w->worker)
		return -ENOMEM;
	return dm_workers_set_active_start_missing(w, active_count);
}

void dm_workers_stop_join_and_release(struct dm_workers *w)
{
	unsigned i;

	pthread_mutex_lock(&w->lock);
	w->quit = true;
	pthread_cond_broadcast(&w->posted);
	pthread_cond_broadcast(&w->resumed);
	pthread_mutex_unlock(&w->lock);
	for (i = 0; i < w->n_threads; i++) {
		pthread_join(w->worker[i].thread, NULL);
		free(w->worker[i].scratch);
	}
	free(w->worker);
	pthread_cond_destroy(&w->task_released);
	pthread_cond_destroy(&w->resumed);
	pthread_cond_destroy(&w->posted);
	pthread_mutex_destroy(&w->lock);
}

void dm_workers_post_task_unless_queued(struct dm_workers *w, struct dm_task *t)
{
	pthread_mutex_lock(&w->lock);
	if (t->busy)
		t->is_reposted = true;
	else if (!t->queued)
		enqueue_and_wake_worker(w, t);
	pthread_mutex_unlock(&w->lock);
}

/* Remove task @t from the queue. Context: lock held. */
static void remove_task_from_queue(struct dm_workers *w, struct dm_task *t)
{
	struct dm_task **link = &w->queue_head;

	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	if (w->queue_end == &t->next)
		w->queue_end = link;
	t->queued = false;
}

void dm_workers_pause_task(struct dm_workers *w, struct dm_task *t)
{
	al_blocking_check();
	pthread_mutex_lock(&w->lock);
	while (t->busy)
		pthread_cond_wait(&w->task_released, &w->lock);
	t->is_reposted = t->queued;
	if (t->queued)
		remove_task_from_queue(w, t);
	t->busy = true;
	pthread_mutex_unlock(&w->lock);
}

void dm_workers_resume_task_requeue_if_posted(struct dm_workers *w,
					      struct dm_task *t)
{
	pthread_mutex_lock(&w->lock);
	end_busy_and_requeue_if_more_or_posted(w, t, false);
	pthread_mutex_unlock(&w->lock);
}

/* Whether a turn has lasted LONG_TURN_NS or more. Context: lock held. */
static bool has_any_turn_lasted_1_second(const struct dm_workers *w)
{
	uint64_t now = dm_now_ns();

	for (unsigned i = 0; i < w->n_threads; i++)
		if (w->worker[i].turn_ns &&
		    now - w->worker[i].turn_ns >= LONG_TURN_NS)
			return true;
	return false;
}

/* Prevent new turns and wait until no turn is being executed, at most
   LONG_TURN_NS. Return: true if no turn is being executed: new turns stay
   prevented; false if one still is: new turns are allowed again. Context: lock
   held, released during the wait. */
static bool try_pause_turns_waiting_1_second(struct dm_workers *w)
{
	uint64_t end_ns = dm_now_ns() + LONG_TURN_NS;

	w->paused = true;
	while (w->n_turns > 0 && al_cond_wait_until_is_signalled(
					 &w->task_released, &w->lock, end_ns))
		;
	w->paused = w->n_turns == 0;
	if (!w->paused)
		pthread_cond_broadcast(&w->posted);
	return w->paused;
}

void dm_workers_pause_and_wait_for_turns(struct dm_workers *w)
{
	al_blocking_check();
	pthread_mutex_lock(&w->lock);
	do {
		while (has_any_turn_lasted_1_second(w))
			pthread_cond_wait(&w->task_released, &w->lock);
	} while (!try_pause_turns_waiting_1_second(w));
	pthread_mutex_unlock(&w->lock);
}

void dm_workers_resume_turns_after_pause(struct dm_workers *w)
{
	pthread_mutex_lock(&w->lock);
	w->paused = false;
	pthread_cond_broadcast(&w->posted);
	pthread_mutex_unlock(&w->lock);
}

bool dm_workers_is_task_idle(struct dm_workers *w, const struct dm_task *t)
{
	bool is_idle;

	pthread_mutex_lock(&w->lock);
	is_idle = !t->queued && !t->busy;
	pthread_mutex_unlock(&w->lock);
	return is_idle;
}

uint64_t dm_workers_sum_times_return_now_ns(struct dm_workers *w,
					    uint64_t *total_busy_ns,
					    uint64_t *total_idle_ns)
{
	const struct dm_worker *o;
	uint64_t now;

	pthread_mutex_lock(&w->lock);
	now = dm_now_ns();
	*total_busy_ns = w->busy_ns;
	*total_idle_ns = w->idle_ns;
	for (o = w->worker; o < w->worker + w->n_threads; o++) {
		*total_busy_ns += o->turn_ns ? now - o->turn_ns : 0;
		*total_idle_ns += o->idle_ns ? now - o->idle_ns : 0;
	}
	pthread_mutex_unlock(&w->lock);
	return now;
}
