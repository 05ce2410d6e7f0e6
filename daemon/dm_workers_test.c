/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_workers_test.c - turns: none is lost, none are together, none starve
 *
 * Room:    daemon.
 */
#include "daemon/dm_workers.h"

#include <unistd.h>

#include "tests/tap.h"

enum { TASKS = 8, TURNS = 2000 };

struct counter {
	struct dm_task task;
	int left;  /* turns to take; no lock: one worker at a time */
	int turns; /* taken */
};

static struct counter counter[TASKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished; /* guarded by lock */

static bool turn(struct dm_task *t, void *scratch)
{
	struct counter *c = (struct counter *)t;

	*(char *)scratch = 1;
	c->turns++;
	if (c->left && --c->left)
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
		counter[i].left = TURNS;
		dm_workers_post(w, &counter[i].task);
	}
	ok(wait_finished(TASKS), "tasks with more to do get more turns");
	dm_workers_hold(w, &counter[0].task);
	dm_workers_let_go(w, &counter[0].task);
	for (i = 1; i < TASKS; i++) {
		dm_workers_hold(w, &counter[i].task);
		all &= counter[i].turns == TURNS;
		dm_workers_let_go(w, &counter[i].task);
	}
	ok(all, "each gets as many as it asks for, one at a time");
}

static void test_hold(struct dm_workers *w)
{
	int before;

	dm_workers_hold(w, &counter[0].task);
	before = counter[0].turns;
	dm_workers_post(w, &counter[0].task);
	usleep(20000);
	is_u64((uint64_t)counter[0].turns, (uint64_t)before,
	       "a task that is held gets no turn");
	dm_workers_let_go(w, &counter[0].task);
	ok(wait_finished(TASKS + 1), "a post meanwhile is not forgotten");
	dm_workers_hold(w, &counter[0].task);
	is_u64((uint64_t)counter[0].turns, (uint64_t)before + 1,
	       "it gets the turn when it is let go");
	dm_workers_let_go(w, &counter[0].task);
}

static void test_times(struct dm_workers *w)
{
	uint64_t busy, idle, busy2, idle2;

	dm_workers_times(w, &busy, &idle);
	ok(busy > 0, "turns count as busy time");
	usleep(20000);
	dm_workers_times(w, &busy2, &idle2);
	ok(idle2 - idle >= 2 * 15000000 && busy2 - busy < 10000000,
	   "waiting workers count as idle, each");
}

int main(void)
{
	struct dm_workers w;

	ok(dm_workers_start(&w, 2, 64) == 0, "workers start");
	test_turns(&w);
	test_hold(&w);
	test_times(&w);
	dm_workers_stop(&w);
	return done_testing();
}
