/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive_test.c - every transition of the state machine, and that it
 * cannot get stuck
 */
#include "daemon/adapt/adaptive.h"

#include <stdlib.h>

#include "tests/tap.h"

static const struct al_adaptive limits = {
	.enabled = true,
	.tp = 75,
	.tay1 = 10,
	.tay2 = 10,
	.taz = 5,
	.workers = 8,
	.buffers = 24,
};

static const struct al_adaptive two = {
	.enabled = true,
	.tp = 75,
	.tay1 = 10,
	.tay2 = 10,
	.taz = 5,
	.workers = 2,
	.buffers = 24,
};

static struct dm_adaptive begin(unsigned workers, unsigned buffers)
{
	struct dm_adaptive a;

	dm_adaptive_init(&a, &limits, workers, buffers);
	return a;
}

static void tell(struct dm_adaptive *a, double idle, double wait)
{
	dm_adaptive_adjust_workers_buffers(a, &(struct dm_shares){idle, wait});
}

/* Decide with these figures for @n periods. */
static void decide_often(struct dm_adaptive *a, double idle, double wait, int n)
{
	while (n--)
		tell(a, idle, wait);
}

static bool is_at(const struct dm_adaptive *a, char phase, unsigned workers)
{
	bool right = a->phase == phase && a->workers == workers;

	if (!right)
		printf("# %c, %u workers\n", a->phase, a->workers);
	return right;
}

static void test_up(void)
{
	struct dm_adaptive a = begin(2, 4);

	ok(is_at(&a, 'X', 2), "it begins in X");
	tell(&a, 0.1, 0.5);
	ok(is_at(&a, 'X', 3), "X goes on while programs wait: a worker more");
	ok(a.buffers > 4, "and buffers");
	tell(&a, 0.15, 0.4);
	tell(&a, 0.2, 0.3);
	ok(is_at(&a, 'X', 5), "period by period");
	tell(&a, 0.9, 0.3);
	ok(is_at(&a, 'Z', 5), "idle time that grows by TP ends it: Z");
	a = begin(2, 4);
	tell(&a, 0.1, 0);
	ok(is_at(&a, 'Y', 2), "when nobody waits, X ends in Y");
	a = begin(8, 24);
	tell(&a, 0.1, 0.5);
	ok(is_at(&a, 'Y', 8), "also when nothing more is allowed");
	a = begin(8, 24);
	tell(&a, 1.5, 0.5);
	ok(is_at(&a, 'Z', 8), "but in Z when the idle ones add up to a worker");
}

static void test_tp(void)
{
	struct dm_adaptive a = begin(2, 4);

	tell(&a, 1, 0.5);
	tell(&a, 1.74, 0.5);
	ok(is_at(&a, 'X', 4), "less than TP of a worker is no reason");
	a = begin(2, 4);
	tell(&a, 1, 0.5);
	tell(&a, 1.75, 0.5);
	ok(is_at(&a, 'Z', 3), "TP is one");
	a = begin(6, 4);
	tell(&a, 5, 0.5);
	tell(&a, 5.8, 0.5);
	ok(is_at(&a, 'Z', 7), "whatever others are idle besides");
	a = begin(2, 4);
	tell(&a, 0, 0.5);
	tell(&a, 0.03, 0.5);
	ok(is_at(&a, 'X', 4), "nor is noise one");
}

static void test_down(void)
{
	struct dm_adaptive a = begin(2, 24);

	tell(&a, 0, 0.5);
	tell(&a, 2, 0.5);
	tell(&a, 2, 0.5);
	ok(is_at(&a, 'Z', 2), "Z takes a worker away");
	tell(&a, 1, 0.5);
	ok(is_at(&a, 'Z', 1), "another one while nobody waits longer for it");
	tell(&a, 0, 0.6);
	ok(is_at(&a, 'Y', 2), "waiting that grows by TAZ brings it back: Y");
	a = begin(2, 24);
	tell(&a, 0, 0.5);
	tell(&a, 2, 0.5);
	decide_often(&a, 1, 0.5, 2);
	tell(&a, 0, 0.51);
	ok(is_at(&a, 'Y', 1), "less than TAZ does not; the last one stays: Y");
}

