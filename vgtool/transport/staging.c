/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staging.c - decides whether chunks are staged or written in place; see
   staging.h */

#include "vgtool/transport/staging.h"

#include "vgtool/transport/connection.h"

enum {
	PAIRS = 16,
	ENOUGH = 12, /* pairs won that decide for staging */
	FIRST = 256, /* chunks between the first trials */
	MOST = 16384,
};

enum vt_staging vt_staging_mode;

static struct {
	UInt n;	     /* chunks so far, two a pair */
	UInt won;    /* pairs in which staging was faster */
	ULong cost;  /* of the first chunk of the pair [ns / 2^20 bytes] */
	Bool broken; /* one of the pair was not written as asked */
} trial;

static struct {
	Bool runs;
	ULong start_ns, sum_ns;
} watch;

static UInt rest = 16; /* chunks until the next trial */
static UInt period = FIRST;
static Bool pays; /* result of the last trial */

static Bool in_trial(void)
{
	return vt_staging_mode == VT_STAGING_AUTO && rest == 0;
}

void vt_staging_start(void)
{
	if (!in_trial())
		return;
	watch.runs = True;
	watch.start_ns = vt_control_now_ns();
}

void vt_staging_stop(void)
{
	if (!watch.runs)
		return;
	watch.runs = False;
	watch.sum_ns += vt_control_now_ns() - watch.start_ns;
}

/* Each second pair begins with the staged chunk, so that a program that becomes
   slower or faster favours neither. */
static Bool is_staged_turn(UInt n)
{
	return (n & 1) ^ (n >> 1 & 1);
}

static void end_trial(void)
{
	pays = trial.won >= ENOUGH;
	trial.n = trial.won = 0;
	rest = period;
	if (period < MOST)
		period *= 2;
}

/* The second chunk of a pair took @cost. */
static void count_pair(ULong cost, Bool staged)
{
	ULong of_staged = staged ? cost : trial.cost;
	ULong in_place = staged ? trial.cost : cost;

	if (!trial.broken && of_staged * 100 < in_place * 97)
		trial.won++;
	trial.broken = False;
}

void vt_staging_count(ULong bytes, Bool staged)
{
	ULong cost = (watch.sum_ns << 20) / bytes;

	watch.sum_ns = 0;
	if (vt_staging_mode != VT_STAGING_AUTO)
		return;
	if (rest > 0) {
		rest--;
		return;
	}
	trial.broken |= staged != is_staged_turn(trial.n);
	if (trial.n++ & 1)
		count_pair(cost, staged);
	else
		trial.cost = cost;
	if (trial.n == 2 * PAIRS)
		end_trial();
}

Bool vt_staging_next(void)
{
	if (vt_staging_mode != VT_STAGING_AUTO)
		return vt_staging_mode == VT_STAGING_ALWAYS;
	return rest == 0 ? is_staged_turn(trial.n) : pays;
}
