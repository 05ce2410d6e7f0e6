/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tuner.c - the thread that adapts workers and buffers, period by period
 */
#include "daemon/adapt/tuner.h"

#include <signal.h>

#include "daemon/adapt/adaptive.h"
#include "daemon/client/ring_growth.h"
#include "daemon/core/clock.h"

enum {
	NEVER_MS = 3600000 /* wait while no program runs; any change ends it */
};

struct tuner {
	struct dm_daemon *daemon;
	struct dm_adaptive machine;
	struct dm_shares shares; /* as they were given to it */
	uint64_t at_ns;	  /* when the last period ended; 0: nobody runs */
	uint64_t idle_ns; /* until then */
};

/* It is recorded, and has filled a buffer: before that there is nothing to be
   learnt. Context: lock held. */
static bool is_running(const struct dm_client *c)
{
	return c->stage == DM_LIVE && c->published;
}

/* Context: lock held. */
static bool is_any_running(const struct dm_daemon *d)
{
	const struct dm_client *c = d->clients;

	while (c && !is_running(c))
		c = c->next;
	return c;
}

/* What the program has waited since the last look. Its tool says so: it cannot
   have waited longer than there was time. Context: lock held. */
static uint64_t waited(struct dm_client *c, uint64_t span_ns)
{
	uint64_t until = dm_ring_farewell(&c->ring).wait_ns;
	uint64_t ns = until - c->waited_ns;
	bool is_new = !c->watched;

	c->waited_ns = until;
	c->watched = true;
	if (is_new)
		return 0;
	return ns < span_ns ? ns : span_ns;
}

/* A buffer more for each thread but the first; the sum of what all shall have.
   Context: lock held. */
static unsigned hand_out(struct dm_client *c, unsigned buffers)
{
	uint64_t threads = al_stream_counts(c->stream).threads;

	if (threads > 1)
		buffers += threads < PT_MAX_CHUNKS ? (unsigned)threads - 1
						   : PT_MAX_CHUNKS;
	dm_growth_want(c, buffers);
	return c->chunks;
}

/* The figures since the last look. Context: lock held. */
static void look(struct tuner *t, struct al_decision *found)
{
	struct dm_daemon *d = t->daemon;
	uint64_t busy, idle, now = dm_workers_times(&d->workers, &busy, &idle);
	struct dm_client *c;

	found->at_ns = now - d->started_ns;
	found->span_ns = now - t->at_ns;
	found->idle_ns = idle - t->idle_ns;
	for (c = d->clients; c; c = c->next)
		if (is_running(c)) {
			found->wait_ns += waited(c, found->span_ns);
			found->programs++;
		}
	t->at_ns = now;
	t->idle_ns = idle;
}

/* Of what is found now and what was before: a tool tells how long it has waited
   only when a wait is over. */
static double mean(double before, uint64_t ns, uint64_t span_ns)
{
	return (before + (double)ns / (double)span_ns) / 2;
}

/* Context: lock held. */
static void end_period(struct tuner *t)
{
	struct dm_daemon *d = t->daemon;
	struct al_decision log = {.from = t->machine.phase};
	struct dm_client *c;

	look(t, &log);
	t->shares.idle = mean(t->shares.idle, log.idle_ns, log.span_ns);
	t->shares.wait = mean(t->shares.wait, log.wait_ns, log.span_ns);
	dm_adaptive_decide(&t->machine, &t->shares);
	if (dm_workers_set(&d->workers, t->machine.workers))
		t->machine.workers = d->workers.active;
	for (c = d->clients; c; c = c->next)
		if (is_running(c))
			log.buffers += hand_out(c, t->machine.buffers);
	log.to = t->machine.phase;
	log.workers = t->machine.workers;
	al_run_decided(d->run, &log);
}

/* Until the period's end, or somebody comes; may be shorter. Context: lock
   held, given up meanwhile. */
static void sleep_on(struct tuner *t, uint64_t period_ns)
{
	struct dm_daemon *d = t->daemon;
	uint64_t now = dm_now_ns(), end = t->at_ns + period_ns;

	if (!t->at_ns)
		dm_wait_changed(d, NEVER_MS);
	else if (now < end)
		dm_wait_changed(d, (unsigned)((end - now) / DM_MS) + 1);
}

static void *tuner_main(void *daemon)
{
	struct dm_daemon *d = daemon;
	const struct al_adaptive *how = &d->settings->adaptive;
	uint64_t period_ns = how->period * DM_MS;
	struct tuner t = {.daemon = d};

	dm_adaptive_init(&t.machine, how, d->settings->workers,
			 d->settings->chunks);
	dm_lock(d);
	while (!d->quit) {
		if (!is_any_running(d)) {
			t.at_ns = 0;
		} else if (!t.at_ns) {
			look(&t, &(struct al_decision){.from = 0});
		} else if (dm_now_ns() >= t.at_ns + period_ns) {
			end_period(&t);
		}
		sleep_on(&t, period_ns);
	}
	dm_unlock(d);
	return NULL;
}

int dm_tuner_start(struct dm_daemon *d)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&d->tuner, NULL, tuner_main, d);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

void dm_tuner_stop(struct dm_daemon *d)
{
	dm_lock(d);
	d->quit = true;
	pthread_cond_broadcast(&d->changed);
	dm_unlock(d);
	pthread_join(d->tuner, NULL);
}