/* Return a machine in phase Y with two workers, both active, that had the
   waiting time @wait for one window. */
static struct dm_adaptive stable(double wait)
{
	struct dm_adaptive a;

	dm_adaptive_init(&a, &two, 2, 24);
	tell(&a, 0, 0);
	decide_often(&a, 0, wait, DM_INITIAL_WINDOW);
	return a;
}

static void test_stable(void)
{
	struct dm_adaptive a = stable(0.2);

	decide_often(&a, 0, 0.2, 10 * DM_INITIAL_WINDOW);
	ok(is_at(&a, 'Y', 2), "Y stays while nothing changes");
	decide_often(&a, 0, 0.21, DM_INITIAL_WINDOW);
	ok(is_at(&a, 'Y', 2), "nor by less than TAY1");
	decide_often(&a, 0, 0.23, DM_INITIAL_WINDOW);
	ok(is_at(&a, 'X', 2), "waiting that grows by TAY1 ends it: X");
	a = stable(0.2);
	decide_often(&a, 0, 0.19, DM_INITIAL_WINDOW);
	ok(is_at(&a, 'Y', 2), "less than TAY2 does not");
	decide_often(&a, 0, 0.17, DM_INITIAL_WINDOW);
	ok(is_at(&a, 'X', 2), "waiting that falls by TAY2 does");
	a = stable(0.2);
	tell(&a, 0, 0.61);
	ok(is_at(&a, 'X', 2), "a jump is acted upon at once");
	a = stable(0);
	decide_often(&a, 0, 0.01, 10 * DM_INITIAL_WINDOW);
	ok(is_at(&a, 'Y', 2), "noise near nothing is no change");
}

static void test_spare(void)
{
	struct dm_adaptive a = stable(0);

	decide_often(&a, 1.2, 0, 10 * DM_INITIAL_WINDOW);
	ok(is_at(&a, 'Y', 2), "less than a worker to spare is none");
	decide_often(&a, 1.3, 0.03, 10 * DM_INITIAL_WINDOW);
	ok(a.workers == 2, "nor is a worker while somebody waits");
	a = stable(0);
	decide_often(&a, 1.3, 0, DM_INITIAL_WINDOW - 1);
	ok(is_at(&a, 'Y', 2), "nor one that is idle for less than a window");
	tell(&a, 1.3, 0);
	ok(is_at(&a, 'Z', 1), "one to spare is taken away: Z");
	tell(&a, 0.3, 0.1);
	ok(is_at(&a, 'Y', 2), "and brought back when somebody waits: Y");
	a = begin(8, 24);
	tell(&a, 0.1, 0);
	decide_often(&a, 2.9, 0, DM_INITIAL_WINDOW);
	tell(&a, 2.4, 0);
	ok(is_at(&a, 'Y', 7), "one at a time, for idle time is a mean");
	decide_often(&a, 1.9, 0, DM_INITIAL_WINDOW);
	tell(&a, 1.4, 0);
	ok(is_at(&a, 'Y', 6), "as many as are to spare");
	decide_often(&a, 0.9, 0, 10 * DM_INITIAL_WINDOW);
	ok(is_at(&a, 'Y', 6), "the rest stays");
}

/* Check that a worker is added again when it is needed: first neither of two
   workers has anything to do, then one is not enough. */
static void test_wanted_again(void)
{
	struct dm_adaptive a = stable(0);
	int gone = 0, i;

	for (i = 0; i < 10000; i++) {
		unsigned before = a.workers;
		bool busy = i % 100 < 10;

		tell(&a, busy ? 0 : a.workers, busy && before == 1 ? 0.5 : 0);
		gone += a.workers < before;
	}
	printf("# %d times\n", gone);
	ok(gone > 0 && gone < 10,
	   "who is wanted again is let go less and less");
	decide_often(&a, 1.5, 0, 2 * DM_MAX_PATIENCE);
	ok(is_at(&a, 'Y', 1), "but is when there is nothing more to do");
}

