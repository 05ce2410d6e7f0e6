/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dependences.h - dependences through memory between iterations of chosen loops
 *
 * Chosen loops are those of the functions that the option `of` names. Until
 * finish(), only tail() uses the state here. It learns from the events of the
 * list of groups (access_groups.h) which runs of chosen loops are active.
 *
 * A time is the number of iterations of chosen loops that a thread has begun. A
 * cell of the shadow has the time of the last access. A run carries a
 * dependence if the earlier access is in the run, but before the current
 * iteration. The runs of outer loops do not carry it: for them, both accesses
 * are in one iteration.
 */
#ifndef ANALYZERS_LOOPS_DEPENDENCES_H
#define ANALYZERS_LOOPS_DEPENDENCES_H

#include "analyzers/loops/access_groups.h"
#include "analyzers/loops/shadow.h"
#include "base/tables/key_table.h"

enum {
	AN_NO_NODE = UINT32_MAX,
	AN_RECENT_BITS =
		10, /* log2 of the size of an_dependence_state.recent */
	AN_LOOP_PIECES = 4096, /* maximum of pieces that a run stores, a power
				  of two */
};

enum an_dependence_kind {
	AN_DEPENDENCE_FLOW,   /* a store, then a load */
	AN_DEPENDENCE_ANTI,   /* a load, then a store */
	AN_DEPENDENCE_OUTPUT, /* two stores */
};

/* Dependences between two instructions that a loop carries: both access the
   same bytes, in different iterations of one run of the loop. */
struct an_dependence {
	uint32_t loop;	 /* index of the loop */
	uint32_t source; /* node of the instruction that is executed first;
			    AN_NO_NODE: it is in another function */
	uint32_t sink;	 /* node of the other instruction, or of the call in
			    which it is executed */
	uint8_t kind;	 /* enum an_dependence_kind */
	uint64_t least;	 /* smallest distance [iterations] */
	struct an_value_counts distances; /* [iterations] */
};

/* Successive iterations of a run of a loop that began at successive times:
   iteration `iteration` + k began at `time` + k. */
struct an_loop_piece {
	uint64_t time;
	uint64_t iteration;
};

/* An active run of a chosen loop. */
struct an_chosen_run {
	uint64_t number;	 /* as an_loop_run.number */
	uint64_t begin_time;	 /* of the run */
	uint64_t iteration_time; /* of the current iteration */
	uint64_t iterations;
	uint32_t loop;	 /* index of the loop */
	uint32_t header; /* node of the loop's header */
	uint32_t call;	 /* node of the call by which its function has been
			       left; AN_NO_NODE: none, or a signal handler */
	struct an_loop_piece newest; /* the last piece */
	struct an_loop_piece *piece; /* the last AN_LOOP_PIECES pieces; piece i
					is at index i % AN_LOOP_PIECES */
	size_t n_pieces, max_pieces;
	size_t found; /* number of the piece that a search found last */
};

/* A thread. It is small, because numbers of threads are untrusted, and an array
   has all up to the greatest. */
struct an_dependence_thread {
	struct an_chosen_run *run;
	size_t n_runs, max_runs;
	/* [n_calls] n_runs when each listed call began */
	uint32_t *runs_before_call;
	size_t n_calls, max_calls;
	uint64_t time;
	struct an_shadow shadow; /* has a cache if the thread has a run */
};

/* A dependence that was counted: its source, sink (the call's node if it is in
   another function than the loop), kind and loop. */
struct an_recent_dependence {
	uint64_t source_sink_and_kind;
	uint32_t loop;
	uint32_t dependence; /* index in an_dependence_state.dependence, plus 1;
				0: none */
};

/* State of tail(), which finish() reduces to rows. */
struct an_dependence_state {
	/* [max_functions] node of the entry of each node's function */
	uint32_t *function;
	size_t max_functions;
	struct an_dependence_thread *thread; /* [n_threads] */
	size_t n_threads;
	uint32_t running; /* the thread that executes */
	int error;	  /* 0; -ENOMEM; -EOVERFLOW: a cell of the shadow cannot
			     have the time */
	struct an_arena lanes;		  /* memory of an_strides.other */
	size_t shadow_bytes;		  /* of the cells of all threads */
	struct al_key_table keys;	  /* loop and kind, source, sink */
	struct an_dependence *dependence; /* [keys.n] */
	size_t max_dependences;
	struct an_recent_dependence recent[1 << AN_RECENT_BITS]; /* by
						a hash */
};

/* ---- dependence_runs.c ---- */

/* Update the runs and calls of the threads for an event. Set the state's error
   if memory is short or a cell cannot have the time. */
void an_dependences_apply_event(struct an_dependence_state *,
				const struct an_loop_access_group *event);

/* Return the distance from the iteration of @r that was current at @time, which
   is before the current iteration but not before the run, to the current one;
   0: it is no longer known, because its piece was replaced. */
uint64_t an_chosen_run_iterations_since(struct an_chosen_run *r, uint64_t time);

/* Free the runs, calls and cells of all threads. */
void an_dependences_free_threads(struct an_dependence_state *);
void an_dependences_release(struct an_dependence_state *);

/* ---- dependences.c ---- */

/* Count the strides of all groups, and the dependences that runs of chosen
   loops carry to their accesses, follow the events between them, and empty the
   list. @chunk_slots: an_batch.slots of the chunk. Return: 0; -EOVERFLOW;
   -ENOMEM, also if the cells would exceed AN_MAX_SHADOW. */
int an_dependences_count_of_access_groups(struct an_dependence_state *,
					  struct an_loop_inflight *,
					  const uint32_t *chunk_slots);

#endif
