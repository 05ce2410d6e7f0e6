/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stages.h - decides which stage of which chunk a worker can do next
 *
 * Threads: any, with a lock of the caller's held.
 *
 * A piece is a recovered chunk (struct al_recovered_chunk). This file alone
 * enforces the order that results depend on:
 *
 *   stage     after, of one piece         at the same time as
 *   load      -                           any other
 *   recover   load                        any other
 *   prepare   recover                     one at a time, in order
 *   store     prepare                     any other
 *   spread    prepare                     any other
 *   part      spread                      of each part: one at a time, in order
 *   join      store and every part        one at a time, in order
 *   tail      join                        one at a time, in order
 *
 * A part is a partition of the analyses. A stream without partitions has no
 * spread and no part, and does one recovery at a time, in order. A partitioned
 * stream, too, does one recovery at a time if each depends on the one before
 * (@follows). Only replay has load, only a stream that is stored in a profile
 * has store, and there is a tail only if some analysis has one.
 *
 * A stage that is done in order works on the same state each time, for example
 * a cache level, which is still in the cache of the processor that did it last.
 * So a job is chosen in this order: (1) an ordered stage that this worker did
 * last, or nobody did yet; (2) any unordered stage; (3) an ordered stage that
 * another worker did last.
 *
 * AN_CHUNK_BARRIER is a barrier: no part of the piece begins before all parts
 * of the previous piece are done. An AN_CHUNK_SERIAL piece skips spread and
 * part: its join begins when all parts of the previous piece are done, and no
 * part of a later piece begins before this join.
 */
#ifndef LIB_PIPELINE_STAGES_H
#define LIB_PIPELINE_STAGES_H

#include "analyzers/analyzer.h"
#include "lib/recover/counts.h"

struct al_job {
	enum al_stage stage;
	unsigned partition;   /* partition, for AL_PARTITION */
	uint64_t first_chunk; /* number of the first piece, from 0 */
	/* 1 + number of the last: only AL_PARTITION may have several */
	uint64_t end_chunk;
	enum an_chunk_mode course; /* set by the worker that does AL_PREPARE */
};

/* Zero everything but the constants before the first piece. */
struct al_stages {
	unsigned n_partitions;	/* constant; partitions; 1: none */
	unsigned max_in_flight; /* constant; pieces in flight, at most */
	bool has_load;		/* constant; there is a stage load */
	bool has_store;		/* constant; there is a stage store */
	bool recovers_in_order; /* constant; a recovery depends on the previous one */
	bool has_tail;		/* constant; there is a stage tail */
	uint64_t n_begun;	/* number of pieces begun so far */
	uint64_t n_prepared; /* number of them that are prepared */
	uint64_t n_gathered; /* number of them that are joined */
	uint64_t n_ended;    /* number of them that are done */
	bool preparing;	     /* a worker does prepare now */
	bool gathering;
	bool tailing;
	/* worker that did prepare last, from 1; 0: none */
	unsigned last_preparer;
	unsigned last_gatherer; /* worker that did join last */
	unsigned last_tailer;	/* worker that did tail last */
	unsigned n_recovering;	/* number of pieces that are being recovered */
	struct {
		uint8_t state; /* enum state of stages.c */
		uint8_t store; /* enum store of stages.c */
		enum an_chunk_mode course;
	} in_flight
		[AN_INFLIGHT_SLOTS]; /* by number of the piece modulo @lanes */
	struct {
		uint64_t done;	 /* number of pieces done */
		bool busy;	 /* a worker does this part now */
		unsigned worker; /* that did it last, from 1; 0: none */
	} partition[AN_MAX_PARTITIONS];
};

/* Begin one more piece. Fewer than @lanes pieces must be in flight. */
void al_stages_begin(struct al_stages *);

/* Find a job for worker @worker, counted from 1, which then calls
   al_stages_done(). Return: false if there is none now. */
bool al_stages_next(struct al_stages *, struct al_job *, unsigned worker);

/* Mark a job as done. Return: whether its piece has ended, which frees its
   lane. */
bool al_stages_done(struct al_stages *, const struct al_job *);

/* Return the number of jobs that could begin now. */
unsigned al_stages_count_jobs(const struct al_stages *);

#endif
