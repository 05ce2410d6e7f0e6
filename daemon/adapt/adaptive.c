/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive.c - decides on the number of workers and buffers; see adaptive.h
 */
#include "daemon/adapt/adaptive.h"

/* Return the greater of @share and DM_MIN_SHARE. */
static double raise_to_min_share(double share)
{
	return share < DM_MIN_SHARE ? DM_MIN_SHARE : share;
}

/* Whether a share has grown from @before to @now by at least
   @min_growth_percent of @before. @before counts as DM_MIN_SHARE if it is
   less. If it is above 1 (the time of one worker or program), growth by
   @min_growth_percent of 1 is enough. */
static bool has_share_grown(double now, double before,
			    unsigned min_growth_percent)
{
	double base = raise_to_min_share(before);

	return now >= base + (base < 1 ? base : 1) * min_growth_percent / 100;
}

/* Whether a share has fallen from @before to @now by at least
   @min_drop_percent, computed as in has_share_grown(); @now, too, counts as
   DM_MIN_SHARE if it is less. */
static bool has_share_fallen(double now, double before,
			     unsigned min_drop_percent)
{
	double base = raise_to_min_share(before);

	return raise_to_min_share(now) <=
	       base - (base < 1 ? base : 1) * min_drop_percent / 100;
}

/* Enter a phase ('X', 'Y' or 'Z'). Phase Y begins its first window. If the
   number of workers is that of the last time that Y began, windows become twice
   as long, up to DM_MAX_WINDOW periods; otherwise they have
   DM_INITIAL_WINDOW periods. */
static void enter_phase(struct dm_adaptive *a, char phase,
			const struct dm_shares *now)
{
	a->phase = phase;
	a->phase_periods = 0;
	a->has_added_worker = false;
	if (phase != 'Y')
		return;
	if (a->workers != a->entry_workers)
		a->window = DM_INITIAL_WINDOW;
	else if (a->window < DM_MAX_WINDOW)
		a->window *= 2;
	a->entry_workers = a->workers;
	a->reference_wait = -1;
	a->entry_wait = now->wait;
	a->sum = (struct dm_shares){0};
	a->spare_periods = 0;
}

/* Add a worker, and a buffer if the limit allows it. Return: false if no more
   workers are allowed. */
static bool try_add_worker_plus_buffer_if_below_max(struct dm_adaptive *a)
{
	if (a->workers >= a->settings->workers)
		return false;
	a->workers++;
	if (a->buffers < a->settings->buffers)
		a->buffers++;
	a->has_added_worker = true;
	return true;
}

/* Increase the number of buffers by half, up to the limit, so that a ring grows
   within a few periods. Return: false if the limit was reached before. */
static bool try_add_half_more_buffers(struct dm_adaptive *a)
{
	unsigned added_buffers = a->buffers / 2;

	if (a->buffers >= a->settings->buffers)
		return false;
	if (added_buffers > a->settings->buffers - a->buffers)
		added_buffers = a->settings->buffers - a->buffers;
	a->buffers += added_buffers;
	return true;
}

/* Whether one worker could be removed: there are several, and their idle share
   is at least DM_SPARE_IDLE_SHARE. */
static bool can_remove_idle_worker(const struct dm_adaptive *a,
				   const struct dm_shares *now)
{
	return a->workers > 1 && now->idle >= DM_SPARE_IDLE_SHARE;
}

/* End a period of phase X (ramp up): go to Z if there is a worker too many;
   otherwise add a worker if programs wait; go to Y if none waits, or if neither
   a worker nor buffers could be added. @buffers_were_added: buffers were added
   at the end of this period. */
static void
add_worker_if_programs_wait_or_end_phase(struct dm_adaptive *a,
					 const struct dm_shares *now,
					 bool buffers_were_added)
{
	bool full = a->workers >= a->settings->workers;
	bool too_many =
		a->has_added_worker
			? has_share_grown(now->idle, a->previous_shares.idle,
					  a->settings->tp)
			: full && can_remove_idle_worker(a, now);

	a->has_added_worker = false;
	if (too_many)
		enter_phase(a, 'Z', now);
	else if (now->wait <= DM_MIN_SHARE ||
		 (!try_add_worker_plus_buffer_if_below_max(a) &&
		  !buffers_were_added))
		enter_phase(a, 'Y', now);
}

/* End a period of phase Z (ramp down): if waiting time has grown since the last
   worker was removed, add that worker again and go to Y; if one worker is left
   or, after the first period, no program waits, go to Y; otherwise remove a
   worker. */
