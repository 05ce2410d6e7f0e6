/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.h - a pool of threads that take turns at tasks
 *
 * Threads: any may post; a task is on one worker at a time.
 *
 * A task that is posted gets a turn after everything that was posted before
 * it; one that has more to do goes to the end of the queue, so a busy program
 * does not starve the others.
 *
 * Of the workers there are, the first `active` take turns; the others are
 * suspended, and cost no more than their stacks.
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
 * dm_turn_fn - Do one piece of a task's work.
 *
 * Context: the worker; no lock held.
 * Return: whether there is more to do.
 */
typedef bool dm_turn_fn(struct dm_task *, struct dm_worker *);

/* Zeroed but for its turn: idle. */
struct dm_task {
	dm_turn_fn *turn; /* constant */

	/* Guarded by the pool's lock. */
	struct dm_task *next; /* in the queue */
	bool queued;
	bool busy;  /* on a worker, or held */
	bool again; /* posted while busy */
};

struct dm_worker {
	pthread_t thread;
	struct dm_workers *pool;
	void *scratch; /* its own, kept from turn to turn */

	/* Guarded by the pool's lock. */
	uint64_t turn_ns; /* when its turn began, or 0 */
	uint64_t idle_ns; /* when it began to wait for a task, or 0 */
};

struct dm_workers {
	/* Constant while it runs. */
	size_t scratch_bytes;
	unsigned max;
	struct dm_worker *worker; /* [max] */

	/* Guards everything below and in the tasks. Lock order: after
	   dm_daemon.lock; nothing is taken while it is held. */
	pthread_mutex_t lock;
	pthread_cond_t posted;	  /* the queue is not empty, a worker is
				     suspended, or quit */
	pthread_cond_t resumed;	  /* a worker is, or quit */
	pthread_cond_t come_free; /* a task is busy no more */
	unsigned n;		  /* threads */
	unsigned active;	  /* of them */
	unsigned awaited;	  /* programs that wait */
	struct dm_task *first;
	struct dm_task **last;
	uint64_t busy_ns; /* of turns that have ended */
	uint64_t idle_ns; /* of waits that have ended */
	unsigned n_turns; /* turns being executed */
	bool paused;
	bool quit;
};

/**
 * dm_workers_start() - Start @n threads, with every signal blocked.
 * @max: that there may ever be, @n at least.
 *
 * Return: 0; -errno. It may be stopped either way.
 */
int dm_workers_start(struct dm_workers *, unsigned n, unsigned max,
		     size_t scratch_bytes);

/* Ends the threads after their current turns; the queue is forgotten. */
void dm_workers_stop(struct dm_workers *);

/**
 * dm_workers_set() - Have @n workers take turns, 1 to max.
 *
 * The others are suspended after their current turns, resumed when they are
 * wanted again, and started when there are too few. One thread at a time may
 * call it.
 *
 * Return: 0; -errno when no more could be started: those that there are take
 *         turns.
 */
int dm_workers_set(struct dm_workers *, unsigned n);

/* One more program waits for what is done in turns, or one less. While any does
   its processor is free, so suspended workers take turns, too. */
void dm_workers_await(struct dm_workers *, bool more);

/* From 1. */
unsigned dm_worker_number(const struct dm_worker *);

/* The task has work. A turn begins after this call, if only after one that
   runs now. */
void dm_workers_post(struct dm_workers *, struct dm_task *);

/* Waits until the task is on no worker, and keeps it off. Context: not while
   a lock is held. */
void dm_workers_hold(struct dm_workers *, struct dm_task *);
void dm_workers_let_go(struct dm_workers *, struct dm_task *);

/* Prevent new turns until dm_workers_resume(), and wait until no task but held
   ones is on a worker. A turn that lasts a second or more, since a file system
   hangs, say, is waited for while other tasks have turns. Pauses do not nest.
   Context: no worker, no lock held. */
void dm_workers_pause(struct dm_workers *);
void dm_workers_resume(struct dm_workers *);

/* Whether the task is idle: on no worker, and not posted. */
bool dm_workers_rests(struct dm_workers *, const struct dm_task *);

/* Sums over the workers so far; suspended ones are neither. Return: when that
   was. [ns] */
uint64_t dm_workers_times(struct dm_workers *, uint64_t *busy, uint64_t *idle);

#endif
