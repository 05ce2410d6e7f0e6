/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staging.h - decides whether chunks are staged or written in place
 *
 * Generated code writes the units of a chunk either into staging, from which
 * they are copied when the chunk is full, or into the chunk's place in the ring.
 * A store into the place waits until the line has come from the cache of the
 * processor that read the chunk before; how long that takes depends on which
 * processors the system uses. The copy takes the same time everywhere. So both
 * ways are timed from time to time, and the faster one is used until the next
 * trial.
 *
 * A trial has PAIRS pairs of chunks, one of each pair staged. Staging wins a pair
 * when its time per byte is 3 % shorter, and the trial when it wins three
 * quarters of the pairs; so a chunk during which the program slept does not
 * decide. Chunks between two trials: FIRST, then twice as many each time.
 */
#ifndef VGTOOL_TRANSPORT_STAGING_H
#define VGTOOL_TRANSPORT_STAGING_H

#include "vgtool/core/prelude.h"

/* --staging: for tests and measurements. */
enum vt_staging { VT_STAGING_AUTO, VT_STAGING_NEVER, VT_STAGING_ALWAYS };

extern enum vt_staging vt_staging_mode;

/* Start timing: units are written from here on, or the chunk is being copied. */
void vt_staging_start(void);

/* Stop timing, because the tool waits for the daemon or has published. */
void vt_staging_stop(void);

/* Add the chunk just published to the trial. @bytes: its length. @staged:
   whether it was staged. */
void vt_staging_count(ULong bytes, Bool staged);

/* Whether the next chunk is to be staged. */
Bool vt_staging_next(void);

#endif