static void remove_worker_or_end_ramp_down(struct dm_adaptive *a,
					   const struct dm_shares *now)
{
	bool nobody_waits = a->phase_periods > 1 && now->wait <= DM_MIN_SHARE;

	if (a->phase_periods > 1 &&
	    has_share_grown(now->wait, a->previous_shares.wait,
			    a->settings->taz)) {
		a->workers++;
		enter_phase(a, 'Y', now);
	} else if (a->workers == 1 || nobody_waits) {
		enter_phase(a, 'Y', now);
	} else {
		a->workers--;
	}
}

/* Go from phase Y (stable) to phase X (ramp up) and add a worker if the limit
   allows it. If Y removed a worker before, double `patience`, up to
   DM_MAX_PATIENCE. */
static void enter_ramp_up_and_add_worker(struct dm_adaptive *a,
					 const struct dm_shares *now)
{
	if (a->has_removed_worker && a->patience < DM_MAX_PATIENCE)
		a->patience *= 2;
	a->has_removed_worker = false;
	enter_phase(a, 'X', now);
	try_add_worker_plus_buffer_if_below_max(a);
}

/* Go from phase Y (stable) to phase Z (ramp down) and remove a worker; there
   must be more than one. */
static void enter_ramp_down_and_remove_worker(struct dm_adaptive *a,
					      const struct dm_shares *now)
{
	enter_phase(a, 'Z', now);
	a->workers--;
	a->phase_periods =
		1; /* the first period of Z is over: it removed a worker */
	a->has_removed_worker = true;
}

/* At the end of a window, add its periods to spare_periods if no program waited
   and a worker could be removed; otherwise set spare_periods to 0. @mean: means
   of the window's shares. Return: whether spare_periods has reached
   `patience`. */
static bool update_spare_periods_reached_patience(struct dm_adaptive *a,
						  const struct dm_shares *mean)
{
	if (mean->wait <= DM_MIN_SHARE && can_remove_idle_worker(a, mean))
		a->spare_periods += a->window;
	else
		a->spare_periods = 0;
	return a->spare_periods >= a->patience;
}

/* Return the means of the shares of the window that has ended, and reset their
   sums to 0 for the next window. */
static struct dm_shares average_and_reset_window_shares(struct dm_adaptive *a)
{
	struct dm_shares mean = {a->sum.idle / a->window,
				 a->sum.wait / a->window};

	a->sum = (struct dm_shares){0};
	return mean;
}

/* End a period of phase Y (stable): go to X at once if waiting time has jumped
   by DM_JUMP. At the end of a window, go to Z if a worker was spare for
   `patience` periods, or to X if the mean waiting time has changed since the
   first window, or if programs still wait and more workers are allowed. */
static void observe_shares_or_leave_stable_phase(struct dm_adaptive *a,
						 const struct dm_shares *now)
{
	struct dm_shares mean;

	a->sum.idle += now->idle;
	a->sum.wait += now->wait;
	if (now->wait >= a->entry_wait + DM_JUMP) {
		a->entry_workers =
			0; /* so that the next Y begins with a short window */
		enter_ramp_up_and_add_worker(a, now);
		return;
	}
	if (a->phase_periods % a->window)
		return;
	mean = average_and_reset_window_shares(a);
	if (update_spare_periods_reached_patience(a, &mean))
		enter_ramp_down_and_remove_worker(a, now);
	else if (a->reference_wait < 0)
		a->reference_wait = a->entry_wait = mean.wait;
	else if (has_share_grown(mean.wait, a->reference_wait,
				 a->settings->tay1) ||
		 has_share_fallen(mean.wait, a->reference_wait,
				  a->settings->tay2) ||
		 (mean.wait > DM_MIN_SHARE &&
		  a->workers < a->settings->workers))
		enter_ramp_up_and_add_worker(a, now);
}

void dm_adaptive_init(struct dm_adaptive *a, const struct al_adaptive *settings,
		      unsigned initial_workers, unsigned initial_buffers)
{
	*a = (struct dm_adaptive){
		.settings = settings,
		.phase = 'X',
		.workers = initial_workers,
		.buffers = initial_buffers,
		.window = DM_INITIAL_WINDOW,
		.patience = DM_INITIAL_WINDOW,
	};
}

void dm_adaptive_adjust_workers_buffers(struct dm_adaptive *a,
					const struct dm_shares *now)
{
	bool added_buffers =
		now->wait > DM_MIN_SHARE && try_add_half_more_buffers(a);

	a->phase_periods++;
	if (a->phase == 'X')
		add_worker_if_programs_wait_or_end_phase(a, now, added_buffers);
	else if (a->phase == 'Z')
		remove_worker_or_end_ramp_down(a, now);
	else
		observe_shares_or_leave_stable_phase(a, now);
	a->previous_shares = *now;
}
