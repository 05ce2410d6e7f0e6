/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stages.h - what can be done next with the pieces of a stream
 *
 * Threads: any, with a lock of the caller's held.
 *
 * The order that results depend on is kept here, and only here:
 *
 *   stage     of a piece it comes after   and with
 *   load      -                           any other
 *   recover   load                        any other
 *   prepare   recover                     one at a time, in order
 *   store     prepare                     any other
 *   spread    prepare                     any other
 *   part      spread                      of each part: one at a time, in order
 *   join      store and every part        one at a time, in order
 *   tail      join                        one at a time, in order
 *
 * A stream that is not in parts goes from prepare to join, and has one
 * recovery at a time, in order; so has one whose recoveries follow each other.
 * Only what is replayed is loaded, only what is kept in a profile is stored;
 * where no analysis has a tail, there is none.
 *
 * What is done in order works on the same state each time, a cache level say,
 * which the processor that did it last still holds: a worker goes on with what
 * it did last, then takes what comes in any order, and only then what others
 * did.
 *
 * Where parts shall meet (AN_MEET), no part of the piece begins before all parts
 * of the piece before are done. A whole one (AN_WHOLE) goes from prepare to join,
 * which begins when these are done; and no part of a later piece begins before
 * its join.
 */
#ifndef LIB_PIPELINE_STAGES_H
#define LIB_PIPELINE_STAGES_H

#include "analyzers/analyzer.h"
#include "lib/recover/counts.h"

struct al_job {
	enum al_stage stage;
	unsigned part;	       /* of AL_PART */
	uint64_t piece;	       /* number of the first, from 0 */
	uint64_t end;	       /* behind the last: AL_PART takes several */
	enum an_course course; /* of the piece; set by who does AL_PREPARE */
};

/* Zeroed but for the constants: nothing has begun. */
struct al_stages {
	unsigned parts; /* constant; 1: not in parts */
	unsigned lanes; /* constant; pieces begun and not ended, at most */
	bool loads;	/* constant */
	bool stores;	/* constant */
	bool follows;	/* constant; a recovery goes on from the one before */
	bool tails;	/* constant */
	uint64_t begun; /* pieces */
	uint64_t prepared; /* of them */
	uint64_t joined;   /* of them */
	uint64_t ended;	   /* of them */
	bool preparing;
	bool joining;
	bool tailing;
	unsigned preparer;   /* worker that did it last, from 1; 0: none */
	unsigned joiner;     /* the same */
	unsigned tailer;     /* the same */
	unsigned recovering; /* pieces */
	struct {
		uint8_t state;
		uint8_t store;
		enum an_course course;
	} lane[AN_LANES];
	struct {
		uint64_t done; /* pieces */
		bool busy;
		unsigned worker; /* that did it last, from 1; 0: none */
	} part[AN_MAX_PARTS];
};

/* One more piece; its lane is free. */
void al_stages_begin(struct al_stages *);

/* A job for worker @worker, from 1, who then says that it is done; false when
   there is none now. */
bool al_stages_next(struct al_stages *, struct al_job *, unsigned worker);

/* Return: whether the piece has come to its end, and its lane is free. */
bool al_stages_done(struct al_stages *, const struct al_job *);

/* How many jobs could begin now. */
unsigned al_stages_ready(const struct al_stages *);

#endif
