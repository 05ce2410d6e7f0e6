/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staging.h - decides whether chunks are written to staging or to the ring
 *
 * Generated code writes the units of a chunk either into staging, memory that
 * stays in the tool's cache and is copied to the ring when the chunk is full,
 * or directly into the ring. A store into the ring waits until the cache line
 * has come from the processor that read the previous chunk at this address; the
 * time depends on the processors that the system has chosen. The copy takes the
 * same time on all of them. So both ways are timed in a trial now and then, and
 * the faster one is used until the next trial.
 *
 * A trial has PAIRS pairs of chunks, one of each pair staged. Staging wins a
 * pair if its time per byte is more than 3 % shorter, and it wins the trial if
 * it wins three quarters of the pairs; so a single chunk during which the
 * program slept does not decide. There are FIRST_PERIOD chunks between the
 * first two trials, and twice as many each time, up to MAX_PERIOD.
 */
#ifndef VGTOOL_TRANSPORT_STAGING_H
#define VGTOOL_TRANSPORT_STAGING_H

#include "vgtool/core/prelude.h"

/* Values of the option --staging, which tests and measurements use. */
enum vt_staging { VT_STAGING_AUTO, VT_STAGING_NEVER, VT_STAGING_ALWAYS };

extern enum vt_staging vt_staging_mode;

/* Start the stopwatch that measures the time that the current chunk takes, if a
   trial runs: a comparison of chunks that are written to staging with chunks
   that are written directly to the ring. No-op if the stopwatch runs. Call when
   the program begins to write units, and before the chunk is copied. */
void vt_staging_resume_trial_timer(void);

/* Stop the stopwatch, if it runs, and add the time to the cost of the chunk.
   Call before the tool waits for the daemon, and after it has copied the
   chunk. */
void vt_staging_pause_trial_timer(void);

/* Add the time of the chunk that was just published to the trial (a comparison
   of chunks written to staging with chunks written directly to the ring); if no
   trial is running, count down to the next one. @chunk_bytes: the chunk's
   length. @was_staged: whether the chunk was written to staging. */
void vt_staging_add_chunk_cost_to_trial(ULong chunk_bytes, Bool was_staged);

/* Whether the next chunk is to be written to staging (memory that stays in the
   tool's cache), not directly to the ring. */
Bool vt_staging_is_chosen_for_next_chunk(void);

#endif
