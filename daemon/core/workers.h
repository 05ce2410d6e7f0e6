/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.h - runs a pool of threads that execute turns of tasks
 *
 * Threads: any may post; a task is on one worker at a time.
 *
 * Queued tasks get turns in the order in which they were queued. A task that
 * has more to do, or was posted during its turn, is queued again after the
 * turn, so a busy program does not starve the others.
 *
 * The first `active` workers execute turns. The others execute turns only while
 * a program waits for space in its ring; else they are suspended and cost only
 * their memory.
 */
#ifndef DAEMON_CORE_WORKERS_H
#define DAEMON_CORE_WORKERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dm_task;
struct dm_worker;

/**
 * dm_turn_fn - Execute one turn, a short part of a task's work.
 *
 * Context: the worker; no lock held.
 * Return: whether there is more to do.
 */
typedef bool dm_turn_fn(struct dm_task *, struct dm_worker *);

/* A task. If all but `turn` is zero, it is idle. */
struct dm_task {
	dm_turn_fn *turn; /* constant */

	/* Guarded by the pool's lock. */
	struct dm_task *next; /* next task in the queue, valid if `queued` */
	bool queued;
	bool busy;	  /* executed by a worker, or held by
			     dm_workers_pause_task() */
	bool is_reposted; /* was posted while busy: it is queued again when it
			     is no longer busy */
};

struct dm_worker {
	pthread_t thread;
	struct dm_workers *pool;
	void *scratch; /* [scratch_bytes] memory for the turns of this worker */

	/* Guarded by the pool's lock. */
	uint64_t turn_ns; /* [ns] start time of the call of turn() that the
			     worker is in; 0: none */
	uint64_t idle_ns; /* [ns] start time of the present wait for a task; 0:
			     the worker does not wait, or its number is above
			     `active` */
};

struct dm_workers {
	/* The next members are constant while the pool runs. */
	size_t scratch_bytes;
	unsigned max_threads;	  /* limit of the number of threads */
	struct dm_worker *worker; /* [max_threads] */

	/* Guards all members below and in the tasks. Lock order: after
	   dm_daemon.lock; no other lock is locked while this one is held. */
	pthread_mutex_t lock;
	pthread_cond_t posted;	/* the queue is not empty, `active` was set, a
				   pause has ended, or `quit` is set */
	pthread_cond_t resumed; /* a suspended worker may run, or `quit` is
				     set */
	pthread_cond_t task_released; /* a task is no longer busy */
	unsigned n_threads;	      /* number of threads started */
	unsigned active;	      /* workers 1 to `active` inclusive execute
					 turns; others only if n_waiters > 0 */
	unsigned n_waiters;	    /* number of programs that wait for space in
				       a ring */
	struct dm_task *queue_head; /* oldest queued task; NULL: none */
	struct dm_task **queue_end; /* `next` of the newest queued task;
				       &queue_head if there is none */
	uint64_t busy_ns; /* [ns] sum of the durations of all ended turns */
	uint64_t idle_ns; /* [ns] sum of the durations of all ended waits of
			     active workers for a task */
	unsigned n_turns; /* number of turns being executed now */
	bool paused;	  /* no worker begins a turn */
	bool quit;	  /* workers end after their current turns */
};

/**
 * dm_workers_start() - Start @active_count threads, with every signal blocked.
 * @thread_limit: greatest @active_count of later calls of
 *                dm_workers_set_active_start_missing().
 * @scratch_bytes: size of dm_worker.scratch.
 *
 * Return: 0; -errno. The pool may be stopped either way.
 */
int dm_workers_start(struct dm_workers *, unsigned active_count,
		     unsigned thread_limit, size_t scratch_bytes);

/* End the threads after their current turns, wait for their end, and free their
   memory. Tasks in the queue are dropped. */
void dm_workers_stop_join_and_release(struct dm_workers *);

/**
 * dm_workers_set_active_start_missing() - Set the number of workers that
 * execute turns.
 * @active_count: 1 to max_threads.
 *
 * Workers above @active_count are suspended after their current turns, unless a
 * program waits for space in its ring. Suspended workers are resumed, and
 * threads are started, if fewer than @active_count run. One thread at a time
 * may call this.
 *
 * Return: 0; -errno if a thread could not be started: all threads that exist
 *         execute turns then.
 */
int dm_workers_set_active_start_missing(struct dm_workers *,
					unsigned active_count);

/* Count a program that begins (@is_added) or ceases to wait for space in its
   ring. A program that waits does not use its processor, so suspended workers
   execute turns while any program waits. */
void dm_workers_update_waiting_tools(struct dm_workers *, bool is_added);

/* Return the worker's number, from 1. */
unsigned dm_worker_number_from_1(const struct dm_worker *);

/* Queue a task. A turn begins after this call: if the task is busy, after its
   current turn or hold. */
void dm_workers_post_task_unless_queued(struct dm_workers *, struct dm_task *);

/* Wait until no worker executes a turn of the task, then prevent turns of it
   until dm_workers_resume_task_requeue_if_posted(). Context: no lock held. */
void dm_workers_pause_task(struct dm_workers *, struct dm_task *);

/* Allow turns of a held task again; it is queued if it was posted during the
   hold. */
void dm_workers_resume_task_requeue_if_posted(struct dm_workers *,
					      struct dm_task *);

/* Prevent new turns until dm_workers_resume_turns_after_pause(), and wait until
   no turn is being executed. While some turn lasts a second or more, for
   example because a file system hangs, this continues to wait and other tasks
   get turns. Pauses do not nest. Context: no worker, no lock held. */
void dm_workers_pause_and_wait_for_turns(struct dm_workers *);
void dm_workers_resume_turns_after_pause(struct dm_workers *);

/* Whether the task is idle: neither on a worker nor held nor queued. */
bool dm_workers_is_task_idle(struct dm_workers *, const struct dm_task *);

/* Sum up over all workers the time [ns] that they have executed turns and the
   time that they have waited for tasks, since the pool was started, including
   present turns and waits. Waits of workers above `active` do not count.
   Return: the monotonic time [ns] of this measurement. */
uint64_t dm_workers_sum_times_return_now_ns(struct dm_workers *,
					    uint64_t *total_busy_ns,
					    uint64_t *total_idle_ns);

#endif