/* Check slow changes, in which the machine of the paper got stuck. */
static void test_drift(void)
{
	struct dm_adaptive a = stable(0.2);
	double wait = 0.2;
	int i;

	for (i = 0; i < 100 && a.phase == 'Y'; i++, wait *= 1.002)
		tell(&a, 0, wait);
	ok(a.phase == 'X', "what changes slowly is seen too");
	a = begin(2, 24);
	tell(&a, 0, 0.1);
	tell(&a, 1, 0.1);
	tell(&a, 1, 0.1);
	tell(&a, 0, 0.2);
	ok(is_at(&a, 'Y', 3), "in Y by chance, with too few workers");
	decide_often(&a, 0, 0.2, 2 * DM_INITIAL_WINDOW);
	ok(is_at(&a, 'X', 4), "who still waits is not forgotten");
	a = begin(2, 4);
	decide_often(&a, 0.5, 0.5, 20);
	is_u64(a.buffers, limits.buffers, "buffers grow while programs wait");
	a = begin(8, 24);
	tell(&a, 8, 0);
	decide_often(&a, 8, 0, 8 * (DM_INITIAL_WINDOW + 1));
	ok(is_at(&a, 'Y', 1), "from all workers idle it comes down to one");
	decide_often(&a, 0, 0.9, 20);
	ok(a.workers == limits.workers, "from all busy it comes up to all");
}

static void test_patience(void)
{
	struct dm_adaptive a = begin(1, 24);
	int changes = 0, i;

	for (i = 0; i < 10000; i++) {
		char before = a.phase;

		/* more workers only add idle time */
		tell(&a, a.workers - 1, 0.2);
		changes += before == 'Y' && a.phase == 'X';
	}
	printf("# %d times\n", changes);
	ok(a.window == DM_MAX_WINDOW, "the windows become as long as can be");
	while (a.phase != 'Y')
		tell(&a, a.workers - 1, 0.2);
	tell(&a, 0, 0.9);
	ok(a.phase == 'X', "yet a jump is seen at once");
	tell(&a, 1, 0);
	decide_often(&a, 1, 0, 5);
	ok(a.phase == 'Y' && a.window == DM_INITIAL_WINDOW,
	   "and looked at as closely as at first");
	ok(changes > 10000 / (3 * DM_MAX_WINDOW) &&
		   changes < 10000 / DM_MAX_WINDOW,
	   "what leads nowhere is tried less and less often, but tried");
}

/* Check random figures: the machine stays within the limits and returns to
   Y. */
static void test_chaos(void)
{
	struct dm_adaptive a = begin(2, 4);
	unsigned bad = 0, run = 0, longest = 0;
	int i;

	srand(1);
	for (i = 0; i < 100000; i++) {
		tell(&a, rand() % 900 / 100.0, rand() % 200 / 100.0);
		bad += a.workers < 1 || a.workers > limits.workers ||
		       a.buffers < 4 || a.buffers > limits.buffers;
		run = a.phase == 'Y' ? 0 : run + 1;
		longest = run > longest ? run : longest;
	}
	is_u64(bad, 0, "limits hold");
	ok(longest <= 2 * limits.workers + 4, "X and Z come to an end");
}

static void test_limits(void)
{
	struct al_adaptive one = limits;
	struct dm_adaptive a;

	one.workers = 1;
	dm_adaptive_init(&a, &one, 1, 4);
	decide_often(&a, 0, 0.9, 50);
	decide_often(&a, 1, 0, 50);
	ok(is_at(&a, 'Y', 1), "one worker is left alone when it is to be one");
}

int main(void)
{
	test_up();
	test_tp();
	test_down();
	test_stable();
	test_spare();
	test_wanted_again();
	test_drift();
	test_patience();
	test_chaos();
	test_limits();
	return done_testing();
}
