/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive.c - how many workers and buffers there shall be, from the figures
 */
#include "daemon/adapt/adaptive.h"

static double at_least(double share)
{
	return share < DM_FLOOR ? DM_FLOOR : share;
}

/* Whether a share has grown by @percent of itself, or of one worker or
   program where it was more. */
static bool has_grown(double now, double before, unsigned percent)
{
	double base = at_least(before);

	return now >= base + (base < 1 ? base : 1) * percent / 100;
}

static bool has_fallen(double now, double before, unsigned percent)
{
	double base = at_least(before);

	return at_least(now) <= base - (base < 1 ? base : 1) * percent / 100;
}

static void enter(struct dm_adaptive *a, char phase,
		  const struct dm_shares *now)
{
	a->phase = phase;
	a->rounds = 0;
	a->added = false;
	if (phase != 'Y')
		return;
	if (a->workers != a->workers_then)
		a->window = DM_WINDOW;
	else if (a->window < DM_MAX_WINDOW)
		a->window *= 2;
	a->workers_then = a->workers;
	a->reference = -1;
	a->entry = now->wait;
	a->sum = (struct dm_shares){0};
	a->spare = 0;
}

static bool add_worker(struct dm_adaptive *a)
{
	if (a->workers >= a->how->workers)
		return false;
	a->workers++;
	if (a->buffers < a->how->buffers)
		a->buffers++;
	a->added = true;
	return true;
}

/* Half as many again: a ring shall not need seconds to grow. */
static bool add_buffers(struct dm_adaptive *a)
{
	unsigned more = a->buffers / 2;

	if (a->buffers >= a->how->buffers)
		return false;
	if (more > a->how->buffers - a->buffers)
		more = a->how->buffers - a->buffers;
	a->buffers += more;
	return true;
}

static bool is_one_spare(const struct dm_adaptive *a,
			 const struct dm_shares *now)
{
	return a->workers > 1 && now->idle >= DM_SPARE;
}

/* @more: buffers were added. */
static void ramp_up(struct dm_adaptive *a, const struct dm_shares *now,
		    bool more)
{
	bool full = a->workers >= a->how->workers;
	bool too_many = a->added
				? has_grown(now->idle, a->last.idle, a->how->tp)
				: full && is_one_spare(a, now);

	a->added = false;
	if (too_many)
		enter(a, 'Z', now);
	else if (now->wait <= DM_FLOOR || (!add_worker(a) && !more))
		enter(a, 'Y', now);
}

static void ramp_down(struct dm_adaptive *a, const struct dm_shares *now)
{
	bool nobody_waits = a->rounds > 1 && now->wait <= DM_FLOOR;

	if (a->rounds > 1 && has_grown(now->wait, a->last.wait, a->how->taz)) {
		a->workers++;
		enter(a, 'Y', now);
	} else if (a->workers == 1 || nobody_waits) {
		enter(a, 'Y', now);
	} else {
		a->workers--;
	}
}

/* Something has changed: X finds out what to do about it. */
static void wake_up(struct dm_adaptive *a, const struct dm_shares *now)
{
	if (a->let_go && a->patience < DM_MAX_PATIENCE)
		a->patience *= 2;
	a->let_go = false;
	enter(a, 'X', now);
	add_worker(a);
}

/* The others have time for what one does. */
static void calm_down(struct dm_adaptive *a, const struct dm_shares *now)
{
	enter(a, 'Z', now);
	a->workers--;
	a->rounds = 1; /* of Z, which has taken one */
	a->let_go = true;
}

/* At the end of a window: whether one has been to spare for long enough. */
static bool is_calm(struct dm_adaptive *a, const struct dm_shares *mean)
{
	if (mean->wait <= DM_FLOOR && is_one_spare(a, mean))
		a->spare += a->window;
	else
		a->spare = 0;
	return a->spare >= a->patience;
}

/* The mean of the window that ends. */
static struct dm_shares end_window(struct dm_adaptive *a)
{
	struct dm_shares mean = {a->sum.idle / a->window,
				 a->sum.wait / a->window};

	a->sum = (struct dm_shares){0};
	return mean;
}

static void stay(struct dm_adaptive *a, const struct dm_shares *now)
{
	struct dm_shares mean;

	a->sum.idle += now->idle;
	a->sum.wait += now->wait;
	if (now->wait >= a->entry + DM_JUMP) {
		a->workers_then = 0; /* worth looking closely */
		wake_up(a, now);
		return;
	}
	if (a->rounds % a->window)
		return;
	mean = end_window(a);
	if (is_calm(a, &mean))
		calm_down(a, now);
	else if (a->reference < 0)
		a->reference = a->entry = mean.wait;
	else if (has_grown(mean.wait, a->reference, a->how->tay1) ||
		 has_fallen(mean.wait, a->reference, a->how->tay2) ||
		 (mean.wait > DM_FLOOR && a->workers < a->how->workers))
		wake_up(a, now);
}

void dm_adaptive_init(struct dm_adaptive *a, const struct al_adaptive *how,
		      unsigned workers, unsigned buffers)
{
	*a = (struct dm_adaptive){
		.how = how,
		.phase = 'X',
		.workers = workers,
		.buffers = buffers,
		.window = DM_WINDOW,
		.patience = DM_WINDOW,
	};
}

void dm_adaptive_decide(struct dm_adaptive *a, const struct dm_shares *now)
{
	bool more = now->wait > DM_FLOOR && add_buffers(a);

	a->rounds++;
	if (a->phase == 'X')
		ramp_up(a, now, more);
	else if (a->phase == 'Z')
		ramp_down(a, now);
	else
		stay(a, now);
	a->last = *now;
}
