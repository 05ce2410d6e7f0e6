/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive.h - how many workers and buffers there shall be, from the figures
 *
 * Threads: one.
 *
 * Alleria's state machine. It is told, period by period, how long the workers
 * were idle and the programs waited, and says what to change.
 *
 *   X, ramp up    One worker and one buffer more, while somebody waits. When
 *                 idle time has grown by TP since the worker before was added,
 *                 that one was too many: Z; so when no more are allowed, and
 *                 idle time adds up to DM_SPARE. When nothing is to be added:
 *                 Y.
 *   Y, stable     When waiting has grown by TAY1, or fallen by TAY2, the
 *                 program behaves in another way: a worker and a buffer, X.
 *                 When nobody waits, and idle time adds up to DM_SPARE for
 *                 long enough: a worker less, Z.
 *   Z, ramp down  One worker less. When waiting has grown by TAZ since, that
 *                 one was needed: it is resumed, Y. When one is left, or
 *                 nobody waits: Y.
 *
 *             grown by TP, or one to spare
 *      X -----------------------------------> Z
 *      ^ \                                   ^ |
 *      |  \ nothing to add    one to spare  /  | grown by TAZ,
 *      |   \                               /   | one left, or nobody waits
 *      |    +------------> Y -------------+    |
 *      +------------------ Y <-----------------+
 *       grown by TAY1, fallen
 *       by TAY2, or still waits
 *
 * Where this differs from the paper, it is because the original got stuck, or
 * paid for what nobody needed:
 *
 *   - Times are shares of the period, so a late period does no harm; a share
 *     is taken to be DM_FLOOR at least. Growing from nothing is then finite,
 *     and noise near nothing is no growth.
 *   - A share of several idle workers need not grow by TP of all their time,
 *     but of one worker's: else many workers are always followed by one more.
 *   - Y compares means over windows, with the first one after it began, so
 *     that what changes slowly is seen too. A window becomes longer each time
 *     that X and Z have led nowhere. Waiting that grows by DM_JUMP is acted
 *     upon at once. Waiting that goes on while more workers are allowed is
 *     tried again after two windows: what X saw may have been chance.
 *   - Buffers grow, by half each time, while programs wait; that need not be
 *     for lack of workers.
 *   - Workers that have little to do each are fewer, also when nobody has to
 *     wait: units that one has prepared and another simulates cross the way
 *     between processors, and the program may want one of these. Each time
 *     that one who was let go is wanted again, the next must be idle for twice
 *     as long.
 *   - A round of X or Z changes something or ends the phase, and there are
 *     limits to what can be changed.
 */
#ifndef DAEMON_ADAPT_ADAPTIVE_H
#define DAEMON_ADAPT_ADAPTIVE_H

#include "lib/config/adaptive_option.h"

enum {
	DM_WINDOW = 4, /* periods that Y compares, at first */
	DM_MAX_WINDOW = 32,
	DM_MAX_PATIENCE = 256, /* periods until a worker to spare is let go */
};

#define DM_FLOOR 0.02 /* share of a period */
#define DM_JUMP 0.4   /* share of a period */
#define DM_SPARE 1.25 /* shares: one worker, and what the others would lack */

/* Times of a period, as shares of it. */
struct dm_shares {
	double idle; /* 0..workers */
	double wait; /* 0..programs */
};

struct dm_adaptive {
	const struct al_adaptive *how;
	char phase;	  /* 'X', 'Y', 'Z' */
	unsigned workers; /* that shall be active */
	unsigned buffers; /* that a program of one thread shall have */

	struct dm_shares last; /* the period before */
	unsigned rounds;       /* periods of this phase */
	bool added;	       /* a worker, at the end of the last period */

	/* Of Y. */
	unsigned window;       /* periods */
	struct dm_shares sum;  /* of this window */
	double reference;      /* mean of the first window; < 0: not yet */
	double entry;	       /* waiting before that */
	unsigned workers_then; /* when Y began last */
	unsigned spare;	       /* periods in which one was to spare */
	unsigned patience;     /* so many, and one is let go */
	bool let_go;	       /* one was, and none has been wanted since */
};

/* Begins in X. */
void dm_adaptive_init(struct dm_adaptive *, const struct al_adaptive *how,
		      unsigned workers, unsigned buffers);

/* The end of a period: decides, and changes phase, workers and buffers. */
void dm_adaptive_decide(struct dm_adaptive *, const struct dm_shares *);

#endif
