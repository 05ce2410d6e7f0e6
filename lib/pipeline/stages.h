/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stages.h - decides which stage of which chunk a worker can do next
 *
 * Threads: any, while they hold a lock of the caller's.
 *
 * This file alone enforces the order that results depend on:
 *
 *   stage      begins after, of its chunk  chunks at the same time
 *   load       -                           any number
 *   recover    load                        any number
 *   prepare    recover                     one at a time, in order of chunks
 *   store      prepare                     any number
 *   scatter    prepare                     any number
 *   partition  scatter                     one for each partition, in order
 *   gather     store, every partition      one at a time, in order
 *   tail       gather                      one at a time, in order
 *
 * A stream without partitions has no stages scatter and partition, and recovers
 * one chunk at a time, in order. A partitioned stream, too, recovers one chunk
 * at a time, in order, if a recovery depends on the previous one
 * (recovers_in_order). Only replay has stage load, only a stream that is
 * stored in a profile has stage store, and there is stage tail only if some
 * analysis has one.
 *
 * A stage that is done in order works on the same state each time, for example
 * a cache level, which is still in the cache of the processor that did it last.
 * So a job is chosen in this order: (1) an ordered stage that this worker did
 * last, or no worker did yet; (2) any unordered stage; (3) an ordered stage
 * that another worker did last.
 *
 * A chunk with mode AN_CHUNK_BARRIER is a barrier: no partition processes it
 * before all partitions have passed the previous chunk. A chunk with mode
 * AN_CHUNK_SERIAL skips scatter and partition: its gather begins when all
 * partitions have passed the previous chunk, and no partition begins a later
 * chunk before this gather.
 */
#ifndef LIB_PIPELINE_STAGES_H
#define LIB_PIPELINE_STAGES_H

#include "analyzers/analyzer.h"
#include "lib/recover/counts.h"

struct al_job {
	enum al_stage stage;
	unsigned partition;   /* index of the partition, for AL_PARTITION */
	uint64_t first_chunk; /* number of the first chunk of the job, from 0 */
	/* 1 + number of the last chunk of the job; only AL_PARTITION may have
	   several */
	uint64_t end_chunk;
	enum an_chunk_mode mode; /* result of AL_PREPARE, set by its worker */
};

/* State of the chunks in flight. Set the constants, and zero the rest, before
   the first chunk. */
struct al_stages {
	unsigned n_partitions;	/* constant; number of partitions; 1: the stream
				   is not partitioned */
	unsigned max_in_flight; /* constant; greatest number of chunks in flight
				   (begun and not ended) */
	bool has_load;		/* constant; there is a stage load */
	bool has_store;		/* constant; there is a stage store */
	bool recovers_in_order; /* constant; a recovery depends on the previous
				   one */
	bool has_tail;		/* constant; there is a stage tail */
	uint64_t n_begun;	/* number of chunks begun so far */
	uint64_t n_prepared;	/* number of chunks that have passed stage
				   prepare */
	uint64_t n_gathered;	/* number of chunks that have passed stage
				   gather */
	uint64_t n_ended;	/* number of chunks that have passed the last
				   stage */
	bool preparing;		/* a worker is doing stage prepare */
	bool gathering;		/* a worker is doing stage gather */
	bool tailing;		/* a worker is doing stage tail */
	/* worker that did stage prepare last, from 1; 0: none yet */
	unsigned last_preparer;
	unsigned last_gatherer; /* worker that did stage gather last */
	unsigned last_tailer;	/* worker that did stage tail last */
	struct {
		uint8_t state; /* state of the chunk, enum state in stages.c */
		uint8_t store; /* whether the chunk is stored, enum store in
				  stages.c */
		enum an_chunk_mode mode;
	} in_flight
		[AN_INFLIGHT_SLOTS]; /* [max_in_flight] state of each chunk in
					flight, by chunk number modulo
					max_in_flight */
	struct {
		uint64_t done;	 /* number of chunks that the partition has
				    passed */
		bool busy;	 /* a worker is running this partition */
		unsigned worker; /* worker that ran the partition last, from 1;
				    0: none yet */
	} partition[AN_MAX_PARTITIONS];
};

/* Begin one more chunk: its first stage may then be assigned. The caller makes
   sure that fewer than max_in_flight chunks are in flight before. */
void al_stages_begin_chunk(struct al_stages *);

/* Set the job to one that can begin now, and mark it as begun. @worker: number,
   from 1, of the worker that does the job and then calls
   al_stages_finish_job_return_chunk_ended(). Return: false if there is no job
   now. */
bool al_stages_assign_job(struct al_stages *, struct al_job *, unsigned worker);

/* Mark a job as done. Return: whether the job was the last stage of its chunk,
   so that the chunk's in-flight slot is now free. */
bool al_stages_finish_job_return_chunk_ended(struct al_stages *,
					     const struct al_job *);

/* Return the number of jobs that could begin now. */
unsigned al_stages_count_runnable_jobs(const struct al_stages *);

#endif
