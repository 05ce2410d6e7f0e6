/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staging.c - decides whether chunks are written to staging or to the ring; see
   staging.h */

#include "vgtool/transport/staging.h"

#include "vgtool/transport/connection.h"

enum {
	PAIRS = 16,
	MIN_WON = 12,	    /* least number of the PAIRS pairs of a trial that
			       staging must win to be used */
	FIRST_WAIT = 16,    /* chunks before the first trial */
	FIRST_PERIOD = 256, /* chunks between the first two trials */
	MAX_PERIOD = 16384, /* chunks between two trials, at most; the number
			       doubles after each trial */
};

enum vt_staging vt_staging_mode;

static struct {
	UInt n;		  /* chunks counted, two in each pair */
	UInt won;	  /* pairs in which staging was faster */
	ULong first_cost; /* cost of the pair's first chunk [ns / 2^20 bytes] */
	Bool is_invalid;  /* a chunk of the pair was not written the way that
			     the trial requires */
} trial;

static struct {
	Bool runs;
	ULong start_ns, sum_ns; /* sum_ns: time of this chunk so far */
} stopwatch;

static UInt chunks_to_trial = FIRST_WAIT; /* chunks until the next trial; 0: a
					     trial is running */
static UInt period = FIRST_PERIOD;	  /* chunks between two trials */
static Bool staging_pays;		  /* result of the last trial */

static Bool is_staging_trial_running(void)
{
	return vt_staging_mode == VT_STAGING_AUTO && chunks_to_trial == 0;
}

void vt_staging_resume_trial_timer(void)
{
	if (stopwatch.runs || !is_staging_trial_running())
		return;
	stopwatch.runs = True;
	stopwatch.start_ns = vt_clock_monotonic_now_ns();
}

void vt_staging_pause_trial_timer(void)
{
	if (!stopwatch.runs)
		return;
	stopwatch.runs = False;
	stopwatch.sum_ns += vt_clock_monotonic_now_ns() - stopwatch.start_ns;
}

/* Whether chunk number @index_in_trial of a trial is to be written to staging,
   not directly to the ring. Pairs begin alternately with the staged and the
   other chunk, so that a program that becomes slower or faster favours
   neither. */
static Bool must_trial_chunk_be_staged(UInt index_in_trial)
{
	return (index_in_trial & 1) ^ (index_in_trial >> 1 & 1);
}

/* End a trial: store whether staging has won it, reset it, and schedule the
   next one. */
static void decide_staging_by_trial(void)
{
	staging_pays = trial.won >= MIN_WON;
	trial.n = trial.won = 0;
	chunks_to_trial = period;
	if (period < MAX_PERIOD)
		period *= 2;
}

/* End a pair of chunks of a trial, one written to staging and one directly to
   the ring. The second took @second_chunk_cost [ns / 2^20 bytes]. Add 1 to the
   pairs that staging has won if the pair is valid and its staged chunk took
   over 3 % less. @is_second_staged: whether the second chunk was the staged
   one. */
static void count_chunk_pair_if_won_by_staging(ULong second_chunk_cost,
					       Bool is_second_staged)
{
	ULong staged_cost =
		is_second_staged ? second_chunk_cost : trial.first_cost;
	ULong direct_cost =
		is_second_staged ? trial.first_cost : second_chunk_cost;

	if (!trial.is_invalid && staged_cost * 100 < direct_cost * 97)
		trial.won++;
	trial.is_invalid = False;
}

void vt_staging_add_chunk_cost_to_trial(ULong chunk_bytes, Bool was_staged)
{
	ULong cost = (stopwatch.sum_ns << 20) / chunk_bytes;

	stopwatch.sum_ns = 0;
	if (vt_staging_mode != VT_STAGING_AUTO)
		return;
	if (chunks_to_trial > 0) {
		chunks_to_trial--;
		return;
	}
	trial.is_invalid |= was_staged != must_trial_chunk_be_staged(trial.n);
	if (trial.n++ & 1)
		count_chunk_pair_if_won_by_staging(cost, was_staged);
	else
		trial.first_cost = cost;
	if (trial.n == 2 * PAIRS)
		decide_staging_by_trial();
}

Bool vt_staging_is_chosen_for_next_chunk(void)
{
	if (vt_staging_mode != VT_STAGING_AUTO)
		return vt_staging_mode == VT_STAGING_ALWAYS;
	return chunks_to_trial == 0 ? must_trial_chunk_be_staged(trial.n)
				    : staging_pays;
}
