/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory_bounds.h - bounds the memory that a recorded program can occupy in the
 *                   daemon
 *
 * Each bound applies to one exec image; those on warm-ups apply to each of its
 * consumers (lib/pipeline/consumer.h). At the bound, the image's stream ends
 * with the bound's error, and its process has the status "truncated" with
 * al_truncation_reason_null_if_0(). Other processes are recorded as before.
 *
 * Other data that grow with an image have bounds in proto/: al_marks by
 * PT_MAX_NAMES and PT_MAX_NAME, al_plan_outcomes by PT_MAX_EVENTS and
 * PT_MAX_MISSED, current mappings by PT_MAX_MAPPED, al_history by the warmup of
 * the plan, al_recovered_chunk by the size of a chunk. The values and lanes
 * that al_blocks stores for a block are bounded by the length of its record; of
 * their log records it stores only those of the next block. al_page_index is a
 * cache, emptied when it is full.
 */
#ifndef LIB_RECOVER_MEMORY_BOUNDS_H
#define LIB_RECOVER_MEMORY_BOUNDS_H

#include <errno.h>
#include <stdint.h>

/* Greatest memory [bytes] for parts of blocks that ran before faults and for
   blocks of warm-ups: descriptors, counters, and memory of the analyses, as
   estimated. */
#define AL_MAX_PARTIAL_BYTES ((uint64_t)64 << 20)

/* Greatest total length [bytes] of the log records that are stored: blocks,
   mappings, paths, names and outcomes. The record of a block has about 300
   bytes, so most programs reach PT_MAX_ROUTES first. */
#define AL_MAX_STORED_LOG ((uint64_t)4 << 30)

enum {
	AL_MAX_CHILDREN = 1 << 22, /* greatest number of children of an image
				      whose exit status is stored */
	/* greatest number of different parts of blocks (some of their
	   instructions) that the warm-ups of one consumer simulate */
	AL_MAX_WARMUP_BLOCKS = 1 << 20,
};

/* Errors of a stream at a bound; negated in results. */
enum al_bounds_error {
	/* AL_MAX_PARTIAL_BYTES or AL_MAX_WARMUP_BLOCKS was reached */
	AL_E_PARTIAL_BYTES = EDQUOT,
	AL_E_STORED_LOG = E2BIG, /* AL_MAX_STORED_LOG was reached */
	AL_E_CHILDREN = ECHILD,	 /* AL_MAX_CHILDREN was reached */
};

/* Return the reason why the process of a stream that failed with @err is
   truncated: the bound that was reached, lack of memory or, for any other
   error, a violation of the protocol. NULL if @err is 0. @err: -errno or 0. */
const char *al_truncation_reason_null_if_0(int err);

#endif
