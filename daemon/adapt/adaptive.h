/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive.h - decides on the number of workers and buffers from time figures
 *
 * Threads: one.
 *
 * This is the state machine of the Alleria paper. At the end of each period it
 * receives the time that workers were idle and the time that programs waited
 * for space in their rings, and it changes the number of workers and of buffers
 * (chunks of a ring).
 *
 *   X, ramp up    Adds one worker and one buffer a period while a program
 *                 waits. Goes to Z if idle time has grown by TP since the last
 *                 worker was added, which was then one too many, or if no more
 *                 workers are allowed and idle time is DM_SPARE_IDLE_SHARE or
 *                 more. Goes to Y if nothing can be added or no program waits.
 *   Y, stable     Goes to X and adds a worker and a buffer if waiting time has
 *                 grown by TAY1 or fallen by TAY2: the program has changed its
 *                 behaviour. Goes to Z and removes a worker if in the last
 *                 `patience` periods no program waited and idle time was
 *                 DM_SPARE_IDLE_SHARE or more.
 *   Z, ramp down  Removes one worker a period. Goes to Y if waiting time has
 *                 grown by TAZ since, and resumes the last worker removed,
 *                 which was needed. Also goes to Y if one worker is left or no
 *                 program waits.
 *
 *             grown by TP, or one to spare
 *      X -----------------------------------> Z
 *      ^ \                                   ^ |
 *      |  \ nothing to add    one to spare  /  | grown by TAZ, one
 *      |   \                               /   | left, or no wait
 *      |    +------------> Y -------------+    |
 *      +------------------ Y <-----------------+
 *       grown by TAY1, fallen
 *       by TAY2, or still waits
 *
 * Differences from the paper, whose machine got stuck or used resources that
 * were not needed:
 *
 *   - Times are divided by the length of the period, so a late end of a period
 *     does no harm. A share less than DM_MIN_SHARE counts as DM_MIN_SHARE:
 *     growth from zero is then finite, and noise near zero is no growth.
 *   - If several workers are idle, idle time must grow by TP of one worker's
 *     time, not of the time of all. Otherwise a large number of workers would
 *     always get one more.
 *   - Y compares the mean of a window of several periods with that of the first
 *     window after Y began, so slow changes are noticed too. The window becomes
 *     longer each time that X and Z have ended with the same number of workers.
 *     If waiting time grows by DM_JUMP, Y goes to X at once. If programs still
 *     wait and more workers are allowed, Y goes to X after two windows, because
 *     the decision of X may have been chance.
 *   - The number of buffers grows by half each period while programs wait; the
 *     cause need not be a lack of workers.
 *   - Workers with little work are removed even if no program waits: data that
 *     one worker has prepared and another one simulates must move between
 *     processors, and a program can use the processor. Each time that a worker
 *     is needed again after one was removed, `patience` is doubled.
 *   - Each period in X or Z changes something or ends the phase, and the
 *     changes have limits, so X and Z always end.
 */
#ifndef DAEMON_ADAPT_ADAPTIVE_H
#define DAEMON_ADAPT_ADAPTIVE_H

#include "lib/config/adaptive_option.h"

enum {
	DM_INITIAL_WINDOW = 4, /* [periods] initial length of the windows of
				  phase Y */
	DM_MAX_WINDOW = 32,    /* [periods] maximum length of the windows of
				  phase Y */
	DM_MAX_PATIENCE = 256, /* [periods] longest time until a spare worker is
				  removed */
};

/* [fraction of a period] idle or waiting times that are less count as this */
#define DM_MIN_SHARE 0.02
/* [fraction of a period] growth of waiting time for which phase Y (stable) goes
   to phase X (ramp up) before its window ends */
#define DM_JUMP 0.4
/* [fraction of a period] minimum idle time, summed over all workers, for which
   one worker can be removed: its whole time, and a reserve for the others */
#define DM_SPARE_IDLE_SHARE 1.25

/* Times of a period, divided by its length and summed over workers or
   programs. */
struct dm_shares {
	double idle; /* time that workers had no task; 0 to number of workers */
	double wait; /* time that programs waited for space in their rings; 0
			to number of programs */
};

struct dm_adaptive {
	const struct al_adaptive
		*settings; /* settings, thresholds and limits */
	char phase;	   /* present phase: 'X', 'Y' or 'Z' */
	unsigned workers;  /* number of workers that shall be active */
	unsigned buffers;  /* number of buffers (chunks) that the ring of a
			      program of one thread shall have */

	/* shares passed to dm_adaptive_adjust_workers_buffers() at the end of
	   the previous period */
	struct dm_shares previous_shares;
	unsigned phase_periods; /* periods spent in the present phase */
	bool has_added_worker;	/* a worker was added at the end of the last
				  period */

	/* The next members are used in phase Y (stable). */
	unsigned window; /* [periods] length of a window */
	struct dm_shares
		sum; /* sum over the periods of phase Y's present window */
	double reference_wait;	 /* mean `wait` of the first window; negative:
				  that window has not ended */
	double entry_wait;	 /* `wait` when Y began; after the end of the
				  first window equal to reference_wait */
	unsigned entry_workers;	 /* number of workers when Y began the last
				    time; 0: Y has not begun yet, or the
				    waiting time has jumped since */
	unsigned spare_periods;	 /* consecutive periods in which a worker could
				    be removed */
	unsigned patience;	 /* a worker is removed when spare_periods
				    reaches this */
	bool has_removed_worker; /* Y has removed a worker, and has not gone to
				    X since */
};

/* Set the initial state: phase X with @initial_workers and @initial_buffers.
   @settings: must outlive the machine. */
void dm_adaptive_init(struct dm_adaptive *, const struct al_adaptive *settings,
		      unsigned initial_workers, unsigned initial_buffers);

/* Decide at the end of a period on the phase and on the numbers of workers and
   buffers, and store them in the machine; nothing is started or allocated. The
   shares are those measured up to the end of the period; tuner.c passes
   smoothed ones. */
void dm_adaptive_adjust_workers_buffers(struct dm_adaptive *,
					const struct dm_shares *);

#endif
