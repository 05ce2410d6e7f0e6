/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers_test.c - turns: none is lost, none are together, none starve
 */
#include "daemon/core/workers.h"

#include <dirent.h>
#include <unistd.h>

#include "daemon/core/clock.h"
#include "tests/tap.h"

enum { TASKS = 8, TURNS = 2000, TRIES = 50 };

struct counter {
	struct dm_task task;
	int turns_left; /* turns to execute; no lock: executed by one worker at
			   a time */
	int turns;	/* taken */
};

static struct counter counter[TASKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished; /* guarded by lock */

static bool turn(struct dm_task *t, struct dm_worker *me)
{
	struct counter *c = (struct counter *)t;

	*(char *)me->scratch = 1;
	c->turns++;
	if (c->turns_left && --c->turns_left)
		return true;
	pthread_mutex_lock(&lock);
	finished++;
	pthread_mutex_unlock(&lock);
	return false;
}

static bool wait_finished(int n)
{
	int i, now = 0;

	for (i = 0; i < 1000 && now < n; i++) {
		pthread_mutex_lock(&lock);
		now = finished;
		pthread_mutex_unlock(&lock);
		usleep(1000);
	}
	return now >= n;
}

static void test_turns(struct dm_workers *w)
{
	bool all = true;
	int i;

	for (i = 0; i < TASKS; i++) {
		counter[i].task.turn = turn;
		counter[i].turns_left = TURNS;
		dm_workers_post_task_unless_queued(w, &counter[i].task);
	}
	ok(wait_finished(TASKS), "tasks with more to do get more turns");
	dm_workers_pause_task(w, &counter[0].task);
	dm_workers_resume_task_requeue_if_posted(w, &counter[0].task);
	for (i = 1; i < TASKS; i++) {
		dm_workers_pause_task(w, &counter[i].task);
		all &= counter[i].turns == TURNS;
		dm_workers_resume_task_requeue_if_posted(w, &counter[i].task);
	}
	ok(all, "each gets as many as it asks for, one at a time");
}

static void test_hold(struct dm_workers *w)
{
	int before;

	dm_workers_pause_task(w, &counter[0].task);
	before = counter[0].turns;
	dm_workers_post_task_unless_queued(w, &counter[0].task);
	usleep(20000);
	is_u64((uint64_t)counter[0].turns, (uint64_t)before,
	       "a task that is held gets no turn");
	dm_workers_resume_task_requeue_if_posted(w, &counter[0].task);
	ok(wait_finished(TASKS + 1), "a post meanwhile is not forgotten");
	dm_workers_pause_task(w, &counter[0].task);
	is_u64((uint64_t)counter[0].turns, (uint64_t)before + 1,
	       "it gets the turn when it is let go");
	dm_workers_resume_task_requeue_if_posted(w, &counter[0].task);
}

static int turns_of_all(void)
{
	int n = 0;

	for (int i = 0; i < TASKS; i++)
		n += counter[i].turns;
	return n;
}

static void test_pause(struct dm_workers *w)
{
	int before, after;

	pthread_mutex_lock(&lock);
	finished = 0;
	pthread_mutex_unlock(&lock);
	dm_workers_pause_and_wait_for_turns(w);
	for (int i = 0; i < TASKS; i++) {
		counter[i].turns_left = TURNS;
		dm_workers_post_task_unless_queued(w, &counter[i].task);
	}
	usleep(20000);
	before = turns_of_all();
	dm_workers_resume_turns_after_pause(w);
	usleep(100);
	dm_workers_pause_and_wait_for_turns(w);
	after = turns_of_all();
	usleep(20000);
	is_u64((uint64_t)turns_of_all(), (uint64_t)after,
	       "no turn begins, or goes on, in a pause");
	dm_workers_resume_turns_after_pause(w);
	ok(wait_finished(TASKS), "they go on behind it");
	dm_workers_pause_and_wait_for_turns(w);
	is_u64((uint64_t)(turns_of_all() - before), TASKS * TURNS,
	       "and none is forgotten");
	dm_workers_resume_turns_after_pause(w);
}

static void test_times(struct dm_workers *w)
{
	uint64_t busy, idle, busy2, idle2;

	dm_workers_sum_times_return_now_ns(w, &busy, &idle);
	ok(busy > 0, "turns count as busy time");
	usleep(20000);
	dm_workers_sum_times_return_now_ns(w, &busy2, &idle2);
	ok(idle2 - idle >= 2 * 15000000 && busy2 - busy < 10000000,
	   "waiting workers count as idle, each");
}

static unsigned at_first; /* number of threads at first; a sanitizer may have
			     its own */

/* Return the number of threads of this process. */
static unsigned threads(void)
{
	struct dirent *e;
	unsigned n = 0;
	DIR *dir = opendir("/proc/self/task");

	while (dir && (e = readdir(dir)))
		n += e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

/* Number of tasks that are being executed at once. Guarded by lock. */
static unsigned together; /* guarded by lock */
static unsigned most;	  /* guarded by lock */

static bool slow_turn(struct dm_task *t, struct dm_worker *me)
{
	(void)t;
	(void)me;
	pthread_mutex_lock(&lock);
	together++;
	if (together > most)
		most = together;
	pthread_mutex_unlock(&lock);
	usleep(5000);
	pthread_mutex_lock(&lock);
	together--;
	finished++;
	pthread_mutex_unlock(&lock);
	return false;
}

/* Whether all tasks executed their turns. */
static bool run_all_workers_in_turn(struct dm_workers *w)
{
	struct dm_task task[TASKS] = {{.turn = NULL}};
	bool all;
	int i;

	pthread_mutex_lock(&lock);
	finished = 0;
	pthread_mutex_unlock(&lock);
	for (i = 0; i < TASKS; i++) {
		task[i].turn = slow_turn;
		dm_workers_post_task_unless_queued(w, &task[i]);
	}
	all = wait_finished(TASKS);
	for (i = 0; i < TASKS; i++)
		dm_workers_pause_task(w, &task[i]);
	return all;
}

/* Return the largest number of tasks executed at once. It is measured several
   times: on a loaded machine a worker may be late for one turn, but not for all
   of many. */
static unsigned most_together(struct dm_workers *w, unsigned wanted)
{
	bool all = true;

	most = 0;
	for (int i = 0; i < TRIES && all && (i == 0 || most < wanted); i++)
		all = run_all_workers_in_turn(w);
	ok(all, "every task gets its turn");
	return most;
}

/* Whether exactly one worker is idle. */
static bool one_idles(struct dm_workers *w)
{
	uint64_t busy, idle, idle2, from, span;
	int tries_left = TRIES;

	do {
		from = dm_now_ns();
		dm_workers_sum_times_return_now_ns(w, &busy, &idle);
		usleep(20000);
		dm_workers_sum_times_return_now_ns(w, &busy, &idle2);
		span = dm_now_ns() - from;
	} while ((idle2 - idle < 15000000 || idle2 - idle > span) &&
		 --tries_left);
	return tries_left > 0;
}

static void test_set(struct dm_workers *w)
{
	int i;

	ok(dm_workers_set_active_start_missing(w, 4) == 0,
	   "there may be more workers");
	is_u64(most_together(w, 4), 4, "all of them take turns");
	ok(dm_workers_set_active_start_missing(w, 1) == 0, "or fewer");
	is_u64(most_together(w, 1), 1, "one takes turns alone");
	ok(one_idles(w), "suspended ones are not idle");
	for (i = 0; i < 200; i++)
		dm_workers_set_active_start_missing(w, 1 + (unsigned)i % 4);
	is_u64(threads() - at_first, 4,
	       "suspended workers are resumed, not replaced");
	is_u64(most_together(w, 4), 4, "and work as before");
}

/* Check that no post is lost while workers are suspended and resumed. */
static void test_set_amid(struct dm_workers *w)
{
	int i, lost = 0;

	for (i = 0; i < 300; i++) {
		struct dm_task task = {.turn = slow_turn};

		pthread_mutex_lock(&lock);
		finished = 0;
		pthread_mutex_unlock(&lock);
		dm_workers_set_active_start_missing(w, 4);
		dm_workers_post_task_unless_queued(w, &task);
		dm_workers_set_active_start_missing(w, 1);
		lost += !wait_finished(1);
		dm_workers_pause_task(w, &task);
		if (lost)
			break;
	}
	is_u64((uint64_t)lost, 0,
	       "who is suspended when it is woken wakes another");
}

/* Check that suspended workers execute turns while a program waits, and do not
   count as idle. */
static void test_await(struct dm_workers *w)
{
	dm_workers_set_active_start_missing(w, 1);
	is_u64(most_together(w, 1), 1, "who is suspended does not work");
	dm_workers_update_waiting_tools(w, true);
	dm_workers_update_waiting_tools(w, true);
	is_u64(most_together(w, 4), 4, "but while a program waits it does");
	dm_workers_update_waiting_tools(w, false);
	is_u64(most_together(w, 4), 4, "or another one");
	ok(one_idles(w), "who helps is not idle");
	dm_workers_update_waiting_tools(w, false);
	is_u64(most_together(w, 1), 1, "and is suspended afterwards");
	dm_workers_set_active_start_missing(w, 4);
	is_u64(most_together(w, 4), 4, "all work when all are wanted");
}

/* Check that no post is lost while suspended workers are resumed by programs
   that wait. */
static void test_await_amid(struct dm_workers *w)
{
	int i, lost = 0;

	dm_workers_set_active_start_missing(w, 1);
	for (i = 0; i < 300 && !lost; i++) {
		struct dm_task task = {.turn = slow_turn};

		pthread_mutex_lock(&lock);
		finished = 0;
		pthread_mutex_unlock(&lock);
		dm_workers_update_waiting_tools(w, true);
		dm_workers_post_task_unless_queued(w, &task);
		dm_workers_update_waiting_tools(w, false);
		lost += !wait_finished(1);
		dm_workers_pause_task(w, &task);
	}
	is_u64((uint64_t)lost, 0, "who helped and is woken wakes another");
}

int main(void)
{
	struct dm_workers w;

	ok(dm_workers_start(&w, 2, 4, 64) == 0, "workers start");
	at_first = threads() - 2;
	test_turns(&w);
	test_hold(&w);
	test_pause(&w);
	test_times(&w);
	test_set(&w);
	test_set_amid(&w);
	test_await(&w);
	test_await_amid(&w);
	dm_workers_stop_join_and_release(&w);
	is_u64(threads(), at_first, "all threads end");
	return done_testing();
}
