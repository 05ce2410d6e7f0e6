/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tuner.c - runs the thread that adapts the number of workers and buffers
 */
#include "daemon/adapt/tuner.h"

#include <signal.h>

#include "daemon/adapt/adaptive.h"
#include "daemon/client/ring_growth.h"
#include "daemon/core/clock.h"

enum {
	NEVER_MS = 3600000 /* [ms] timeout of a wait outside a period; a signal
			      of dm_daemon.changed ends the wait earlier */
};

struct tuner {
	struct dm_daemon *daemon;
	struct dm_adaptive machine;
	struct dm_shares shares;  /* smoothed shares, the input of `machine` */
	uint64_t period_begin_ns; /* [ns] monotonic time at which the present
				     period began; 0: no live client has
				     published a chunk */
	uint64_t idle_ns;	  /* [ns] idle time of all workers from their
				     start until period_begin_ns */
};

/* Whether the client is in DM_LIVE and its tool has published at least one
   chunk; before that its waiting time means nothing. Context: lock held. */
static bool is_live_and_has_ever_published(const struct dm_client *c)
{
	return c->stage == DM_LIVE && c->published;
}

/* Whether any client is in DM_LIVE and has published a chunk. Context: lock
   held. */
static bool has_any_live_client_ever_published(const struct dm_daemon *d)
{
	const struct dm_client *c = d->clients;

	while (c && !is_live_and_has_ever_published(c))
		c = c->next;
	return c;
}

/* Return the time [ns] that the program has waited since the last measurement;
   0 at the first one. @elapsed_ns: time since the last measurement, to which
   the tool's figure, which is untrusted, is limited. Context: lock held. */
static uint64_t measure_client_wait_capped_to_elapsed(struct dm_client *c,
						      uint64_t elapsed_ns)
{
	uint64_t until = dm_ring_read_tool_summary(&c->ring).wait_ns;
	uint64_t ns = until - c->waited_ns;
	bool is_new = !c->has_waited_ns;

	c->waited_ns = until;
	c->has_waited_ns = true;
	if (is_new)
		return 0;
	return ns < elapsed_ns ? ns : elapsed_ns;
}

/* Request that the program's ring grows to @buffers_for_one_thread chunks, plus
   one for each of its threads but the first. Return: number of chunks that the
   ring has now, before it grows. Context: lock held. */
static unsigned
request_buffers_return_present_count(struct dm_client *c,
				     unsigned buffers_for_one_thread)
{
	uint64_t threads = al_stream_sum_latest_counts(c->stream).threads;

	if (threads > 1)
		buffers_for_one_thread += threads < PT_MAX_CHUNKS
						  ? (unsigned)threads - 1
						  : PT_MAX_CHUNKS;
	dm_ring_growth_request_total_chunks(c, buffers_for_one_thread);
	return c->chunks;
}

/* Store in @figures the end and the length of the period since the last
   measurement, the time [ns] in it that workers had no job, summed over the
   workers, the time [ns] that programs waited for the daemon, summed over the
   programs, and the number of programs that are being recorded; then begin the
   next period. @figures: wait_ns and `programs` are 0 before. Context: lock
   held. */
static void measure_period_and_begin_next(struct tuner *t,
					  struct al_decision *figures)
{
	struct dm_daemon *d = t->daemon;
	uint64_t busy, idle,
		now = dm_workers_sum_times_return_now_ns(&d->workers, &busy,
							 &idle);
	struct dm_client *c;

	figures->end_ns = now - d->started_ns;
	figures->span_ns = now - t->period_begin_ns;
	figures->idle_ns = idle - t->idle_ns;
	for (c = d->clients; c; c = c->next)
		if (is_live_and_has_ever_published(c)) {
			figures->wait_ns +=
				measure_client_wait_capped_to_elapsed(
					c, figures->span_ns);
			figures->programs++;
		}
	t->period_begin_ns = now;
	t->idle_ns = idle;
}

/* Return the mean of @previous_share, the last smoothed share, and of @ns /
   @span_ns. Smoothing is necessary because a tool reports a wait only when the
   wait is over. */
static double average_with_previous_share(double previous_share, uint64_t ns,
					  uint64_t span_ns)
{
	return (previous_share + (double)ns / (double)span_ns) / 2;
}

/* End a period: measure the idle time of the workers and the waiting time of
   the programs in it, decide on the numbers of workers and buffers, apply the
   decision, and add it to the run. Context: lock held. */
static void adapt_worker_buffer_counts_log_decision(struct tuner *t)
{
	struct dm_daemon *d = t->daemon;
	struct al_decision log = {.phase_before = t->machine.phase};
	struct dm_client *c;

	measure_period_and_begin_next(t, &log);
	t->shares.idle = average_with_previous_share(t->shares.idle,
						     log.idle_ns, log.span_ns);
	t->shares.wait = average_with_previous_share(t->shares.wait,
						     log.wait_ns, log.span_ns);
	dm_adaptive_adjust_workers_buffers(&t->machine, &t->shares);
	if (dm_workers_set_active_start_missing(&d->workers,
						t->machine.workers))
		t->machine.workers = d->workers.active;
	for (c = d->clients; c; c = c->next)
		if (is_live_and_has_ever_published(c))
			log.buffers += request_buffers_return_present_count(
				c, t->machine.buffers);
	log.phase_after = t->machine.phase;
	log.workers = t->machine.workers;
	al_run_add_worker_or_ring_decision(d->run, &log);
}

/* Sleep until the end of the period, or until dm_daemon.changed is signalled.
   Context: lock held, released during the wait. */
static void sleep_until_period_end_or_change(struct tuner *t,
					     uint64_t period_ns)
{
	struct dm_daemon *d = t->daemon;
	uint64_t now = dm_now_ns(), end = t->period_begin_ns + period_ns;

	if (!t->period_begin_ns)
		dm_wait_for_changed_signal_or_timeout(d, NEVER_MS);
	else if (now < end)
		dm_wait_for_changed_signal_or_timeout(
			d, (unsigned)((end - now) / DM_MS) + 1);
}

/* Thread function: adapt workers and buffers at the end of each period until
   dm_daemon.quit is set. */
static void *adapt_each_period_until_quit(void *daemon)
{
	struct dm_daemon *d = daemon;
	const struct al_adaptive *adaptive = &d->settings->adaptive;
	uint64_t period_ns = adaptive->period * DM_MS;
	struct tuner t = {.daemon = d};

	dm_adaptive_init(&t.machine, adaptive, d->settings->workers,
			 d->settings->chunks);
	dm_lock(d);
	while (!d->quit) {
		if (!has_any_live_client_ever_published(d)) {
			t.period_begin_ns = 0;
		} else if (!t.period_begin_ns) {
			measure_period_and_begin_next(
				&t, &(struct al_decision){.phase_before = 0});
		} else if (dm_now_ns() >= t.period_begin_ns + period_ns) {
			adapt_worker_buffer_counts_log_decision(&t);
		}
		sleep_until_period_end_or_change(&t, period_ns);
	}
	dm_unlock(d);
	return NULL;
}

int dm_tuner_start_thread(struct dm_daemon *d)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&d->tuner, NULL, adapt_each_period_until_quit, d);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

void dm_tuner_stop_and_set_daemon_quit(struct dm_daemon *d)
{
	dm_lock(d);
	d->quit = true;
	pthread_cond_broadcast(&d->changed);
	dm_unlock(d);
	pthread_join(d->tuner, NULL);
}
